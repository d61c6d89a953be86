// The types of write-renames.js, which is plain JavaScript because plain Node runs it.

export interface Entry {
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

export interface Known {
  /** Sources of the base by their path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Sources of now by their path. */
  readonly present: ReadonlyMap<string, string>;
  readonly moved: ReadonlyMap<string, string>;
  /** Rows that were written by hand: package, old, new. */
  readonly rows: readonly (readonly string[])[];
  readonly entriesThen: ReadonlyMap<string, Entry>;
  readonly entriesNow: ReadonlyMap<string, Entry>;
}

export interface Compared {
  readonly names: readonly (readonly string[])[];
  readonly files: readonly (readonly string[])[];
  readonly imports: readonly (readonly string[])[];
  /** What has neither a present equal nor a row. */
  readonly missing: readonly string[];
}

export function compare(known: Known): Compared;

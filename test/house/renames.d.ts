// The types of renames.js, which is plain JavaScript because plain Node runs it.

export interface RenameRow {
  /** The heading above it: `names`, `files` and so on. */
  readonly section: string | undefined;
  readonly cells: readonly string[];
}

export type Sections = Readonly<Record<string, readonly (readonly string[])[]>>;

export function renamesPage(base: string, sections: Sections): string;
export function rowsOf(page: string): readonly RenameRow[];
/** The names and files of rows that do not exist, in sentences. `surface` holds the names of all sources. */
export function brokenIn(row: RenameRow, surface: ReadonlySet<string>): readonly string[];
export function presentNames(): ReadonlySet<string>;

// The type of api-report.js, which is plain JavaScript because plain Node runs it.

/** The entries that only the packages of this project import: they have no page. */
export const INTERNAL_ENTRIES: readonly string[];

/** The text of every page of docs/api by its path. `root` holds `packages/`, built; the repository by default. */
export function apiPages(root?: string): Promise<ReadonlyMap<string, string>>;

/** Writes all pages, and removes those of entries that are gone. */
export function writeApiPages(): Promise<void>;

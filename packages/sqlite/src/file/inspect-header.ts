// Tells from the first bytes of a file whether it is a store of this package, without opening it as a database. The format is
// sqlite.org/fileformat2.html#the_database_header.

import { APPLICATION_ID, SCHEMA_STEPS } from "../schema/schema.js";

/** Bytes that `inspectFileHeader` needs. */
export const FILE_HEADER_BYTES = 100;

/**
 * `store`: a store; `isCurrent` tells whether it has the current schema version. `empty`: no bytes, or a database to which
 * nothing was moved from its log yet. `newer`: written by a newer version. `foreign`: a database of another program.
 * `no-database`: no SQLite file.
 */
export type FileHeader =
  | { readonly kind: "store"; readonly isCurrent: boolean }
  | { readonly kind: "empty" | "newer" | "foreign" | "no-database" };

const MAGIC = "SQLite format 3\u0000";
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** What the first `FILE_HEADER_BYTES` of a file say. A shorter file that is not empty is no database. */
export function inspectFileHeader(bytes: Uint8Array): FileHeader {
  if (bytes.length === 0) return { kind: "empty" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (bytes.length < FILE_HEADER_BYTES || magic !== MAGIC) return { kind: "no-database" };
  const id = view.getUint32(APPLICATION_ID_AT);
  if (id === 0 && view.getUint32(SCHEMA_COOKIE_AT) === 0) return { kind: "empty" };
  if (id !== APPLICATION_ID) return { kind: "foreign" };
  const version = view.getUint32(USER_VERSION_AT);
  if (version > SCHEMA_STEPS.length) return { kind: "newer" };
  return { kind: "store", isCurrent: version === SCHEMA_STEPS.length };
}

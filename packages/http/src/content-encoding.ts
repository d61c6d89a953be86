// Which content encodings a body may have. Gzip is read, and known by its first bytes; what else is registered for HTTP is
// refused by its name, so that its sender hears of the encoding and not of bad JSON. A name that nothing is registered
// under says nothing, since libraries in the field write other things there (decision: encodings and empty lists).

/** What an answer to another encoding names as the one to use. */
export const READ_ENCODING = "gzip";

/** The content codings that HTTP knows and that are not read here. */
const UNREAD: ReadonlySet<string> = new Set([
  "aes128gcm",
  "br",
  "compress",
  "dcb",
  "dcz",
  "deflate",
  "exi",
  "pack200-gzip",
  "x-compress",
  "zstd",
]);
const GZIP: ReadonlySet<string> = new Set(["gzip", "x-gzip"]);

/** Whether a body with this `Content-Encoding` can be read: plain, or gzipped once. */
export function isReadEncoding(header: string | undefined): boolean {
  if (header === undefined) return true;
  const codings = header.split(",").map((coding) => coding.trim().toLowerCase());
  return !codings.some((coding) => UNREAD.has(coding)) && codings.filter((coding) => GZIP.has(coding)).length <= 1;
}

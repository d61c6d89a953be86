// Decides which content encodings a body may have: plain or gzip. Other encodings that are registered for HTTP are refused
// by name, so that the caller is told about the encoding rather than about bad JSON. Names that are not registered are
// ignored, since some libraries write other things there (decision: encodings and empty lists).

/** The only content coding that is supported. The answer that refuses another coding names this one. */
export const SUPPORTED_ENCODING = "gzip";

/** Content codings that are registered for HTTP and are not supported. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
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
export function isSupportedEncoding(header: string | undefined): boolean {
  if (header === undefined) return true;
  const codings = header.split(",").map((coding) => coding.trim().toLowerCase());
  return !codings.some((coding) => UNSUPPORTED.has(coding)) && codings.filter((coding) => GZIP.has(coding)).length <= 1;
}

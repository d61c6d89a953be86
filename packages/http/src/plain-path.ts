// Normalizes paths, since some libraries join a host and a path carelessly: repeated slashes become one, and a slash at the
// end is dropped. Only for ingest: a path that a proxy may protect has to be matched exactly (decision: encodings and empty
// lists).

/** `/v1/batch` for `//v1/batch` and for `/v1//batch/`. */
export function normalizePath(path: string): string {
  // Most paths are normal already.
  if (!path.includes("//") && !path.endsWith("/")) return path;
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

// Cuts the path of a mount from paths, and normalizes paths, since some libraries join a host and a path carelessly: repeated
// slashes become one, and a slash at the end is dropped. The latter only for ingest: a path that a proxy may protect has to be matched exactly (decision: encodings and empty
// lists).

/** `/v1/batch` for `//v1/batch` and for `/v1//batch/`. */
export function normalizePath(path: string): string {
  // Most paths are normal already.
  if (!path.includes("//") && !path.endsWith("/")) return path;
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

/** `/v1/track` for `/segment/v1/track` under `/segment`; empty, which no handler serves, if the path is elsewhere. */
export function cutBasePath(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
}

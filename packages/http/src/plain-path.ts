// One form of a path for callers whose libraries join a host and a path carelessly: repeated slashes count as one, and one
// at the end as none. Only for the way in: what a proxy in front may guard by its path has that one form and no other
// (decision: encodings and empty lists).

/** `/v1/batch` for `//v1/batch` and for `/v1//batch/`. */
export function plainPath(path: string): string {
  // Nearly all paths have that form already.
  if (!path.includes("//") && !path.endsWith("/")) return path;
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

// Who entered an audience and who left it, between one sync and the next (spec, webhook destination §1). A first sync
// has no members before it, and so everyone enters.

export interface AudienceDiff {
  /** In the order in which they come in `current`, each once. */
  readonly entered: readonly string[];
  /** In the order in which they came in `previous`, each once. */
  readonly departed: readonly string[];
}

/** Compares two sets of user ids, each given in any order and with any repeats. */
export function diffAudience(previous: Iterable<string>, current: Iterable<string>): AudienceDiff {
  const before = new Set(previous);
  const after = new Set(current);
  return {
    entered: [...after].filter((userId) => !before.has(userId)),
    departed: [...before].filter((userId) => !after.has(userId)),
  };
}

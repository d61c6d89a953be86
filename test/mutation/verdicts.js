// Reads the journal of the plays: what is left to be played, and what became of each mutant. Pure.

/** A mutant that ended the process so often, once with nothing before it, has been noticed: no test run ends well with it. */
const ENDS = 2;

/**
 * @typedef {object} Entry - a line of the journal
 * @property {string} path - the test file
 * @property {string} [id] - of the mutant
 * @property {true} [began] - it is on from here
 * @property {string} [verdict]
 * @property {boolean} [isNoticed]
 * @property {number} [hits] - how often the mutated code ran
 * @property {string} [by] - the test that noticed it
 * @typedef {object} Verdict
 * @property {"killed" | "timed out" | "survived" | "not reached"} kind
 * @property {string} [by] - the test that noticed it, and
 * @property {string} [path] - its file
 */

/** What a stage still has to play. What has ended a process without a verdict is played first, in a separate process. */
export function leftOf(stage, entries) {
  const noticed = new Set(entries.flatMap(({ id, isNoticed }) => (isNoticed === true ? [id] : [])));
  const played = new Set(entries.flatMap(({ path, id, verdict }) => (verdict === undefined ? [] : [keyOf(path, id)])));
  const begun = countBegun(entries);
  return stage.flatMap(({ path, plays }) => {
    const left = plays
      .filter(({ id }) => !noticed.has(id) && !played.has(keyOf(path, id)))
      .filter(({ id }) => (begun.get(keyOf(path, id)) ?? 0) < ENDS)
      .map((play) => ({ ...play, isAlone: begun.has(keyOf(path, play.id)) }));
    return left.length === 0 ? [] : [{ path, plays: left }];
  });
}

/** @returns {ReadonlyMap<string, Verdict>} */
export function verdictsOf(mutants, entries) {
  const ended = [...countBegun(entries)].filter(([, times]) => times >= ENDS).map(([key]) => key.split(" ").at(-1));
  return new Map(
    mutants.map(({ id }) => [
      id,
      verdictOf(
        entries.filter((entry) => entry.id === id),
        ended.includes(id),
      ),
    ]),
  );
}

function verdictOf(entries, hasEnded) {
  const noticed = entries.find(({ isNoticed }) => isNoticed === true);
  if (noticed !== undefined) return { kind: noticed.verdict, by: noticed.by, path: noticed.path };
  if (hasEnded) return { kind: "killed", by: "the end of the process" };
  // A mutant that was on, and whose code never ran, was not judged by anyone.
  return { kind: entries.some(({ hits }) => hits > 0) ? "survived" : "not reached" };
}

/** For each play without a verdict, how often it was begun. */
function countBegun(entries) {
  const counts = new Map();
  for (const { path, id, began, verdict } of entries) {
    if (began === true) counts.set(keyOf(path, id), (counts.get(keyOf(path, id)) ?? 0) + 1);
    if (verdict !== undefined) counts.delete(keyOf(path, id));
  }
  return counts;
}

function keyOf(path, id) {
  return `${path} ${id}`;
}

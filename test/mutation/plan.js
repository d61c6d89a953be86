// Plans what is played: each mutant in each test file that reaches it, with its tests and its limits, the quick files first.
// Pure.

/**
 * The limits of a mutant, each from the same tests without it.
 *
 * @typedef {object} Limits
 * @property {number} hits - how many times its code may run, and
 * @property {number} moreOften - how many times more often than without; beyond, it goes round forever
 * @property {number} testMs - the longest time of a test, and, for all tests of a file together,
 * @property {number} fileMs - the longest time, in milliseconds, since another program may have the processor, and
 * @property {number} slower - how many times longer than without; beyond, it hangs
 */

/** @type {Limits} */
export const LIMITS = { hits: 1_000, moreOften: 100, testMs: 10_000, fileMs: 45_000, slower: 8 };

/**
 * @typedef {Readonly<Record<string, number>>} Hits - how often each mutant was reached, by its id
 * @typedef {{ readonly id: string, readonly name: string, readonly ms: number, readonly hits: Hits }} TimedTest
 * @typedef {{ readonly path: string, readonly loading: Hits, readonly hooks: Hits, readonly tests: readonly TimedTest[] }} Reach
 * @typedef {object} Play
 * @property {string} id - of the mutant
 * @property {boolean} [isAlone] - in a separate process, which it ends
 * @property {boolean} isFresh - the modules are loaded anew, since the mutant has an effect while they load
 * @property {readonly string[] | null} tests - the tests that reach it, or all
 * @property {number} hitLimit
 * @property {number} testMs
 * @property {number} fileMs
 * @property {number} ms - how long its tests take without it
 */

/**
 * Two stages: a mutant that is only reached while modules load is first played where tests run its source file, and then
 * where its module is merely loaded, which is everywhere.
 *
 * @param {readonly { readonly id: string, readonly file: string }[]} mutants
 * @param {readonly Reach[]} files
 * @returns {readonly (readonly { readonly path: string, readonly plays: readonly Play[] }[])[]}
 */
export function planStages(mutants, files, limits = LIMITS) {
  const sourceOf = new Map(mutants.map(({ id, file }) => [id, file]));
  const quickFirst = files.toSorted((one, other) => msOf(one.tests) - msOf(other.tests));
  const stages = [[], []];
  for (const file of quickFirst) {
    const running = new Set([file.hooks, ...file.tests.map(({ hits }) => hits)].flatMap(Object.keys));
    const sources = new Set([...running].map((id) => sourceOf.get(id)));
    const plays = mutants.filter(({ id }) => running.has(id) || file.loading[id] !== undefined);
    const [near, far] = split(plays, (mutant) => running.has(mutant.id) || sources.has(mutant.file));
    for (const [place, chosen] of [near, far].entries())
      if (chosen.length > 0)
        stages[place].push({ path: file.path, plays: chosen.map(({ id }) => planPlay(id, file, limits)) });
  }
  return stages;
}

/** @param {string} id @param {Reach} file @param {Limits} limits @returns {Play} */
export function planPlay(id, { loading, hooks, tests }, limits) {
  const isFresh = loading[id] !== undefined;
  const needsAll = isFresh || hooks[id] !== undefined;
  const chosen = needsAll ? tests : tests.filter(({ hits }) => hits[id] !== undefined);
  const hits = chosen.reduce((sum, test) => sum + (test.hits[id] ?? 0), (loading[id] ?? 0) + (hooks[id] ?? 0));
  return {
    id,
    isFresh,
    tests: needsAll ? null : chosen.map((test) => test.id),
    hitLimit: limits.hits + limits.moreOften * hits,
    testMs: Math.round(limits.testMs + limits.slower * Math.max(0, ...chosen.map(({ ms }) => ms))),
    fileMs: Math.round(limits.fileMs + limits.slower * msOf(chosen)),
    ms: msOf(chosen),
  };
}

function msOf(tests) {
  return tests.reduce((sum, { ms }) => sum + ms, 0);
}

function split(items, isFirst) {
  return [items.filter((item) => isFirst(item)), items.filter((item) => !isFirst(item))];
}

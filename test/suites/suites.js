// The two commands that tests are run by, as stages of steps. The steps of a stage run at the same time, and a stage begins when
// the one before it is green.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} command - a program that npm puts on the path, and its arguments
 */

/**
 * @typedef {object} Suite
 * @property {readonly (readonly Step[])[]} stages
 * @property {boolean} isInMemory - whether files of tests are in memory, where the platform has a folder that is
 * @property {number} [keptRatio] - its CPU time over that of the reference loop, as it was measured last on a fresh clone
 */

/** The native compiler, in a quarter of the time; ESLint and the rules of the house need the other, for its interface. */
const TSC = ["node", "node_modules/typescript-native/bin/tsc"];
const BUILD = [
  step("build", ...TSC, "-b"),
  step("build of the client", "node", "packages/client/build.js"),
  step("build of the page", "node", "packages/console/build.js"),
];
const LINT = ["eslint", "--cache", "--cache-location", "node_modules/.cache/eslint/"];

/** @type {Readonly<Record<string, Suite>>} */
export const SUITES = {
  quick: {
    isInMemory: true,
    keptRatio: 185,
    stages: [
      [step("house", ...tests("house")), ...BUILD],
      [
        step("core", ...tests("core"), "--coverage"),
        step("types of tests", ...TSC, "-p", "test"),
        step("types of the page", ...TSC, "-p", "packages/console/page"),
        step("arrows", "depcruise", "--config", ".dependency-cruiser.cjs", "packages/*/src", "packages/*/bin"),
        step("lint", ...LINT, "packages"),
      ],
      [step("tests", ...tests("laws", "units", "contracts", "life"))],
    ],
  },
  all: {
    isInMemory: false,
    stages: [
      BUILD,
      [step("lint", ...LINT), step("format", "prettier", "--check", "--cache", "--log-level", "warn", ".")],
      // Many wait for a program or a time limit, so that two workers would leave a quarter of two cores idle.
      [step("tests", ...tests("proofs", "parts", "faults", "packaging", "programs", "processes"), "--maxWorkers=3")],
      [
        step("known mutants", "node", "test/mutation/known.js"),
        step("other versions of Node", "node", "test/nodes/run.js"),
      ],
    ],
  },
};

function step(name, ...command) {
  return { name, command };
}

/** A run of some projects of vitest.config.ts. */
function tests(...projects) {
  return ["vitest", "run", ...projects.flatMap((name) => ["--project", name])];
}

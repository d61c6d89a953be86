// Mutation testing of core: each decision is changed on purpose, and a test must notice. A score under 90 % fails.
// Run by `npm run soak -- mutation`; it takes minutes, and is not part of `npm test`.

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  mutate: ["packages/core/src/**/*.ts", "!**/*.d.ts"],
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportScoreTable: true },
  jsonReporter: { fileName: "reports/mutation.json" },
  ignorePatterns: ["**/dist", "coverage", "reports", "**/*.tsbuildinfo", "**/*.db*"],
};

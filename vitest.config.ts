// The projects of tests, and the options of all. test/suites/suites.js says which of them `npm test` and `npm run test:all`
// run; `npm run soak` runs the long ones. Tests run on the sources: each package name resolves to its src. Tests that start a
// program start the built one, which is built again before each run.

import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from "vitest/config";
import { CONDITION_WATCHDOG_MS, TEST_WATCHDOG_MS } from "./test/watchdogs.js";

const SOAK_WATCHDOG_MS = 7_200_000;
const WORKERS = 2;

const packages = fileURLToPath(new URL("packages/", import.meta.url));

/** The rules for sources and documents that only read: without a build, in seconds. */
const HOUSE = ["test/house/*.test.ts"];
/** Rules that look at what was built. */
const BUILT_HOUSE = ["test/house/{api-report,contexts,error-codes,errors,hover,write-docs,write-schema}.test.ts"];
/** Rules that lint, pack or run what they look at. */
const HEAVY_HOUSE = ["test/house/{commonjs,docs,lint-bans,tarballs}.test.ts"];

/** The decisions of core, by which its coverage is counted. */
const CORE = ["test/core/**/*.test.ts"];

/** Other decisions, and how they are carried out on a clock that moves when told: without a process, a file or a socket. */
const LAWS = ["test/{api,memory,metrics,mutation,relay,settings,simulator,testkit,vectors}/**/*.test.ts"];

/** The suites that prove an adapter, over the adapters that need no further thread or process. */
const CONTRACTS = [
  "test/{fetch,undici}/contract.test.ts",
  "test/{memory,sqlite}/{delivery-store,audience-store,call-storage}.test.ts",
];

/** Tests of the tests, contracts over a second composition, and lives that die at every step or at many. */
const PROOFS = [
  "test/contracts/{model-reach,edges-reach}.test.ts",
  "test/memory/gated-delivery-store.test.ts",
  "test/relay/{audience-crash,deletion-crash,erasure-crash}.test.ts",
  "test/simulator/by-hand.test.ts",
  "test/situations/situations.test.ts",
  "test/thread/across-a-port.test.ts",
];

/** What is particular to one adapter, and long runs on a manual clock. */
const PARTS = [
  "test/{fetch,file-store,sqlite,thread,undici}/**/*.test.ts",
  "test/ingest/expensive-requests.test.ts",
  "test/mutation/play.test.ts",
  "test/relay/audience-scale.test.ts",
  "test/simulation/*.test.ts",
  "test/trace/*.test.ts",
];

/** One or more of our programs, with sockets and files, from start to end. */
const PROCESSES = [
  "test/crash/**/*.test.ts",
  "test/client/{browser,durable}/**/*.test.ts",
  "test/console/browser/*.test.ts",
  "test/client/{process,end-to-end,hostile-server,proxy}.test.ts",
  "test/end-to-end/**/*.test.ts",
  "test/load/**/*.test.ts",
  "test/thread/{contract,http-contract}.test.ts",
  "test/trace/live.test.ts",
];
/** The life of a real server in short, which is looked at each time. */
const LIFE = ["test/end-to-end/three-receivers.test.ts"];

/** What needs the third parties of test/programs, which are installed before, each by a separate lock file. */
const PROGRAMS = [
  "test/client/{bundlers,same-calls}.test.ts",
  "test/guides/{embed,frameworks}.test.ts",
  "test/release/release.test.ts",
  "test/operate/*.test.ts",
  "test/postgres/**/*.test.ts",
];

/** What a user would install, what the documents show, and programs that others wrote. */
const PACKAGING = [...HEAVY_HOUSE, "test/guides/**/*.test.ts", "test/strangers/*.test.ts", "test/bench/**/*.test.ts"];

/** Receivers, disks and adapters that do wrong. */
const FAULTS = ["test/contracts/broken*.test.ts", "test/hostile/**/*.test.ts"];

/** Programs of strangers, who run their own tests in their own folders. */
const STRANGERS = ["test/strangers/*/**"];

interface Tier {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
  /** A separate worker for each file. Others share one, so that sources are loaded once: they leave no global changed. */
  readonly isolate?: boolean;
  readonly globalSetup?: string[];
}

export const shared = {
  setupFiles: ["test/property.ts", "test/canary-watch.ts"],
  testTimeout: TEST_WATCHDOG_MS,
  hookTimeout: TEST_WATCHDOG_MS,
  teardownTimeout: TEST_WATCHDOG_MS,
  expect: { poll: { timeout: CONDITION_WATCHDOG_MS, interval: 20 } },
} satisfies ViteUserConfig["test"];

export const resolve = {
  alias: [
    { find: "@postrider/sqlite/file", replacement: `${packages}sqlite/src/file-store/index.ts` },
    {
      find: /^@postrider\/(core|client|http|relay|simulator|testkit)\/([\w-]+)$/,
      replacement: `${packages}$1/src/$2/index.ts`,
    },
    { find: /^@postrider\/([\w-]+)$/, replacement: `${packages}$1/src/index.ts` },
  ],
};

/** Only where it is asked for: `npm run soak`. Looking for secrets in all that is written would be a part of the load. */
const soak: TestProjectInlineConfiguration = {
  resolve,
  test: {
    ...shared,
    name: "soak",
    include: ["test/*/soak/*.ts"],
    setupFiles: ["test/property.ts"],
    globalSetup: process.env["POSTRIDER_PROGRAMS"] === undefined ? [] : ["test/programs/install.ts"],
    testTimeout: SOAK_WATCHDOG_MS,
    hookTimeout: SOAK_WATCHDOG_MS,
  },
};

const isSoak = process.env["POSTRIDER_SOAK"] !== undefined;

export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    maxWorkers: isSoak ? 1 : WORKERS,
    disableConsoleIntercept: isSoak,
    coverage: {
      provider: "v8",
      reporter: [["text", { skipFull: true }]],
      include: ["packages/core/src/**/*.ts"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: isSoak
      ? [soak]
      : [
          project({ name: "house", include: HOUSE, exclude: [...BUILT_HOUSE, ...HEAVY_HOUSE] }),
          project({ name: "core", include: CORE }),
          project({ name: "laws", include: LAWS, exclude: [...CONTRACTS, ...PARTS, ...PROOFS] }),
          project({ name: "contracts", include: CONTRACTS }),
          project({ name: "life", include: LIFE, isolate: true }),
          project({ name: "proofs", include: PROOFS }),
          project({ name: "parts", include: PARTS, exclude: [...CONTRACTS, ...PROCESSES, ...PROOFS] }),
          project({ name: "faults", include: FAULTS }),
          project({
            name: "packaging",
            include: PACKAGING,
            exclude: PROGRAMS,
            isolate: true,
            globalSetup: ["test/house/pack-once.ts"],
          }),
          project({ name: "programs", include: PROGRAMS, isolate: true, globalSetup: ["test/programs/install.ts"] }),
          project({ name: "processes", include: PROCESSES, exclude: LIFE, isolate: true }),
          project({
            name: "units",
            include: ["test/!(house)/**/*.test.ts", "test/*.test.ts", ...BUILT_HOUSE],
            exclude: [...[CORE, LAWS, CONTRACTS, LIFE, PARTS, PROOFS, FAULTS, PACKAGING, PROGRAMS, PROCESSES].flat()],
          }),
        ],
  },
});

function project({ exclude = [], isolate = false, ...tier }: Tier): TestProjectInlineConfiguration {
  return { resolve, test: { ...shared, ...tier, isolate, exclude: [...exclude, ...STRANGERS, "**/node_modules/**"] } };
}

// The projects of tests, and the options of all. `npm test` runs the quick projects, `npm run test:all` the others, and
// `npm run soak` the long ones. Tests run on the sources: each package name resolves to its src. Tests that start a program
// start the built one, which is built again before each run.

import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from "vitest/config";

/** Watchdogs: they end what hangs, and say nothing about speed. A busy machine must never reach them. */
const TEST_WATCHDOG_MS = 300_000;
const CONDITION_WATCHDOG_MS = 120_000;
const SOAK_WATCHDOG_MS = 7_200_000;
const WORKERS = 2;

const packages = fileURLToPath(new URL("packages/", import.meta.url));

/** Decisions, and how they are carried out on a clock that moves when told: without a process, a file or a socket. */
const LAWS = ["test/{api,codec,core,memory,mutation,relay,simulator,telemetry,testkit,vectors}/**/*.test.ts"];

/** The suites that prove an adapter, over the adapters that need no further thread or process. */
const CONTRACTS = [
  "test/{fetch,undici}/contract.test.ts",
  "test/{memory,sqlite}/{delivery-store,audience-store,call-storage}.test.ts",
  "test/contracts/model-reach.test.ts",
  "test/thread/across-a-port.test.ts",
];

/** What is particular to one adapter, long runs on a manual clock, and the rules for sources. */
const PARTS = [
  "test/{fetch,sqlite,sqlite-file,thread,undici}/**/*.test.ts",
  "test/house/lint-bans.test.ts",
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
  "test/client/{process,end-to-end,hostile-server}.test.ts",
  "test/end-to-end/**/*.test.ts",
  "test/load/**/*.test.ts",
  "test/thread/{contract,http-contract}.test.ts",
  "test/trace/live.test.ts",
];
/** The life of a real server in short, which is looked at each time. */
const LIFE = ["test/end-to-end/three-receivers.test.ts"];

/** What needs the third parties of test/programs, which are installed before, each by a separate lock file. */
const PROGRAMS = [
  "test/guides/{embed,frameworks}.test.ts",
  "test/release/release.test.ts",
  "test/operate/*.test.ts",
  "test/postgres/**/*.test.ts",
];

/** What a user would install, what the documents show, and programs that others wrote. */
const PACKAGING = [
  "test/house/{commonjs,docs,tarballs}.test.ts",
  "test/guides/**/*.test.ts",
  "test/strangers/*.test.ts",
  "test/client/bundle.test.ts",
  "test/bench/**/*.test.ts",
];

/** Receivers, disks and adapters that do wrong. */
const FAULTS = ["test/contracts/broken*.test.ts", "test/hostile/**/*.test.ts"];

/** Programs of strangers, who run their own tests in their own folders. */
const STRANGERS = ["test/strangers/*/**"];

interface Tier {
  readonly name: string;
  readonly include: string[];
  readonly exclude?: string[];
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
    { find: /^@postrider\/(core|client|simulator|testkit)\/([\w-]+)$/, replacement: `${packages}$1/src/$2/index.ts` },
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
          project({ name: "laws", include: LAWS, exclude: [...CONTRACTS, ...PARTS], isolate: false }),
          project({ name: "contracts", include: CONTRACTS }),
          project({ name: "life", include: LIFE }),
          project({ name: "parts", include: PARTS, exclude: [...CONTRACTS, ...PROCESSES] }),
          project({ name: "faults", include: FAULTS }),
          project({
            name: "packaging",
            include: PACKAGING,
            exclude: PROGRAMS,
            globalSetup: ["test/house/pack-once.ts"],
          }),
          project({ name: "programs", include: PROGRAMS, globalSetup: ["test/programs/install.ts"] }),
          project({ name: "processes", include: PROCESSES, exclude: LIFE }),
          project({
            name: "units",
            include: ["test/**/*.test.ts"],
            exclude: [LAWS, CONTRACTS, LIFE, PARTS, FAULTS, PACKAGING, PROGRAMS, PROCESSES].flat(),
          }),
        ],
  },
});

/** `isolate`: each file in a separate worker. Tests that touch nothing of the platform share one, in a third of the time. */
function project({ exclude = [], ...tier }: Tier): TestProjectInlineConfiguration {
  return { resolve, test: { ...shared, ...tier, exclude: [...exclude, ...STRANGERS, "**/node_modules/**"] } };
}

// Which tests judge the mutants of a package: those that run on its sources, and have no other program to start. Data only.

/**
 * @typedef {object} Judged
 * @property {readonly string[]} tests - the files, as globs
 * @property {number} atLeast - the score in percent that the package must reach
 * @property {number} [sample] - how many mutants are played unless told, if not 300
 * @property {number} [atOnce] - processes at the same time, if its tests wait more than they compute
 * @property {string} [folder] - of its sources, under packages/, if they are not all of a package
 * @property {string} [programs] - the folder of test/programs/ that its tests need installed
 * @property {readonly string[]} [without] - folders of its sources that other programs judge, such as a browser
 */

/** @type {Readonly<Record<string, Judged>>} */
export const PACKAGES = {
  core: { tests: ["test/core/**/*.test.ts", "test/vectors/*.test.ts"], atLeast: 97 },
  relay: {
    tests: ["test/relay/**/*.test.ts", "test/trace/replay-trace.test.ts"],
    without: ["metrics", "settings", "trace"],
    atLeast: 85,
  },
  memory: { tests: ["test/memory/**/*.test.ts"], atLeast: 85 },
  sqlite: { tests: ["test/sqlite/**/*.test.ts"], atLeast: 85 },
  ingest: { folder: "http/src/ingest", tests: ["test/ingest/**/*.test.ts"], atLeast: 85 },
  undici: { tests: ["test/undici/**/*.test.ts"], atLeast: 85 },
  client: {
    tests: [
      "test/client/{call-kinds,create-client,laws,limits,log,on-the-wire,unknown-options}.test.ts",
      "test/client/durable/create-*.test.ts",
    ],
    without: ["indexeddb"],
    atLeast: 85,
  },
  api: {
    folder: "http/src/api",
    tests: ["test/api/**/*.test.ts", "test/console/roles.test.ts"],
    atLeast: 85,
    sample: 150,
  },
  http: {
    folder: "http/src",
    without: ["api", "ingest"],
    tests: ["test/http/*.test.ts", "test/ingest/behind-parsers.test.ts"],
    atLeast: 85,
    sample: 150,
  },
  console: { folder: "console/src", tests: ["test/console/*.test.ts"], atLeast: 85, sample: 150 },
  metrics: { folder: "relay/src/metrics", tests: ["test/metrics/**/*.test.ts"], atLeast: 85, sample: 150 },
  trace: { folder: "relay/src/trace", tests: ["test/trace/!(live).test.ts"], atLeast: 85, sample: 150 },
  settings: {
    folder: "relay/src/settings",
    tests: ["test/settings/!(declarations).test.ts"],
    atLeast: 85,
    sample: 150,
  },
  postgres: {
    without: ["schema"],
    tests: [
      "test/postgres/{board-writes,connections,delivery-store,hints,leases,leaves,lows,one-bucket,opening,outbox,waiting}.test.ts",
      "test/postgres/{audience-store,errors,neighbours,savepoints,stored-forms}.test.ts",
    ],
    programs: "postgres",
    atOnce: 5,
    atLeast: 85,
    sample: 150,
  },
  thread: { tests: ["test/thread/{across-a-port,connect-stores,parcel,rpc-client}.test.ts"], atLeast: 85 },
};

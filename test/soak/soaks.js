// The runs that take minutes to hours, each with its name, its files and its settings. The tests beside these files do the
// same in small.

const SIMULATION = "test/simulation/soak";
const LOAD = "test/load/soak";
const HOSTILE = "test/hostile/soak";

/**
 * @typedef {object} Soak
 * @property {string} what - what it does, in a line
 * @property {string} takes - on two cores, about
 * @property {readonly string[]} files
 * @property {Readonly<Record<string, string>>} [settings] - an option, and the variable of the environment that it sets
 * @property {readonly string[]} [programs] - the folders of test/programs that it needs
 * @property {string} [part] - what the word after the name says, for a run that needs one
 */

/** @type {Readonly<Record<string, Soak>>} */
export const SOAKS = {
  crash: {
    what: "kills a server at every system call and at random, and cuts the power, in full",
    takes: "an hour",
    files: ["test/crash/soak/survive.ts"],
    settings: { percent: "CRASH_PERCENT", seed: "CRASH_SEED" },
  },
  people: {
    what: "kills a server in syncs and deletions",
    takes: "15 min",
    files: ["test/crash/soak/users.ts"],
    settings: { percent: "CRASH_PERCENT", seed: "CRASH_SEED" },
  },
  replays: {
    what: "replays 100,000 deliveries as jobs, through a cancel and kills",
    takes: "5 min",
    files: ["test/crash/soak/replays.ts"],
    settings: { seed: "CRASH_SEED" },
  },
  disk: {
    what: "a thousand damaged files, a killed migration, a fault at every system call",
    takes: "30 min",
    files: ["test/sqlite/soak", "test/end-to-end/soak/disk-faults.ts"],
    settings: { runs: "POSTRIDER_RUNS", seed: "POSTRIDER_SEED" },
  },
  seeds: {
    what: "plays seeds in the simulator, 10,000 unless told; not one promise may be broken",
    takes: "2 min for 10,000",
    files: [`${SIMULATION}/seeds.ts`],
    settings: { runs: "POSTRIDER_RUNS" },
  },
  fleets: {
    what: "plays several servers on one store, 2,000 seeds unless told; counts the promises that are broken",
    takes: "5 min for 2,000",
    files: [`${SIMULATION}/fleet-seeds.ts`],
    settings: { runs: "POSTRIDER_RUNS" },
  },
  failover: {
    what: "kills servers and their PostgreSQL a thousand times under load, and promotes its standby",
    takes: "20 min",
    files: ["test/postgres/soak/kills.ts"],
    settings: { runs: "POSTRIDER_RUNS", seed: "POSTRIDER_SEED" },
  },
  versions: {
    what: "both stores on each PostgreSQL (POSTRIDER_POSTGRES=BIN:BIN for others), directly and through PgBouncer",
    takes: "10 min for one",
    files: ["test/postgres/soak/versions.ts"],
  },
  limits: {
    what: "a rate, a receiver that hangs and a Retry-After before four servers on one PostgreSQL",
    takes: "6 min",
    files: ["test/postgres/soak/many-as-one.ts"],
  },
  metrics: {
    what: "counts simulated lives a second time, 10,000 unless told; no metric may differ",
    takes: "8 min for 10,000",
    files: ["test/metrics/soak/metrics.ts"],
    settings: { runs: "POSTRIDER_RUNS", seed: "POSTRIDER_SEED" },
  },
  planted: {
    what: "plants each known fault and counts the seeds until it is found; writes docs/simulation.md",
    takes: "minutes",
    files: [`${SIMULATION}/planted.ts`],
    settings: { runs: "POSTRIDER_RUNS" },
  },
  prometheus: {
    what: "a real Prometheus (of the path, or PROMETHEUS) reads a server, and its alert follows a receiver",
    takes: "2 min",
    files: ["test/operate/soak/prometheus.ts"],
  },
  outages: {
    what: "ten outages, calculated by hand and simulated; prints both, which may differ by 3 %",
    takes: "3 min",
    files: ["test/simulator/soak/by-hand.ts"],
    settings: { runs: "POSTRIDER_RUNS" },
  },
  shares: {
    what: "simulates lanes beside each other: 1 to 20 of them, errors, latencies",
    takes: "minutes",
    files: [`${SIMULATION}/lanes.ts`],
  },
  lanes: {
    what: "slow, erring and poisoned receivers beside quick ones at a real server",
    takes: "2 min",
    files: ["test/end-to-end/soak/lanes.ts"],
  },
  storms: {
    what: "receivers that refuse or fail for ten seconds, refuse single messages, or one in three; none may die of it",
    takes: "3 min",
    files: ["test/end-to-end/soak/storms.ts"],
  },
  load: {
    what: "an hour of good calls beside hard receivers and keyless attackers, in alternating minutes",
    takes: "60 min",
    files: [`${LOAD}/mixed.ts`],
    settings: { minutes: "LOAD_MINUTES" },
  },
  readers: {
    what: "a hundred readers of GET /api/events that read far too slowly; the memory must stay flat",
    takes: "3 min",
    files: [`${LOAD}/readers.ts`],
    settings: { runs: "READER_EVENTS" },
  },
  expensive: {
    what: "sends 20,000 requests that cost the most a request may, and watches the turns of the loop",
    takes: "50 min",
    files: [`${LOAD}/expensive.ts`],
    settings: { runs: "EXPENSIVE_REQUESTS", seed: "EXPENSIVE_SEED" },
  },
  receivers: {
    what: "every hostile receiver against every HTTP adapter; writes docs/hostile-receivers.md",
    takes: "minutes",
    files: [`${HOSTILE}/receivers.ts`],
  },
  addresses: {
    what: "a million addresses against the filter of forbidden ones",
    takes: "minutes",
    files: [`${HOSTILE}/addresses.ts`],
    settings: { seed: "HOSTILE_SEED" },
  },
  names: {
    what: "machines with other files, name servers and addresses, in network namespaces beside curl; needs root",
    takes: "2 min",
    files: [`${HOSTILE}/names.ts`],
  },
  answers: {
    what: "a million answers, and a million second ones, to the HTTP port and to undici alone",
    takes: "15 min",
    files: ["test/undici/soak/answers.ts"],
    settings: { runs: "POSTRIDER_RUNS", seed: "POSTRIDER_SEED" },
  },
  "client-outages": {
    what: "outages of a server of up to a day, each wrong answer, with crashes, for a durable client in virtual time",
    takes: "minutes",
    files: ["test/client/soak/outages.ts"],
  },
  programs: {
    what: "the client by each bundler and test runner, in pages, workers and runtimes; prints what works, and the sizes",
    takes: "4 min",
    files: ["test/client/soak/programs.ts", "test/client/soak/workers.ts"],
    programs: ["bundlers", "runtimes"],
  },
  twice: {
    what: "100,000 requests to a receiver that answers twice, beside a plain pool of undici; none may get another's answer",
    takes: "10 min",
    files: ["test/undici/soak/twice.ts"],
    settings: { runs: "POSTRIDER_RUNS" },
  },
  tls: {
    what: "ten thousand handshakes",
    takes: "minutes",
    files: [`${HOSTILE}/tls.ts`],
  },
  client: {
    what: "100,000 calls of the calling library against a server that fails in every way",
    takes: "minutes",
    files: ["test/client/soak/hostile-server.ts"],
    settings: { runs: "POSTRIDER_CALLS", seed: "POSTRIDER_SEED" },
  },
  contracts: {
    what: "plays every case of the store's contract on every broken store",
    takes: "15 min",
    files: ["test/contracts/soak/catches.ts"],
  },
  trace: {
    what: "records a real server under load, and replays what its ring holds at the end",
    takes: "10 min",
    files: ["test/trace/soak/incident.ts"],
    settings: { minutes: "TRACE_MINUTES" },
  },
  mutation: {
    what: "changes decisions of a package on purpose, 300 unless told, or the SQL of PostgreSQL for `sql`: the tests must notice",
    takes: "up to an hour",
    files: [],
    part: "PACKAGE",
    settings: { runs: "MUTATION_MUTANTS", seed: "MUTATION_SEED" },
  },
};

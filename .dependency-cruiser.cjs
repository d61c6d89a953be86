// Which package may import which, and which of the folders that have a separate entry. Of packages, the same is declared in each
// package.json and in each tsconfig, and test/house/arrows.test.ts checks that the three are equal. All arrows point inward, to core.

const ENTRIES = "^packages/[^/]+/src/(index|cli|file-store/store-thread|[a-z-]+/index)[.]ts$";

/** Folders that know less than the rest of their package, or more: each has an entry, by which others import it. */
const FOLDERS = ["relay/settings", "relay/metrics", "relay/trace", "http/ingest", "http/api", "sqlite/file-store"];

/** Which packages and folders may know which, and why no more than these. */
const arrows = [
  arrow(
    "core",
    [],
    "Core decides. It imports no other package, so that each of them can import it without a further dependency.",
  ),
  arrow(
    "relay/settings",
    ["core"],
    "Settings turn unknown JSON into core's types; where it came from and where it goes is not their business.",
  ),
  arrow(
    "relay",
    ["core", "relay/settings"],
    "Relay conducts through ports: it knows no store, no HTTP client and no clock by name.",
  ),
  arrow("system", ["core"], "System implements two ports of core over the platform, and nothing else."),
  arrow("fetch", ["core"], "An adapter knows the port that it implements, and no other package."),
  arrow("undici", ["core"], "An adapter knows the port that it implements, and no other package."),
  arrow("memory", ["core"], "An adapter knows the ports that it implements, and no other package."),
  arrow("sqlite", ["core"], "An adapter knows the port that it implements, and no other package."),
  arrow("postgres", ["core"], "An adapter knows the ports that it implements, and no other package."),
  arrow(
    "thread",
    ["core"],
    "It carries the storage ports and the HTTP port to another thread, whatever implements them there.",
  ),
  arrow(
    "sqlite/file-store",
    ["core", "sqlite", "system", "thread"],
    "A file is durable by its store, by the thread that it is in, and by what guards its log: this joins the three, by the platform's clock.",
  ),
  arrow(
    "client",
    ["core", "system"],
    "The calling library goes wherever callers are: it takes along core's batching and the platform's clock, no server.",
  ),
  arrow("http", ["core"], "The HTTP kit serves any handler: it does not know what is asked, or what answers."),
  arrow(
    "http/ingest",
    ["core", "relay/settings", "relay", "http"],
    "Ingest is a front over a relay: it does not know how calls are stored or delivered.",
  ),
  arrow(
    "http/api",
    ["core", "relay/settings", "relay", "http"],
    "The API is a front over a relay, too: it does not know how calls come in.",
  ),
  arrow(
    "console",
    ["core", "http", "http/api"],
    "The console is a page over the API: it knows who looks and what they may, and not what is behind the API.",
  ),
  arrow("testkit", ["core"], "Testkit proves adapters, so it knows the ports and none of what fills them."),
  arrow("relay/trace", ["core"], "A trace has what crosses the ports; the relay that runs on them is the caller's."),
  arrow(
    "relay/metrics",
    ["core", "relay"],
    "Metrics count the events of a relay, which they know by their types: they start none and serve nothing.",
  ),
  arrow(
    "simulator",
    ["core", "relay/settings", "relay", "memory"],
    "The simulator runs the real relay on ports in memory, and plays what a scenario file declares: no real store or clock.",
  ),
  arrow(
    "postrider",
    [
      "core",
      "relay/settings",
      "relay",
      "system",
      "undici",
      "memory",
      "sqlite/file-store",
      "postgres",
      "thread",
      "http",
      "http/ingest",
      "http/api",
      "console",
      "relay/trace",
      "relay/metrics",
      "simulator",
    ],
    "Postrider wires what serves, and loads the simulator where it is installed. Fetch is for other runtimes.",
  ),
];

/** Which parts of postrider may know which. What lies in src itself are its two entries, which no part imports. */
const parts = [
  part("timing", [], "Waiting and slicing serve any work: they do not know what is waited for."),
  part("log", [], "The log writes what it is given: what is worth a line is decided by its callers."),
  part("config", ["timing"], "A config is read and checked without a server, and by any program."),
  part(
    "metrics",
    ["timing"],
    "Metrics of the program are read from what they are given: they do not know what serves them.",
  ),
  part(
    "assembly",
    ["config", "log", "metrics", "timing"],
    "Relay, ports and handlers are put together without a listening socket.",
  ),
  part(
    "server",
    ["assembly", "config", "log", "metrics", "timing"],
    "A host program runs the server too, and has no command line.",
  ),
  part(
    "embed",
    ["assembly", "config", "log", "metrics", "timing"],
    "A host delivers from its process: no socket listens here, and no command line is known.",
  ),
];

/** Third parties, and the packages that are their only homes. */
const homes = [
  home(["io-ts", "fp-ts"], ["relay/settings"], "Codecs are one way to write decoders: no other code has to know it."),
  home(
    ["neverthrow"],
    ["relay", "client"],
    "Results are how relay and client answer; those who ask only match on what they are handed.",
  ),
  home(
    ["undici", "ipaddr.js"],
    ["undici"],
    "Pools, dialling and the vetting of addresses are the undici adapter's own.",
  ),
  home(["fast-check"], ["testkit"], "Arbitraries are made for tests."),
  home(
    ["@photostructure/sqlite"],
    ["sqlite/file-store"],
    "The store takes the shape of a database; who opens a file by its path picks a driver.",
  ),
  home(["commander"], ["postrider"], "Only the program has a command line."),
];

/** Packages and folders that run on any JavaScript runtime. */
const portable = [
  "core",
  "relay",
  "relay/settings",
  "relay/metrics",
  "system",
  "fetch",
  "memory",
  "sqlite",
  "thread",
  "client",
  "simulator",
];

module.exports = {
  forbidden: [
    ...arrows,
    ...parts,
    ...homes,
    {
      name: "postrider-entry-knows-no-command-line",
      comment: "A host program imports the server by the index, without the commands.",
      severity: "error",
      from: { path: "^packages/postrider/src/index[.]ts$" },
      to: { path: "^packages/postrider/src/cli" },
    },
    {
      name: "commander-only-in-the-command-line",
      comment: "Options and arguments are read by the commands: a server and its config know no command line.",
      severity: "error",
      from: { path: "^packages/postrider/", pathNot: "^packages/postrider/src/cli/" },
      to: { path: "(^|node_modules/)commander(/|$)" },
    },
    {
      name: "simulator-only-when-asked",
      comment: "A server is installed without the simulator: the program imports it once a scenario is to be played.",
      severity: "error",
      from: { path: "^packages/postrider/" },
      to: { path: "^(packages|@postrider)/simulator(/|$)", dependencyTypesNot: ["dynamic-import", "type-only"] },
    },
    {
      name: "only-types-in-metrics",
      comment:
        "Counting needs no code of others: an observer is loaded without the relay, in a program that only shows numbers.",
      severity: "error",
      from: { path: pathsOf("relay/metrics") },
      to: {
        path: "^(packages|@postrider)/(core|relay)(/|$)",
        pathNot: pathsOf("relay/metrics"),
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-cycle",
      comment: "Files that need each other belong in one file, or their shared part into a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-deep-import",
      comment: "A package is entered by its exports: its index, or a subpath that it names.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/",
        pathNot: [
          "^packages/$1/",
          "^packages/[^/]+/dist/index[.]",
          "^packages/(core|http|relay|simulator|sqlite|testkit)/dist/[a-z-]+/index[.]",
        ],
      },
    },
    ...FOLDERS.flatMap(entries),
    {
      name: "portable-packages-know-no-runtime",
      comment: "These packages run on any JavaScript runtime. Core signs, and may ask node:crypto where it does.",
      severity: "error",
      from: {
        path: portable.map(pathsOf),
        pathNot: "^packages/core/src/request/(sign|verify)-[a-z0-9-]+[.]ts$",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "no-unknown-module",
      comment: "An import that cannot be resolved here cannot be resolved by a user either.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-undeclared-dependency",
      comment: "A package declares its imports in its package.json, not in devDependencies.",
      severity: "error",
      from: {},
      // An optional peer is also in devDependencies, and otherwise counts as undeclared.
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["npm-peer"] },
    },
    {
      name: "no-test-in-a-package",
      comment: "Tests may import packages; packages may not import tests.",
      severity: "error",
      from: { path: "^packages/" },
      to: { path: "^test/" },
    },
    {
      name: "no-dead-file",
      comment: "A file that no entry of its package imports has no use.",
      severity: "error",
      from: { path: ENTRIES },
      to: { path: "^packages/[^/]+/src/", pathNot: [ENTRIES, "[.]d[.]ts$"], reachable: false },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/dist/"] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};

function arrow(from, to, comment) {
  return {
    name: `${from}-knows-${to.length === 0 ? "no-other" : ["only", ...to].join("-")}`,
    comment,
    severity: "error",
    from: { path: pathsOf(from) },
    to: { path: "^(packages/|@postrider/|postrider$)", pathNot: [from, ...to].map(pathsOf) },
  };
}

/** The files of a package without those of its folders above, or those of one of these folders. */
function pathsOf(name) {
  const [one, folder] = name.split("/");
  if (folder !== undefined) return `^packages/${one}/(src|dist)/${folder}/`;
  const others = FOLDERS.filter((other) => other.startsWith(`${one}/`)).map((other) => other.split("/")[1]);
  return others.length === 0 ? `^packages/${one}/` : `^packages/${one}/(?!(src|dist)/(${others.join("|")})/)`;
}

/** A folder and the rest of its package import each other by their entries only. */
function entries(name) {
  const [one, folder] = name.split("/");
  const [inside, all] = [`^packages/${one}/src/${folder}/`, `^packages/${one}/src/`];
  return [
    {
      name: `${name}-by-its-entry`,
      comment: "Files outside a folder with an entry know what the entry names, as other packages do.",
      severity: "error",
      from: { path: all, pathNot: inside },
      to: { path: inside, pathNot: `${inside}index[.]ts$` },
    },
    {
      name: `${name}-by-entries-of-others`,
      comment: "A folder with an entry knows the rest of its package by entries, as other packages do.",
      severity: "error",
      from: { path: inside },
      to: { path: all, pathNot: [inside, `${all}index[.]ts$`, `${all}[a-z-]+/index[.]ts$`] },
    },
  ];
}

function part(name, known, comment) {
  return {
    name: `postrider-${name}-knows-${known.length === 0 ? "nothing" : ["only", ...known].join("-")}`,
    comment,
    severity: "error",
    from: { path: `^packages/postrider/src/${name}/` },
    to: {
      path: "^packages/postrider/src/",
      pathNot: [name, ...known].map((other) => `^packages/postrider/src/${other}/`),
    },
  };
}

function home(modules, owners, comment) {
  return {
    name: `${modules.join("-and-").replace(/[@/]/g, "")}-only-in-${owners.join("-")}`,
    comment,
    severity: "error",
    from: { path: "^packages/", pathNot: owners.map(pathsOf) },
    to: { path: modules.map((name) => `(^|node_modules/)${name.replaceAll(".", "[.]")}(/|$)`) },
  };
}

// Machines with their files, their name server and their addresses, each with a host to reach, and which receiver is meant. The
// quick test resolves and chooses; `npm run soak -- names` plays each in a network namespace, beside curl.

import type { Said } from "./dns-server.js";

/** Who listens at an address. `it`: the receiver that is meant. */
export type Listener = "it" | "inside" | "stranger";

export interface NameSetUp {
  readonly what: string;
  readonly host: string;
  readonly hosts?: string;
  /** Without lines for name servers. */
  readonly resolvConf?: string;
  readonly nsswitch?: string;
  readonly dns?: Readonly<Record<string, Said>>;
  /** The name servers of the machine, in order. One that is `gone` refuses, one that is `silent` never answers. */
  readonly servers?: readonly ("answers" | "gone" | "silent")[];
  readonly allow?: readonly string[];
  /** The machine is connected to these addresses and to no other. At `nothing`, connections are refused. */
  readonly listeners: Readonly<Record<string, Listener | "nothing">>;
  /** Which listener curl gets, and which a delivery: by the policy none, where it is forbidden. */
  readonly curl: Listener | "none";
  readonly delivery: Listener | "none";
}

const PARTNER = "hooks.partner.com";
const PUBLIC = "93.184.216.34";
const PUBLIC_SIX = "2606:2800:220:1::1";
const TRANSLATED = "64:ff9b::5db8:d822";
const INSIDE = "10.96.0.5";
const KUBERNETES = "search dev.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n";
const DEBIAN = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n";
const LOOPBACK = ["127.0.0.0/8"];

const a = (...addresses: readonly string[]): Said => ({ kind: "addresses", a: addresses });
const aaaa = (...addresses: readonly string[]): Said => ({ kind: "addresses", aaaa: addresses });
const both = (four: readonly string[], six: readonly string[]): Said => ({ kind: "addresses", a: four, aaaa: six });
const refusing = (...addresses: readonly string[]) =>
  Object.fromEntries(addresses.map((one) => [one, "nothing"] as const));
const eight = Array.from({ length: 8 }, (_, index) => `93.184.216.${String(50 + index)}`);
const eleven = Array.from({ length: 11 }, (_, index) => `93.184.216.${String(50 + index)}`);
const reached = { curl: "it", delivery: "it" } as const;

export const NAME_SET_UPS: readonly NameSetUp[] = [
  { what: "A alone", host: PARTNER, dns: { [PARTNER]: a(PUBLIC) }, listeners: { [PUBLIC]: "it" }, ...reached },
  {
    what: "AAAA alone",
    host: PARTNER,
    dns: { [PARTNER]: aaaa(PUBLIC_SIX) },
    listeners: { [PUBLIC_SIX]: "it" },
    ...reached,
  },
  {
    what: "both families",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [PUBLIC_SIX]) },
    listeners: { [PUBLIC]: "it", [PUBLIC_SIX]: "it" },
    ...reached,
  },
  {
    what: "an alias of an alias",
    host: PARTNER,
    dns: { [PARTNER]: { kind: "aliases", names: ["lb.partner.com", "lb.cloud.example"], a: [PUBLIC] } },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "DNS64 on a machine with both families",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [TRANSLATED]) },
    listeners: { [PUBLIC]: "it", [TRANSLATED]: "it" },
    ...reached,
  },
  {
    what: "DNS64 on a machine with IPv6 alone",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [TRANSLATED]) },
    listeners: { [TRANSLATED]: "it" },
    ...reached,
  },
  {
    what: "DNS64 that hides the A record",
    host: PARTNER,
    dns: { [PARTNER]: aaaa(TRANSLATED) },
    listeners: { [TRANSLATED]: "it" },
    ...reached,
  },
  {
    what: "DNS64 for a private address",
    host: PARTNER,
    dns: { [PARTNER]: both(["10.0.0.5"], ["64:ff9b::a00:5"]) },
    listeners: { "64:ff9b::a00:5": "inside" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "DNS64 for a private address that is allowed",
    host: PARTNER,
    dns: { [PARTNER]: both(["10.0.0.5"], ["64:ff9b::a00:5"]) },
    allow: ["10.0.0.0/8"],
    listeners: { "64:ff9b::a00:5": "it" },
    ...reached,
  },
  {
    what: "DNS64 for the metadata of a cloud, all of IPv4 allowed",
    host: PARTNER,
    dns: { [PARTNER]: aaaa("64:ff9b::a9fe:a9fe") },
    allow: ["0.0.0.0/0"],
    listeners: { "64:ff9b::a9fe:a9fe": "inside" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "NAT64 under the prefix for local use",
    host: PARTNER,
    dns: { [PARTNER]: aaaa("64:ff9b:1::5db8:d822") },
    listeners: { "64:ff9b:1::5db8:d822": "inside" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "a service of Kubernetes whose name is also one of the public internet",
    host: "orders.dev",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE), "orders.dev": a(PUBLIC) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "it", [PUBLIC]: "stranger" },
    ...reached,
  },
  {
    what: "a service of Kubernetes that is not allowed",
    host: "orders.dev",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE), "orders.dev": a(PUBLIC) },
    listeners: { [INSIDE]: "inside", [PUBLIC]: "stranger" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "a service of Kubernetes by its full name",
    host: "orders.dev.svc.cluster.local",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "it" },
    ...reached,
  },
  {
    what: "a public receiver from Kubernetes",
    host: PARTNER,
    resolvConf: KUBERNETES,
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a name of one label with a search list",
    host: "orders",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "it" },
    ...reached,
  },
  {
    what: "a service of compose, of one label and no search list",
    host: "orders",
    resolvConf: "options ndots:0\n",
    dns: { orders: a("172.18.0.3") },
    allow: ["172.16.0.0/12"],
    listeners: { "172.18.0.3": "it" },
    ...reached,
  },
  {
    what: "a name with a dot at its end",
    host: "orders.dev.",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE), "orders.dev": a(PUBLIC) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "inside", [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a search list after the name as it is",
    host: "hooks.eu",
    resolvConf: "search corp.example\n",
    dns: { "hooks.eu.corp.example": a("10.0.0.5") },
    allow: ["10.0.0.0/8"],
    listeners: { "10.0.0.5": "it" },
    ...reached,
  },
  {
    what: "a domain of the search list that has the name without an address",
    host: PARTNER,
    resolvConf: KUBERNETES,
    dns: { [`${PARTNER}.cluster.local`]: a(), [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a domain of the search list whose server fails",
    host: PARTNER,
    resolvConf: "search lan\noptions ndots:5\n",
    dns: { [`${PARTNER}.lan`]: { kind: "fails" }, [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a wildcard in a domain of the search list, which the system follows",
    host: PARTNER,
    resolvConf: "search corp.example\noptions ndots:5\n",
    dns: { [`${PARTNER}.corp.example`]: a("93.184.216.99"), [PARTNER]: a(PUBLIC) },
    listeners: { "93.184.216.99": "inside", [PUBLIC]: "it" },
    curl: "inside",
    delivery: "inside",
  },
  {
    what: "a wildcard in a domain of the search list, and a host with a dot at its end",
    host: `${PARTNER}.`,
    resolvConf: "search corp.example\noptions ndots:5\n",
    dns: { [`${PARTNER}.corp.example`]: a("93.184.216.99"), [PARTNER]: a(PUBLIC) },
    listeners: { "93.184.216.99": "inside", [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "localhost of one family in /etc/hosts",
    host: "localhost",
    hosts: "127.0.0.1 localhost\n",
    allow: LOOPBACK,
    listeners: { "127.0.0.1": "it" },
    ...reached,
  },
  {
    what: "/etc/hosts before DNS",
    host: PARTNER,
    hosts: `${DEBIAN}10.96.0.5\tstaging Hooks.Partner.com # for tests\n`,
    dns: { [PARTNER]: a(PUBLIC) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "it", [PUBLIC]: "stranger" },
    ...reached,
  },
  {
    what: "/etc/hosts with an address that is not allowed",
    host: PARTNER,
    hosts: `${DEBIAN}10.96.0.5 ${PARTNER}\n`,
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [INSIDE]: "inside", [PUBLIC]: "stranger" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "/etc/hosts before the search list",
    host: "orders.dev",
    hosts: "10.96.0.9 orders.dev\n",
    resolvConf: KUBERNETES,
    dns: { "orders.dev.svc.cluster.local": a(INSIDE) },
    allow: ["10.96.0.0/12"],
    listeners: { [INSIDE]: "stranger", "10.96.0.9": "it" },
    ...reached,
  },
  {
    what: "/etc/hosts with several lines for a name",
    host: PARTNER,
    hosts: `93.184.216.50 ${PARTNER}\n93.184.216.51 ${PARTNER}\n`,
    listeners: { "93.184.216.50": "nothing", "93.184.216.51": "it" },
    ...reached,
  },
  {
    what: "nsswitch.conf with DNS first",
    host: PARTNER,
    hosts: `10.96.0.5 ${PARTNER}\n`,
    nsswitch: "hosts: dns files\n",
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [INSIDE]: "inside", [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "nsswitch.conf with files alone",
    host: PARTNER,
    nsswitch: "hosts: files\n",
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "stranger" },
    curl: "none",
    delivery: "none",
  },
  {
    what: "nsswitch.conf with multicast DNS",
    host: PARTNER,
    nsswitch: "hosts: files mdns4_minimal [NOTFOUND=return] dns\n",
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a name of multicast DNS that /etc/hosts has",
    host: "printer.local",
    hosts: "192.168.7.7 printer.local\n",
    allow: ["192.168.0.0/16"],
    listeners: { "192.168.7.7": "it" },
    ...reached,
  },
  {
    what: "eight A and one AAAA on a machine with IPv6 alone",
    host: PARTNER,
    dns: { [PARTNER]: both(eight, [PUBLIC_SIX]) },
    listeners: { [PUBLIC_SIX]: "it" },
    ...reached,
  },
  {
    what: "nine addresses, of which eight refuse",
    host: PARTNER,
    dns: { [PARTNER]: a(...eight, PUBLIC) },
    listeners: { ...refusing(...eight), [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "twelve addresses, of which eleven refuse",
    host: PARTNER,
    dns: { [PARTNER]: a(...eleven, PUBLIC) },
    listeners: { ...refusing(...eleven), [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a family that refuses beside one that answers",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [PUBLIC_SIX]) },
    listeners: { [PUBLIC]: "nothing", [PUBLIC_SIX]: "it" },
    ...reached,
  },
  {
    what: "a family that is not connected beside one that answers",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [PUBLIC_SIX]) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "localhost of both families, 127.0.0.0/8 allowed",
    host: "localhost",
    hosts: DEBIAN,
    allow: LOOPBACK,
    listeners: { "127.0.0.1": "it" },
    ...reached,
  },
  {
    what: "localhost with a receiver on ::1 alone, which is not allowed",
    host: "localhost",
    hosts: DEBIAN,
    allow: LOOPBACK,
    listeners: { "::1": "it" },
    curl: "it",
    delivery: "none",
  },
  {
    what: "localhost with both allowed",
    host: "localhost",
    hosts: DEBIAN,
    allow: [...LOOPBACK, "::1"],
    listeners: { "::1": "it" },
    ...reached,
  },
  {
    what: "localhost that no file has, and a server that has another",
    host: "localhost",
    dns: { localhost: a(PUBLIC) },
    allow: LOOPBACK,
    listeners: { "127.0.0.1": "it", [PUBLIC]: "stranger" },
    ...reached,
  },
  {
    what: "localhost that is not allowed",
    host: "localhost",
    hosts: DEBIAN,
    listeners: { "127.0.0.1": "inside" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "an allowed address behind a forbidden one",
    host: "host.docker.internal",
    dns: { "host.docker.internal": both(["192.168.65.254"], ["fdc4:f303:9324::254"]) },
    allow: ["192.168.65.0/24"],
    listeners: { "192.168.65.254": "it" },
    ...reached,
  },
  {
    what: "a forbidden address that answers beside an allowed one that does not",
    host: PARTNER,
    dns: { [PARTNER]: a("10.0.0.5", "169.254.169.254") },
    allow: ["10.0.0.0/8"],
    listeners: { "10.0.0.5": "nothing", "169.254.169.254": "inside" },
    curl: "inside",
    delivery: "none",
  },
  {
    what: "a public address that answers beside an allowed one that does not",
    host: "hooks.corp.example",
    dns: { "hooks.corp.example": both(["10.0.0.5"], [PUBLIC_SIX]) },
    allow: ["10.0.0.0/8"],
    listeners: { "10.0.0.5": "nothing", [PUBLIC_SIX]: "stranger" },
    curl: "stranger",
    delivery: "none",
  },
  {
    what: "public addresses, one of which is also in allow",
    host: PARTNER,
    dns: { [PARTNER]: both([PUBLIC], [PUBLIC_SIX]) },
    allow: [PUBLIC],
    listeners: { [PUBLIC_SIX]: "it" },
    ...reached,
  },
  {
    what: "a forbidden address beside a public one, and nothing allowed",
    host: PARTNER,
    dns: { [PARTNER]: a(PUBLIC, "10.0.0.5") },
    listeners: { [PUBLIC]: "it", "10.0.0.5": "nothing" },
    curl: "it",
    delivery: "none",
  },
  {
    what: "a resolver that is gone, and a name in /etc/hosts",
    host: PARTNER,
    hosts: `93.184.216.34 ${PARTNER}\n`,
    servers: ["gone"],
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a resolver that is gone, and another",
    host: PARTNER,
    servers: ["gone", "answers"],
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "resolvers that are all gone",
    host: PARTNER,
    servers: ["gone"],
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    curl: "none",
    delivery: "none",
  },
  {
    what: "a resolver that is silent, and another",
    host: PARTNER,
    servers: ["silent", "answers"],
    dns: { [PARTNER]: a(PUBLIC) },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a server that fails for AAAA",
    host: PARTNER,
    dns: { [PARTNER]: { kind: "addresses", a: [PUBLIC], fails: "AAAA" } },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
  {
    what: "a server that never answers about AAAA",
    host: PARTNER,
    dns: { [PARTNER]: { kind: "addresses", a: [PUBLIC], hangs: "AAAA" } },
    listeners: { [PUBLIC]: "it" },
    ...reached,
  },
];

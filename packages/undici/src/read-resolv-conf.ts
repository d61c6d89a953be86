// Reads /etc/resolv.conf, and decides as which names a host is asked of DNS: as it is, and under each domain of the search
// list, in the order of the system.

import { isIP } from "node:net";
import {
  DNS_TRIES,
  DNS_TRY_MS,
  MAX_DNS_TRIES,
  MAX_DNS_TRY_MS,
  MAX_NAME_LENGTH,
  MAX_NAME_SERVERS,
  MAX_NDOTS,
  MAX_SEARCH_DOMAINS,
} from "./limits.js";
import { wordsOfLines } from "./words-of-lines.js";

export interface ResolvConf {
  /** Addresses of name servers. If there are none, the platform chooses. */
  readonly servers: readonly string[];
  readonly search: readonly string[];
  /** How many dots a name has at least that is asked as it is before the search list is. */
  readonly ndots: number;
  /** How long a server has to answer the first query. */
  readonly tryMs: number;
  /** How often each server is asked. */
  readonly tries: number;
}

/** Without a search list, the domain of this machine's `hostname` is searched, if it has one. */
export function readResolvConf(text: string, hostname: string): ResolvConf {
  const lines = wordsOfLines(text);
  const servers = lines.flatMap(([word, server = ""]) => (word === "nameserver" && isIP(server) !== 0 ? [server] : []));
  const options = new Map(lines.flatMap(([word, ...given]) => (word === "options" ? given.map(readOption) : [])));
  const [, ...listed] = lines.findLast(([word]) => word === "search" || word === "domain") ?? ["", domainOf(hostname)];
  const search = listed.map((domain) => domain.replace(/^\.|\.$/g, "")).filter((domain) => domain !== "");
  return {
    // An address of a link (`fe80::1%eth0`) is one that only the platform can ask.
    servers: servers.some((server) => server.includes("%")) ? [] : servers.slice(0, MAX_NAME_SERVERS),
    search: search.slice(0, MAX_SEARCH_DOMAINS),
    ndots: Math.min(options.get("ndots") ?? 1, MAX_NDOTS),
    tryMs: between(1_000, (options.get("timeout") ?? DNS_TRY_MS / 1_000) * 1_000, MAX_DNS_TRY_MS),
    tries: between(1, options.get("attempts") ?? DNS_TRIES, MAX_DNS_TRIES),
  };
}

/** The names to ask DNS for, in order. A host that ends with a dot is asked as it is, and under no domain. */
export function namesToAsk(host: string, { search, ndots }: ResolvConf): readonly string[] {
  if (host.endsWith(".")) return [host];
  const under = search.map((domain) => `${host}.${domain}`);
  const names = host.split(".").length > ndots ? [host, ...under] : [...under, host];
  return names.filter((name) => name.length <= MAX_NAME_LENGTH);
}

function readOption(option: string): readonly [name: string, value: number | undefined] {
  const [name = "", value = ""] = option.split(":");
  return [name, /^\d{1,6}$/.test(value) ? Number(value) : undefined];
}

function domainOf(hostname: string): string {
  return hostname.split(".").slice(1).join(".");
}

function between(min: number, value: number, max: number): number {
  return Math.min(Math.max(min, value), max);
}

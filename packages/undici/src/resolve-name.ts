// Resolves names; a name that is never answered does not delay others (decision: name look-ups). DNS is asked directly, over
// sockets. The system's resolver, which also reads files and search lists, blocks one of Node's few threads. So it is used
// only for names that DNS does not know or that have no dot, and by few look-ups at a time.

import { lookup, Resolver } from "node:dns/promises";
import { DNS_TRIES, DNS_TRY_MS, MAX_SYSTEM_LOOKUPS, MAX_WAITING_LOOKUPS } from "./limits.js";
import { createWorkLimit } from "./gate.js";

/** The addresses of a name, as text. If it has none, rejects with the resolver's `code`, or resolves with an empty list. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export interface Resolvers {
  readonly askDns: ResolveName;
  readonly askSystem: ResolveName;
}

const NOT_IN_DNS: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Creates a resolver from these two, or from those of Node. Look-ups of one name at the same time share the answer. */
export function createResolveName(
  { askDns, askSystem }: Resolvers = { askDns: createAskDns(), askSystem: lookUp },
): ResolveName {
  const gate = createWorkLimit(MAX_SYSTEM_LOOKUPS, MAX_WAITING_LOOKUPS);
  const underWay = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const shared = underWay.get(host) ?? resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, shared);
    return shared;
  };

  async function resolve(host: string): Promise<readonly string[]> {
    const local = (): Promise<readonly string[]> => gate(() => askSystem(host));
    // A name without a dot is not a public name.
    if (!host.replace(/\.$/, "").includes(".")) return local();
    try {
      return await askDns(host);
    } catch (error) {
      if (isUnknown(error)) return local();
      throw error;
    }
  }
}

/**
 * Asks DNS for IPv4 and IPv6 addresses. `servers`, such as `127.0.0.1:53`, are asked in place of the servers of the
 * system.
 */
export function createAskDns(servers?: readonly string[]): ResolveName {
  return async (host) => {
    // A new resolver for each look-up: it reads which servers the system uses now, and is freed with its queries.
    const resolver = new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    throw failures.find((failure) => !isUnknown(failure)) ?? failures[0];
  };
}

async function lookUp(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && NOT_IN_DNS.has(error.code);
}

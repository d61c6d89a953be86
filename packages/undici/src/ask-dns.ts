// Asks name servers for the addresses of a name, over sockets, which block no thread. Must not know the system's files.

import type { Clock } from "@postrider/core";
import { Resolver } from "node:dns/promises";
import { OTHER_FAMILY_MS } from "./limits.js";
import type { ResolvConf } from "./read-resolv-conf.js";

/** Which servers are asked, how often and for how long. */
export type DnsSettings = Pick<ResolvConf, "servers" | "tryMs" | "tries">;

/** The addresses of exactly this name. Rejects with the `code` of DNS if there are none. */
export type AskDns = (name: string, settings: DnsSettings) => Promise<readonly string[]>;

const UNKNOWN: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Whether DNS says that a name does not exist or has no address; otherwise DNS did not say anything about it. */
export function isUnknownName(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNKNOWN.has(error.code);
}

/** Asks for both families at once. `servers`, such as `127.0.0.1:53`, are asked in place of those of the settings. */
export function createAskDns(clock: Pick<Clock, "after">, servers?: readonly string[]): AskDns {
  return async (name, settings) => {
    // A new resolver for each look-up, which is freed with its queries.
    const resolver = new Resolver({ timeout: settings.tryMs, tries: settings.tries });
    const asked = servers ?? settings.servers;
    if (asked.length > 0) resolver.setServers(asked);
    let cancelWait = (): void => undefined;
    // Some servers never answer about a family that they do not know: one that has addresses does not wait long for the other.
    const waitForOther = (found: readonly string[]): readonly string[] => {
      cancelWait();
      cancelWait = clock.after(OTHER_FAMILY_MS, () => resolver.cancel());
      return found;
    };
    const answers = await Promise.allSettled([
      resolver.resolve4(name).then(waitForOther),
      resolver.resolve6(name).then(waitForOther),
    ]);
    cancelWait();
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    throw failures.find((failure) => !isUnknownName(failure)) ?? failures[0];
  };
}

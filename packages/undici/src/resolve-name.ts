// Resolves names as the system would, from the same sources in the same order (decision: names and addresses): files, then DNS over
// sockets, so that a name that is never answered does not delay others. Asks the system's resolver only for the rest.

import type { Clock } from "@postrider/core";
import { Resolver } from "node:dns/promises";
import { type AskSystem, createAskSystem } from "./ask-system.js";
import { createReadNameFiles, type NameFiles, type NameSource, namesToAsk, type ResolvConf } from "./name-files.js";
import { OTHER_FAMILY_MS } from "./limits.js";

/** The addresses of a name, as text. If it has none, rejects with the resolver's `code`, or resolves with an empty list. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

export interface ResolveNameOptions {
  readonly clock: Clock;
  /** Reads the system's files. */
  readonly readFiles?: () => Promise<NameFiles>;
  readonly askDns?: AskDns;
  readonly askSystem?: AskSystem;
}

/** `localhost`, and names under it, always mean this machine (RFC 6761, §6.3). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;

const LOOPBACK: readonly string[] = ["127.0.0.1", "::1"];

/** A name of multicast DNS (RFC 6762), which has two labels. Names with more, as of Kubernetes, are names of DNS. */
const MULTICAST = /^[^.]+\.local\.?$/;

/** A server could not say whether the name exists. As the system does, further names of the search list are asked. */
const FAILING_SERVER: ReadonlySet<unknown> = new Set(["ESERVFAIL", "EREFUSED", "ENOTIMP"]);

/** Creates a resolver over this machine's files and servers. Look-ups of one name at the same time share the answer. */
export function createResolveName({
  clock,
  readFiles = createReadNameFiles(clock),
  askDns = createAskDns(clock),
  askSystem = createAskSystem(clock),
}: ResolveNameOptions): ResolveName {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const shared = underWay.get(host) ?? resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, shared);
    return shared;
  };

  async function resolve(host: string): Promise<readonly string[]> {
    const files = await readFiles();
    if (LOCALHOST.test(host)) return [...(files.hosts.get(host) ?? LOOPBACK)];
    let failure: unknown = unknownName();
    for (const source of MULTICAST.test(host) ? leaveToSystem(files.sources) : files.sources) {
      // If DNS has failed, the system would ask it once more.
      if (source === "system" && !isUnknownName(failure)) break;
      try {
        return await askSource(source, host, files);
      } catch (error) {
        failure = graverOf(failure, error);
      }
    }
    throw failure;
  }

  async function askSource(
    source: NameSource,
    host: string,
    { hosts, resolvConf }: NameFiles,
  ): Promise<readonly string[]> {
    const inFiles = hosts.get(host);
    switch (source) {
      case "files":
        if (inFiles === undefined) throw unknownName();
        return [...inFiles];
      case "dns":
        return askEach(namesToAsk(host, resolvConf), resolvConf);
      case "system":
        return askSystem(host).catch((error: unknown) => tellApart(error, namesToAsk(host, resolvConf), resolvConf));
    }
  }

  /** The system says "try again" of a broken domain and of a broken resolver; DNS tells the two apart. */
  async function tellApart(error: unknown, names: readonly string[], resolvConf: ResolvConf): Promise<never> {
    if (error instanceof Error && "code" in error && error.code === "EAI_AGAIN") await askEach(names, resolvConf);
    throw error;
  }

  /** The addresses of the first of these names that has any. A server that is silent ends the search. */
  async function askEach(names: readonly string[], resolvConf: ResolvConf): Promise<readonly string[]> {
    let failure: unknown = unknownName();
    for (const name of names) {
      if (!isUnknownName(failure) && !isOfFailingServer(failure)) break;
      try {
        return await askDns(name, resolvConf);
      } catch (error) {
        failure = graverOf(failure, error);
      }
    }
    throw failure;
  }
}

/** The sources of a name of multicast DNS: the system's resolver in place of DNS and of all that follow. */
function leaveToSystem(sources: readonly NameSource[]): readonly NameSource[] {
  const at = sources.findIndex((source) => source !== "files");
  return at === -1 ? sources : [...sources.slice(0, at), "system"];
}

/** The later of two failures, unless it says only that a name is unknown. */
function graverOf(earlier: unknown, later: unknown): unknown {
  return isUnknownName(later) ? earlier : later;
}

function unknownName(): Error {
  return Object.assign(new Error("unknown name"), { code: "ENOTFOUND" });
}

function isOfFailingServer(error: unknown): boolean {
  return error instanceof Error && "code" in error && FAILING_SERVER.has(error.code);
}

/** The servers that are asked, and the number and the length of the tries. */
type DnsSettings = Pick<ResolvConf, "servers" | "tryMs" | "tries">;

/** The addresses of exactly this name. Rejects with the `code` of DNS if there are none. */
export type AskDns = (name: string, settings: DnsSettings) => Promise<readonly string[]>;

const UNKNOWN: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** True if DNS says that a name does not exist or has no address; otherwise DNS did not say anything about it. */
function isUnknownName(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNKNOWN.has(error.code);
}

/** Asks for both families at once. `servers`, such as `127.0.0.1:53`, are asked in place of those of the settings. */
export function createAskDns(clock: Pick<Clock, "after">, servers?: readonly string[]): AskDns {
  return async (name, settings) => {
    // A new resolver for each look-up, which is freed with its queries.
    const resolver = new Resolver({ timeout: settings.tryMs, tries: settings.tries });
    const nameServers = servers ?? settings.servers;
    if (nameServers.length > 0) resolver.setServers(nameServers);
    let cancelWait = (): void => undefined;
    // Some servers never answer about a family that they do not know: one that has addresses does not wait long for the other.
    const waitForOther = (addresses: readonly string[]): readonly string[] => {
      cancelWait();
      cancelWait = clock.after(OTHER_FAMILY_MS, () => resolver.cancel());
      return addresses;
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

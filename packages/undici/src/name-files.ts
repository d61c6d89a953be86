// Reads the files by which the system resolves names (decision: names and addresses): hosts, resolv.conf and nsswitch.conf. A look-up
// reads them, at most every five seconds. A file that is missing or cannot be read counts as absent; of one that is too large, only the
// beginning counts.

import type { Clock } from "@postrider/core";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { hostname, platform } from "node:os";
import { isIP } from "node:net";
import {
  MAX_NAME_FILE_BYTES,
  NAME_FILES_AGE_MS,
  DNS_TRIES,
  DNS_TRY_MS,
  MAX_DNS_TRIES,
  MAX_DNS_TRY_MS,
  MAX_NAME_LENGTH,
  MAX_NAME_SERVERS,
  MAX_NDOTS,
  MAX_SEARCH_DOMAINS,
  MAX_NAME_FILE_LINES,
} from "./limits.js";

/** The paths of the files. */
interface NameFilePaths {
  readonly hosts: string;
  readonly resolvConf: string;
  readonly nsswitch: string;
}

/** The contents of the files. */
export interface NameFiles {
  readonly hosts: Hosts;
  readonly resolvConf: ResolvConf;
  /** The sources that are asked for a name, in order. */
  readonly sources: readonly NameSource[];
}

const SYSTEM_FILES: NameFilePaths = {
  hosts: "/etc/hosts",
  resolvConf: "/etc/resolv.conf",
  nsswitch: "/etc/nsswitch.conf",
};

/** Without room for a file, a name must not lead elsewhere: the look-up fails with this code, as a local fault. */
const OUT_OF_ROOM: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Returns a function that reads the files, or resolves with their contents of less than five seconds before. */
export function createReadNameFiles(
  clock: Pick<Clock, "monotonic">,
  paths: NameFilePaths = SYSTEM_FILES,
): () => Promise<NameFiles> {
  const hosts = createReadFile(paths.hosts, (text = "") => readHosts(text));
  const resolvConf = createReadFile(paths.resolvConf, (text = "") => readResolvConf(text, hostname()));
  const sources = createReadFile(paths.nsswitch, (text) => readNameSources(text, platform()));
  let latest: Promise<NameFiles> | undefined;
  let readAt = 0;
  return () => {
    const nowMs = clock.monotonic();
    if (latest !== undefined && nowMs - readAt < NAME_FILES_AGE_MS) return latest;
    readAt = nowMs;
    const files = readAll();
    files.catch(() => (latest = undefined));
    return (latest = files);
  };

  async function readAll(): Promise<NameFiles> {
    const contents = await Promise.all([hosts(), resolvConf(), sources()]);
    return { hosts: contents[0], resolvConf: contents[1], sources: contents[2] };
  }
}

/** Reads a file, and parses it if it has changed. The text is undefined if there is none. */
function createReadFile<T>(path: string, parse: (text: string | undefined) => T): () => Promise<T> {
  let cached: { readonly text: string | undefined; readonly value: T } | undefined;
  return async () => {
    const text = await readBeginning(path);
    if (cached === undefined || cached.text !== text) cached = { text, value: parse(text) };
    return cached.value;
  };
}

async function readBeginning(path: string): Promise<string | undefined> {
  try {
    // A pipe could block for ever.
    if (!(await stat(path)).isFile()) return undefined;
    const pieces: Buffer[] = [];
    for await (const piece of createReadStream(path, { end: MAX_NAME_FILE_BYTES - 1 })) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const text = bytes.toString();
    // The last line may be cut.
    return bytes.length < MAX_NAME_FILE_BYTES ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  } catch (error) {
    if (error instanceof Error && "code" in error && OUT_OF_ROOM.has(error.code)) throw error;
    return undefined;
  }
}

/** The addresses of names in small letters. */
type Hosts = ReadonlyMap<string, ReadonlySet<string>>;

export function readHosts(text: string): Hosts {
  const hosts = new Map<string, Set<string>>();
  for (const [address = "", ...names] of wordsOfLines(text)) {
    if (isIP(address) === 0) continue;
    for (const alias of names) {
      const name = alias.toLowerCase();
      hosts.set(name, (hosts.get(name) ?? new Set()).add(address));
    }
  }
  return hosts;
}

/** `system`: the system's resolver, for all other sources. */
export type NameSource = "files" | "dns" | "system";

const FILES_AND_DNS: readonly NameSource[] = ["files", "dns"];

/**
 * The sources, in order. The first that is neither files nor DNS, or has a condition (`[NOTFOUND=return]`), is `system` and
 * the last, since the system itself asks those that follow.
 */
export function readNameSources(text: string | undefined, platform: string): readonly NameSource[] {
  // Without the file, Linux asks files and DNS. Other systems have further ways: macOS asks the resolver of each domain.
  if (text === undefined) return platform === "linux" ? FILES_AND_DNS : ["system"];
  const [, ...words] = wordsOfLines(text.replace(/^(\s*hosts):/gm, "$1 ")).find(([word]) => word === "hosts") ?? [];
  const sources = words.map((word): NameSource => (word === "files" || word === "dns" ? word : "system"));
  const end = sources.indexOf("system");
  if (sources.length === 0) return FILES_AND_DNS;
  return end === -1 ? sources : sources.slice(0, end + 1);
}

export interface ResolvConf {
  /** Addresses of name servers. If there are none, the platform chooses. */
  readonly servers: readonly string[];
  readonly search: readonly string[];
  /** The least number of dots in a name that is asked as it is before the search list is. */
  readonly ndots: number;
  /** The time that a server has to answer the first query. */
  readonly tryMs: number;
  /** The number of queries to each server. */
  readonly tries: number;
}

/** Without a search list, the domain of this machine's `hostname` is searched, if it has one. */
export function readResolvConf(text: string, hostname: string): ResolvConf {
  const lines = wordsOfLines(text);
  const servers = lines.flatMap(([word, server = ""]) => (word === "nameserver" && isIP(server) !== 0 ? [server] : []));
  const options = new Map(lines.flatMap(([word, ...options]) => (word === "options" ? options.map(readOption) : [])));
  const [, ...domains] = lines.findLast(([word]) => word === "search" || word === "domain") ?? ["", domainOf(hostname)];
  const search = domains.map((domain) => domain.replace(/^\.|\.$/g, "")).filter((domain) => domain !== "");
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
  const qualified = search.map((domain) => `${host}.${domain}`);
  const names = host.split(".").length > ndots ? [host, ...qualified] : [...qualified, host];
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

/** The words of each line that has any. */
function wordsOfLines(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n", MAX_NAME_FILE_LINES);
  return lines.map((line) => line.replace(/[#;].*/, "").match(/\S+/g) ?? []).filter((words) => words.length > 0);
}

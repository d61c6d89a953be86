// Reads the files by which the system resolves names, at a look-up, at most every five seconds (decision: names and addresses).
// A file that is missing or cannot be read counts as absent; of one that is too large, only the beginning counts.

import type { Clock } from "@postrider/core";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { hostname, platform } from "node:os";
import { MAX_NAME_FILE_BYTES, NAME_FILES_AGE_MS } from "./limits.js";
import { type Hosts, readHosts } from "./read-hosts.js";
import { type NameSource, readNameSources } from "./read-name-sources.js";
import { type ResolvConf, readResolvConf } from "./read-resolv-conf.js";

/** Where the files are. */
export interface NameFilePaths {
  readonly hosts: string;
  readonly resolvConf: string;
  readonly nsswitch: string;
}

/** What the files say. */
export interface NameFiles {
  readonly hosts: Hosts;
  readonly resolvConf: ResolvConf;
  /** Which sources are asked for a name, in order. */
  readonly sources: readonly NameSource[];
}

const SYSTEM_FILES: NameFilePaths = {
  hosts: "/etc/hosts",
  resolvConf: "/etc/resolv.conf",
  nsswitch: "/etc/nsswitch.conf",
};

/** Without room for a file, a name must not lead elsewhere: the look-up fails with this code, as a local fault. */
const OUT_OF_ROOM: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Returns a function that reads the files, or resolves with what was read less than five seconds before. */
export function createReadNameFiles(
  clock: Pick<Clock, "monotonic">,
  paths: NameFilePaths = SYSTEM_FILES,
): () => Promise<NameFiles> {
  const hosts = createReadFile(paths.hosts, (text = "") => readHosts(text));
  const resolvConf = createReadFile(paths.resolvConf, (text = "") => readResolvConf(text, hostname()));
  const sources = createReadFile(paths.nsswitch, (text) => readNameSources(text, platform()));
  let read: Promise<NameFiles> | undefined;
  let readAt = 0;
  return () => {
    const now = clock.monotonic();
    if (read !== undefined && now - readAt < NAME_FILES_AGE_MS) return read;
    readAt = now;
    const begun = readAll();
    begun.catch(() => (read = undefined));
    return (read = begun);
  };

  async function readAll(): Promise<NameFiles> {
    const all = await Promise.all([hosts(), resolvConf(), sources()]);
    return { hosts: all[0], resolvConf: all[1], sources: all[2] };
  }
}

/** Reads a file, and parses it if it has changed. The text is undefined if there is none. */
function createReadFile<T>(path: string, parse: (text: string | undefined) => T): () => Promise<T> {
  let last: { readonly text: string | undefined; readonly value: T } | undefined;
  return async () => {
    const text = await readBeginning(path);
    if (last === undefined || last.text !== text) last = { text, value: parse(text) };
    return last.value;
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

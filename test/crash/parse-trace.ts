// Reads a log of strace: the changes that a process made to the files of a folder, byte for byte, together with its answers
// to calls and its requests, in order of time. Refuses a log with a system call that it cannot interpret, so that no write
// is missed.

import { basename, dirname } from "node:path";
import { unitOf } from "./sightings.js";

const TRACED =
  "openat,?open,?creat,close,write,pwrite64,writev,pwritev,?pwritev2,sendto,sendmsg," +
  "sendfile,?copy_file_range,fsync,fdatasync,ftruncate,truncate,fallocate,mmap," +
  "?unlink,unlinkat,?rename,?renameat,renameat2,?link,linkat";

/** The tracer and its options; after them come `-o`, a file, and the command. */
export const STRACE: readonly string[] =
  `strace -D -f --seccomp-bpf -qq -xx -s 200000 -e signal=none -e trace=${TRACED}`.split(" ");

/** A change of the disk. Files are named without their folder. */
export type DiskStep =
  | { readonly kind: "created"; readonly file: string }
  | { readonly kind: "removed"; readonly file: string }
  | { readonly kind: "written"; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "truncated"; readonly file: string; readonly size: number }
  | { readonly kind: "synced"; readonly file: string }
  | { readonly kind: "folder-synced" };

/** An event that is visible outside of the process. */
export type WorldStep =
  { readonly kind: "answered"; readonly messageId: string } | { readonly kind: "requested"; readonly unit: string };

export type Step = DiskStep | WorldStep;

/** The steps of one process and its threads. Shared memory (`-shm`) does not belong to the disk. */
export function parseTrace(log: string, folder: string): readonly Step[] {
  const files = new Map<string, string>();
  const requests = new Map<string, string>();
  return joinLines(log).flatMap((line) => {
    const call = parseCall(line);
    if (call === undefined || !/^(\d|0x)/.test(call.result)) return [];
    return stepsOf(call, { folder, files, requests });
  });
}

interface Call {
  readonly name: string;
  /** The text between the brackets, without strings. */
  readonly words: readonly string[];
  readonly strings: readonly Buffer[];
  readonly result: string;
}

interface Tables {
  readonly folder: string;
  /** The meaning of each descriptor of the folder and of its files. */
  readonly files: Map<string, string>;
  /** The path of the request that is being written on a descriptor. */
  readonly requests: Map<string, string>;
}

/** A call that another thread interrupts is logged in two parts. Its end decides its position. */
function joinLines(log: string): readonly string[] {
  const begun = new Map<string, string>();
  return log.split("\n").flatMap((line) => {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    if (text.endsWith("<unfinished ...>")) {
      begun.set(thread, text.slice(0, -" <unfinished ...>".length));
      return [];
    }
    return [resumed === null ? text : `${begun.get(thread) ?? ""}${resumed[1] ?? ""}`];
  });
}

/** The end of a thread, a call whose end strace did not see, and a call or an end of one that it could not read. */
const NO_CALL = /^(\+\+\+ .*|.* <detached \.\.\.>|\?\?\?\(\) += \?|<\.\.\. \?\?\? resumed>\) += \?)?$/;

function parseCall(line: string): Call | undefined {
  const [, name = "", inner = "", result = ""] = /^(\w+)\((.*)\) += (.*)$/.exec(line) ?? [];
  if (name === "" && !NO_CALL.test(line)) throw new Error(`not a line of strace: ${line.slice(0, 80)}`);
  if (name === "") return undefined;
  if (inner.includes('"...')) throw new Error(`cut short by strace: ${line.slice(0, 80)}`);
  const strings = [...inner.matchAll(/"([^"]*)"/g)].map(([, hex = ""]) =>
    Buffer.from(hex.replaceAll("\\x", ""), "hex"),
  );
  return { name, words: inner.replace(/"[^"]*"/g, '""').split(", "), strings, result };
}

function stepsOf(call: Call, tables: Tables): readonly Step[] {
  const [descriptor = ""] = call.words;
  const file = tables.files.get(descriptor);
  switch (call.name) {
    case "openat":
      return opened(call, tables);
    case "close":
      tables.files.delete(descriptor);
      tables.requests.delete(descriptor);
      return [];
    case "pwrite64":
      return file === undefined ? [] : [{ kind: "written", file, at: Number(call.words[3]), bytes: written(call) }];
    case "ftruncate":
      return file === undefined ? [] : [{ kind: "truncated", file, size: Number(call.words[1]) }];
    case "fsync":
    case "fdatasync":
      if (file === undefined) return [];
      return [file === "" ? { kind: "folder-synced" } : { kind: "synced", file }];
    case "unlink":
      return nameWithin(call.strings[0]!, tables).map((removed) => ({ kind: "removed", file: removed }));
    case "write":
    case "writev":
    case "sendto":
    case "sendmsg":
      if (file === undefined) return seenOutside(call, tables);
      break;
  }
  refuseUnknown(call, tables);
  return [];
}

/** A name is a file in the folder, "" is the folder itself; all other paths are ignored. */
function nameWithin(path: Buffer, { folder }: Tables): readonly string[] {
  const text = path.toString();
  if (text === folder) return [""];
  return dirname(text) === folder && !text.endsWith("-shm") ? [basename(text)] : [];
}

function opened({ words, strings, result }: Call, tables: Tables): readonly Step[] {
  const [name] = nameWithin(strings[0]!, tables);
  tables.files.delete(result);
  if (name === undefined) return [];
  tables.files.set(result, name);
  return words[2]!.includes("O_CREAT") ? [{ kind: "created", file: name }] : [];
}

function written({ strings, result }: Call): Buffer {
  return strings[0]!.subarray(0, Number(result));
}

/** Answers to callers and requests to receivers: text on a socket. */
function seenOutside({ words, strings }: Call, { requests }: Tables): readonly Step[] {
  const [descriptor = ""] = words;
  const text = Buffer.concat(strings).toString();
  const [, messageId] = /"messageId":"([^"]+)"/.exec(text) ?? [];
  const [, path] = /^POST \/(\w+) HTTP/.exec(text) ?? [];
  if (path !== undefined) requests.set(descriptor, path);
  if (messageId === undefined) return [];
  if (text.startsWith("HTTP/1.1 200 ")) return [{ kind: "answered", messageId }];
  const requested = requests.get(descriptor);
  if (requested === undefined) return [];
  requests.delete(descriptor);
  return [{ kind: "requested", unit: unitOf(requested, messageId) }];
}

/** All other ways to change a file of the folder. */
function refuseUnknown({ name, words, strings }: Call, tables: Tables): void {
  const isPrivate = name === "mmap" && !words[3]!.includes("MAP_SHARED");
  const descriptors = isPrivate ? [] : [words[0], words[2], words[4]];
  const touched = descriptors.map((word) => tables.files.get(word ?? "")).filter((file) => file !== undefined);
  const named = strings.flatMap((path) => nameWithin(path, tables));
  if (touched.length + named.length > 0)
    throw new Error(`${name} on ${[...touched, ...named].join(", ")}: not modelled`);
}

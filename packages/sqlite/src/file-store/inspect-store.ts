// Reports whether the stores of a file could be opened, without opening them: reads the file, its mark and its log, changes
// nothing and takes no lock, so that a server that uses the file is not disturbed. It cannot detect damage that only SQLite
// itself would notice.

import { FILE_HEADER_BYTES, inspectFileHeader } from "../index.js";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  readFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { loadDriver } from "./load-driver.js";
import { markOf, requireIntactWal } from "./mark-wal.js";
import { requireUsable, translatePathError } from "./open-database.js";
import { createOpenError, nameOpenError, type OpenError } from "./open-error.js";

/**
 * `new`: there is no file; it would be created. `closed`: no process uses it. `in-use`: a process uses it. `unclosed`: it was
 * not closed, as after a crash, or a process uses it: this system does not tell which.
 */
export type StoreFileState = "new" | "closed" | "in-use" | "unclosed";

/** A store file that could be opened. */
export interface InspectedStore {
  /** Shows if a process uses it. */
  readonly state: StoreFileState;
  /** True if it will be migrated when it is opened. */
  readonly isOlder: boolean;
  /** Bytes that are free on its disk. */
  readonly freeBytes: number;
  /** The last write to the file or its log, in milliseconds since 1970; absent if there is no file. */
  readonly writtenAt?: number;
}

/** `refused`: `openStores` would reject with this error. */
export type InspectStoreResult =
  { readonly kind: "ok"; readonly store: InspectedStore } | { readonly kind: "refused"; readonly error: OpenError };

/**
 * Inspects the file at `path`, relative to the working directory. The error is the one with which `openStores` would reject.
 * Where the system has no `/proc/locks`, a process that has the stores open itself must not call this.
 */
export function inspectStore(path: string): InspectStoreResult {
  try {
    return { kind: "ok", store: inspect(resolve(path)) };
  } catch (error) {
    return { kind: "refused", error: nameOpenError(path, error) };
  }
}

function inspect(file: string): InspectedStore {
  loadDriver();
  const folder = dirname(file);
  translatePathError(() => {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (existsSync(file)) requireUsable(file);
  });
  requireIntactWal(file);
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (!existsSync(file)) return { state: "new", isOlder: false, freeBytes };
  const writtenAt = Math.max(...[file, `${file}-wal`].map(writtenAtOf));
  const state = stateOf(file);
  // A process that uses the file has checked it; and if that is this process, closing a handle would release its locks.
  return { state, isOlder: state !== "in-use" && isOlder(file), freeBytes, writtenAt };
}

function stateOf(file: string): StoreFileState {
  const isUsed = isLocked(`${file}-shm`);
  if (isUsed === true) return "in-use";
  if (!existsSync(markOf(file))) return "closed";
  return "unclosed";
}

/** True if the store is of an older version. Throws an `OpenError` for a file that is no store, or is of a newer version. */
function isOlder(file: string): boolean {
  const header = inspectFileHeader(readHeader(file));
  switch (header.kind) {
    case "store":
      return !header.isCurrent;
    case "empty":
      return false;
    case "newer":
      throw createOpenError("unavailable", "it is of a newer version; start the Postrider that wrote it");
    case "foreign":
      throw createOpenError("unavailable", "it belongs to another program; name another file");
    case "no-database":
      throw createOpenError("corrupt", "it is not a database; name another file, or put back the right one");
  }
}

function readHeader(file: string): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  const handle = openSync(file, "r");
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, FILE_HEADER_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}

function writtenAtOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * True if a process has a lock on the file; undefined if this system does not tell. False also for a lock that this process may not see,
 * as from within a container.
 */
function isLocked(path: string): boolean | undefined {
  const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  if (inode === undefined) return false;
  try {
    // A row ends with `MAJOR:MINOR:INODE START END`.
    return new RegExp(`:${String(inode)} \\d+ (?:\\d+|EOF)$`, "m").test(readFileSync("/proc/locks", "utf8"));
  } catch {
    return undefined;
  }
}

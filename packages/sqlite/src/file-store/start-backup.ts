// Backs up a file of stores while servers use it: the copy is the state of one moment after the start, opens without a log, and is
// written in a folder apart. It gets its name only once it is complete, checked and on the disk, and replaces no file (decision:
// backups).

import { createRequire } from "node:module";
import { existsSync, closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { resolve, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BackupMessage, BackupThreadData } from "./backup-thread.js";
import { requireIntactWal } from "./mark-wal.js";
import { createOpenError, nameBackupError, codeOf, createPathError } from "./open-error.js";
import { sizeOfFile, syncFolderOf } from "./file-system.js";
import { pathProblemOf } from "./open-database.js";

/** The progress of a backup: it copies first, and then checks the copy. */
export interface BackupProgress {
  readonly phase: "copying" | "checking";
  /** The bytes that have been written. */
  readonly bytes: number;
  /** The bytes that the copy will have, about; 0 until that is known. */
  readonly ofBytes: number;
}

/** A backup that has begun. */
export interface Backup {
  /**
   * Resolves with the size of the copy in bytes, once the copy is complete, checked and on the disk. Rejects with an
   * `OpenError` otherwise; no copy is left then.
   */
  readonly done: Promise<number>;
  /** The progress of the backup. Reads the size of a file: a few times a second is enough. */
  progress(): BackupProgress;
  /**
   * Gives the backup up: removes the partial copy at once, and `done` rejects. Resolves once the thread has ended; the copying
   * cannot be interrupted, so that this may take as long as the rest of the copying.
   */
  stop(): Promise<void>;
}

/**
 * Copies the stores of the file at `path` to a new file at `copy`, in a thread. The copy has all that was committed before the
 * call, is readable only by its owner, and can be opened by `openStores`. `path` is neither changed nor locked, and may be in
 * use; its log grows until the copy is written. Until then it is in a folder beside `copy` whose name ends in
 * `.partial`. It is an error if `copy` exists.
 */
export function startBackup(path: string, copy: string): Backup {
  try {
    const file = resolve(path);
    requireSource(file);
    return runBackup(path, file, createPartialFile(resolve(copy)));
  } catch (error) {
    const failure = Promise.reject<number>(nameBackupError(path, error));
    return { done: handled(failure), progress: () => NOTHING_YET, stop: () => Promise.resolve() };
  }
}

const NOTHING_YET: BackupProgress = { phase: "copying", bytes: 0, ofBytes: 0 };

function requireSource(file: string): void {
  requireIntactWal(file);
  if (!existsSync(file)) throw createOpenError("path-unusable", "it does not exist");
}

function runBackup(path: string, file: string, partial: PartialFile): Backup {
  const thread = followThread(startThread({ file, copy: partial.path }));
  let isStopped = false;

  async function finish(): Promise<number> {
    try {
      await thread.ended;
      if (isStopped) throw new Error("it was stopped");
      const bytes = sizeOfFile(partial.path);
      partial.publish();
      return bytes;
    } catch (error) {
      throw nameBackupError(path, isStopped ? new Error("it was stopped") : error);
    } finally {
      partial.remove();
    }
  }

  const completion = handled(finish());
  return {
    done: completion,
    progress: () => ({ ...thread.progress(), bytes: sizeOfFile(partial.path) }),
    // The thread is not terminated: if a statement fails in a thread that is being terminated, a driver may end the process.
    stop: async () => {
      isStopped = true;
      partial.remove();
      await completion.catch(() => undefined);
    },
  };
}

interface FollowedThread {
  /** Resolves once the thread has ended and the copy is complete; rejects once it has ended otherwise. */
  readonly ended: Promise<void>;
  progress(): Omit<BackupProgress, "bytes">;
}

function followThread(thread: Worker): FollowedThread {
  let { phase, ofBytes } = NOTHING_YET;
  let fault: Error | undefined = new Error("its thread has ended before the copy was complete");
  thread.on("message", (message: BackupMessage) => {
    if (message.kind === "done") fault = undefined;
    else if (message.kind === "failed") fault = Object.assign(new Error(message.message), { code: message.code });
    else if (message.kind === "checking") phase = "checking";
    else ofBytes = message.bytes;
  });
  thread.once("error", (error) => (fault = error));
  const ended = new Promise<void>((resolve, reject) => {
    thread.once("exit", () => (fault === undefined ? resolve() : reject(fault)));
  });
  return { ended, progress: () => ({ phase, ofBytes }) };
}

function startThread(workerData: BackupThreadData): Worker {
  // The built file, and no options of the process: see `startThread` of open-stores.ts.
  const program = createRequire(import.meta.url).resolve("#backup-thread");
  return new Worker(program, { workerData, name: "backup", execArgv: [] });
}

/** The same promise; a host that does not wait for it is not ended by its rejection. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

interface PartialFile {
  /** The path to write to: an empty file, readable only by its owner. */
  readonly path: string;
  /** Gives the file its name, and syncs the folder. Throws an `OpenError` if another file has got that name. */
  publish(): void;
  /** Removes the folder and all in it, also while it is being written: nothing comes back. A published file stays. */
  remove(): void;
}

/** The number of times that a removal starts again because the writer has made a file meanwhile. */
const REMOVAL_RETRIES = 10;

let partialCount = 0;

/** Creates the partial file of `target`, an absolute path. Throws an `OpenError` if `target` exists or cannot be made. */
function createPartialFile(target: string): PartialFile {
  // Two backups of one process differ in the number. The folder of an ended process with the same id is replaced.
  const folder = `${target}.${String(process.pid)}-${String((partialCount += 1))}.partial`;
  const path = join(folder, "copy");
  const remove = (): void =>
    rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_RETRIES, retryDelay: 1 });
  if (existsSync(target)) throw takenError(target);
  try {
    remove();
    mkdirSync(folder, { mode: 0o700 });
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    throw createPathError(`${target} cannot be made: ${pathProblemOf(error)}`, error);
  }
  return {
    path,
    publish: () => {
      publish(path, target);
      syncFolderOf(target);
    },
    remove,
  };
}

/** A link fails if the name is taken, while a rename would replace that file; so a rename is used only where there are no links. */
function publish(path: string, target: string): void {
  try {
    linkSync(path, target);
    rmSync(path);
  } catch (error) {
    if (existsSync(target)) throw takenError(target);
    if (!NO_LINKS.has(codeOf(error))) throw error;
    renameSync(path, target);
  }
}

/** The codes of file systems that have no links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function takenError(target: string): Error {
  return createOpenError("path-unusable", `${target} exists already, and is not replaced: name another file`);
}

// Tells whether a process holds a lock on a file, by the kernel's list of locks. It takes no lock, so that it disturbs no
// process.

import { readFileSync, statSync } from "node:fs";

/** Undefined if this system does not tell. False also for a lock that this process may not see, as from within a container. */
export function isLocked(path: string): boolean | undefined {
  const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  if (inode === undefined) return false;
  try {
    // A row ends with `MAJOR:MINOR:INODE START END`.
    return new RegExp(`:${String(inode)} \\d+ (?:\\d+|EOF)$`, "m").test(readFileSync("/proc/locks", "utf8"));
  } catch {
    return undefined;
  }
}

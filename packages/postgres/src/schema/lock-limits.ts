// Bounds how long the functions that a process calls wait for a lock, so that the database gives up before the process does: a backend
// whose process has gone on would wait as long as the lock is held. What people wait for has a limit on its whole time instead.

import { LOCK_WAIT_MS } from "../connection/limits.js";

const CALLED = [
  "commit",
  "commit_usual",
  "claim",
  "end_lane",
  "pull_in",
  "sweep",
  "tend_leaves",
  "lanes",
  "lane_changes",
  "name_sources",
  "name_lanes",
  "open_deletion",
  "purge",
  "finish_deletion",
  "show_deletions",
  "beat",
  "write_board",
  "read_outbox",
  "append_members",
  "read_members",
  "erase_members",
  "drop_members",
];

export const LOCK_LIMITS: string = CALLED.map(
  (name) => `alter function ${name} set lock_timeout = ${String(LOCK_WAIT_MS)};`,
).join("\n");

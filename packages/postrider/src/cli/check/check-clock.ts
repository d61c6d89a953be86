// Looks for signs that the clock of this machine is wrong: an impossible date, a store that was written in the future, a clock
// that the system does not synchronise. Asks no server for the time.

import type { ServerSettings } from "@postrider/codec";
import { inspectStore } from "@postrider/sqlite-file";
import { execFile } from "node:child_process";
import type { Host } from "../host.js";
import type { CheckFinding } from "./check-finding.js";
import { CLOCK_LIMIT_MS, CLOCK_TOLERANCE_MS } from "./limits.js";

/** This code did not exist before 2026, so an earlier date is wrong. */
const EARLIEST_AT = Date.UTC(2026, 0, 1);

export async function checkClock(
  store: ServerSettings["store"],
  { clock }: Pick<Host, "clock">,
): Promise<readonly CheckFinding[]> {
  const now = clock.wall();
  const shown = `it is ${new Date(now).toISOString()} on this machine`;
  if (now < EARLIEST_AT) return [finding("fault", "clock-wrong", `${shown}, which is too early; set the clock`)];
  const writtenAt = writtenAtOf(store);
  if (writtenAt > now + CLOCK_TOLERANCE_MS) {
    const message = `${shown}, but the store was written at ${new Date(writtenAt).toISOString()}; set the clock`;
    return [finding("fault", "clock-wrong", message)];
  }
  return [judgeSynchronised(shown, await askSystem())];
}

function writtenAtOf(store: ServerSettings["store"]): number {
  const inspected = store.kind === "sqlite" ? inspectStore(store.path) : undefined;
  return inspected?.kind === "ok" ? Math.floor(inspected.store.writtenAt ?? 0) : 0;
}

/** Whether the system says that its clock is synchronised; undefined if it does not say. */
function askSystem(): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const words = ["show", "--property=NTPSynchronized", "--value"];
    execFile("timedatectl", words, { timeout: CLOCK_LIMIT_MS }, (error, stdout) => {
      resolve(error === null ? stdout.trim() === "yes" : undefined);
    });
  });
}

function judgeSynchronised(shown: string, isSynchronised: boolean | undefined): CheckFinding {
  if (isSynchronised === true) return finding("ok", "clock-synchronised", `${shown}; the clock is synchronised`);
  if (isSynchronised === undefined) {
    return finding("note", "clock-unknown", `${shown}; this system does not say whether its clock is synchronised`);
  }
  return {
    ...finding("warning", "clock-free", `${shown}; the clock is not synchronised`),
    change: "run an NTP client",
  };
}

function finding(kind: CheckFinding["kind"], code: string, message: string): CheckFinding {
  return { kind, code, path: "clock", message };
}

// Waits until a sync on the server has ended, and shows its progress.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { ApiAccess } from "../requests/ask-api.js";
import { askUntil } from "../requests/ask-until.js";
import type { ExitCode, Host } from "../host.js";
import { counted } from "../format-count.js";
import { reportInWords } from "./audience-in-words.js";
import type { ProgressDisplay } from "../progress-display.js";

export interface SyncWait {
  readonly host: Host;
  readonly access: ApiAccess;
  readonly key: string;
  /** The number of the sync. */
  readonly sync: number;
  readonly show: ProgressDisplay;
}

export async function awaitSync(wait: SyncWait): Promise<ExitCode> {
  const { host, key, show } = wait;
  const report = await reportOf(wait);
  show.clear();
  if (report === undefined) {
    host.err(
      `postrider: the server no longer answers; the sync is stored, and the server finishes it: see postrider audience list`,
    );
    return 1;
  }
  host.out(`${key}: ${reportInWords(report)}`);
  return 0;
}

function reportOf({ host, access, key, sync, show }: SyncWait): Promise<JsonObject | undefined> {
  return askUntil(host, access, `/api/audiences/${encodeURIComponent(key)}`, ({ running, last }) => {
    if (isPlainObject(last) && Number(last["sync"]) >= sync) return last;
    if (isPlainObject(running)) showRunning(show, running);
    return undefined;
  });
}

function showRunning(show: ProgressDisplay, { phase, done, total, entered, departed, changed }: JsonObject): void {
  const note = `${counted(Number(entered) + Number(departed) + Number(changed), "change")} so far`;
  const doing = `${String(phase)}, compared`;
  show.show(
    typeof total === "number" ? { doing, done: Number(done), total, note } : { doing, done: Number(done ?? 0), note },
  );
}

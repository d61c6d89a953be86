// Waits until a sync on the server has ended. Keeps asking if the server does not answer for a while, as in a restart.

import type { JsonObject } from "@postrider/core";
import { isPlainObject, pauseFor } from "@postrider/core/engine";
import { type ApiAccess, askApi } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { counted } from "../format-count.js";
import { reportInWords } from "./audience-in-words.js";
import type { ProgressDisplay } from "../progress-display.js";

const ASK_EVERY_MS = 500;
/** Waiting ends after this many requests in a row without an answer, which take a minute or more. */
const MAX_UNANSWERED = 120;

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

/** Undefined if the server has not answered for `MAX_UNANSWERED` requests in a row. */
async function reportOf({ host, access, key, sync, show }: SyncWait): Promise<JsonObject | undefined> {
  let unanswered = 0;
  while (unanswered < MAX_UNANSWERED) {
    const audience = await ask(host, access, key);
    unanswered = audience === undefined ? unanswered + 1 : 0;
    const { running, last } = audience ?? {};
    if (isPlainObject(last) && Number(last["sync"]) >= sync) return last;
    if (isPlainObject(running)) showRunning(show, running);
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
  return undefined;
}

async function ask(host: Host, access: ApiAccess, key: string): Promise<JsonObject | undefined> {
  const posted = await askApi(host, access, { method: "GET", path: `/api/audiences/${encodeURIComponent(key)}` });
  return posted.kind === "answered" && posted.status === 200 ? parseObject(posted.text) : undefined;
}

function showRunning(show: ProgressDisplay, { phase, done, total, entered, departed, changed }: JsonObject): void {
  const note = `${counted(Number(entered) + Number(departed) + Number(changed), "change")} so far`;
  const doing = `${String(phase)}, compared`;
  show.show(
    typeof total === "number" ? { doing, done: Number(done), total, note } : { doing, done: Number(done ?? 0), note },
  );
}

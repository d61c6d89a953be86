// Waits until a sync has ended that goes on by itself. A server that is away for a while, as in a restart, is asked again.

import { isPlainObject, type JsonObject } from "@postrider/core";
import { type ApiAccess, askApi } from "../requests/ask-api.js";
import type { ExitCode, Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { inDigits } from "../in-digits.js";
import { reportInWords } from "./audience-in-words.js";
import { pause } from "../../timing/pause.js";
import type { ShowProgress } from "../show-progress.js";

const ASK_EVERY_MS = 500;
/** Questions without an answer in a row, before we go: a minute and more. */
const MAX_SILENCE = 120;

export interface Awaited {
  readonly host: Host;
  readonly access: ApiAccess;
  readonly key: string;
  /** The number of the sync. */
  readonly sync: number;
  readonly show: ShowProgress;
}

export async function awaitSync(awaited: Awaited): Promise<ExitCode> {
  const { host, key, show } = awaited;
  const report = await reportOf(awaited);
  show.clear();
  if (report === undefined) {
    host.err(`postrider: no answer any more; the sync is safe and goes on with the server: postrider audience list`);
    return 1;
  }
  host.out(`${key}: ${reportInWords(report)}`);
  return 0;
}

async function reportOf(awaited: Awaited): Promise<JsonObject | undefined> {
  const { host, access, key, sync, show } = awaited;
  for (let silence = 0; silence < MAX_SILENCE; silence += 1) {
    const audience = await ask(host, access, key);
    if (audience === undefined) {
      await pause(host.clock, ASK_EVERY_MS);
      continue;
    }
    silence = -1;
    const { running, last } = audience;
    if (isPlainObject(last) && Number(last["sync"]) >= sync) return last;
    if (isPlainObject(running)) showRunning(show, running);
    await pause(host.clock, ASK_EVERY_MS);
  }
  return undefined;
}

async function ask(host: Host, access: ApiAccess, key: string): Promise<JsonObject | undefined> {
  const posted = await askApi(host, access, { method: "GET", path: `/api/audiences/${encodeURIComponent(key)}` });
  return posted.kind === "answered" && posted.status === 200 ? parseObject(posted.text) : undefined;
}

function showRunning(show: ShowProgress, { phase, done, total, entered, departed, changed }: JsonObject): void {
  const note = `${inDigits(Number(entered) + Number(departed) + Number(changed))} changes so far`;
  const doing = `${String(phase)}, compared`;
  show.show(
    typeof total === "number" ? { doing, done: Number(done), total, note } : { doing, done: Number(done ?? 0), note },
  );
}

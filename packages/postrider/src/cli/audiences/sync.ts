// The sync of an audience with a server: uploads a list of members that may be longer than memory, waits until the server has
// sorted it, and writes audiences and the reports of their syncs as text.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { countOf, formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import type { ProgressDisplay } from "../progress-display.js";
import { type ApiAccess, askUntil, type SendResult } from "../requests/ask-api.js";
import { faultInWords } from "../requests/fault-in-words.js";

const LINE_FEED = 10;

interface Upload {
  readonly url: string;
  /** The whole Authorization header. */
  readonly authorization: string;
  readonly contentType: string;
  /** The number of members that would leave the audience, as the operator has confirmed it. */
  readonly confirmRemove?: number;
  /** If it throws, the upload ends and changes nothing. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends the upload with backpressure, and without a time limit, since it may last for hours; fetch would set one. If the server
 * answers before the end of the body, the rest is not sent. Never rejects: an unreachable server is a result too.
 */
export function upload({ url, authorization, contentType, confirmRemove, body }: Upload): Promise<SendResult> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise<SendResult>((resolve, reject) => {
    const confirmation = confirmRemove === undefined ? {} : { "x-confirm-remove": String(confirmRemove) };
    const headers = { authorization, "content-type": contentType, ...confirmation };
    const request = send(url, { method: "POST", headers });
    request.on("error", reject);
    request.on("response", (response) => {
      // Errors of the rest of the body do not matter any more.
      request.off("error", reject).on("error", () => undefined);
      readAll(response)
        .then((text) => resolve({ kind: "answered", status: response.statusCode ?? 0, text }), reject)
        .finally(() => request.destroy());
    });
    pipeline(Readable.from(body), request).catch(() => undefined);
  }).catch((error: unknown) => ({ kind: "unreachable", reason: `no answer from ${url}: ${faultInWords(error)}` }));
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response as AsyncIterable<string>) text += piece;
  return text;
}

/** The counts so far. The object is changed as bytes pass. */
export interface LineCount {
  lines: number;
  bytes: number;
  isDone: boolean;
}

export function createLineCount(): LineCount {
  return { lines: 0, bytes: 0, isDone: false };
}

/** Passes the chunks on unchanged, and adds to `count`. */
export async function* countLines(
  chunks: AsyncIterable<Uint8Array>,
  count: LineCount,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) count.lines += 1;
    yield chunk;
  }
  count.isDone = true;
}

interface SyncWait {
  readonly host: Host;
  readonly access: ApiAccess;
  readonly key: string;
  /** The number of the sync. */
  readonly sync: number;
  readonly display: ProgressDisplay;
}

/** Waits until the sync has ended, and shows its progress. */
export async function awaitSync(wait: SyncWait): Promise<ExitCode> {
  const { host, key, display } = wait;
  const report = await reportOf(wait);
  display.clear();
  if (report === undefined) {
    host.err(
      `postrider: the server no longer answers; the sync is stored, and the server finishes it: see postrider audience list`,
    );
    return 1;
  }
  host.out(`${key}: ${reportInWords(report)}`);
  return 0;
}

function reportOf({ host, access, key, sync, display }: SyncWait): Promise<JsonObject | undefined> {
  return askUntil(host, access, `/api/audiences/${encodeURIComponent(key)}`, ({ running, last }) => {
    if (isPlainObject(last) && Number(last["sync"]) >= sync) return last;
    if (isPlainObject(running)) showRunning(display, running);
    return undefined;
  });
}

function showRunning(display: ProgressDisplay, { phase, done, total, entered, departed, changed }: JsonObject): void {
  const note = `${countOf(Number(entered) + Number(departed) + Number(changed), "change")} so far`;
  const doing = `${String(phase)}, compared`;
  display.show(
    typeof total === "number" ? { doing, done: Number(done), total, note } : { doing, done: Number(done ?? 0), note },
  );
}

/** `big_spenders: sync 2: 3 members, 1 entered, 0 departed, 0 changed; tells crm, mail`, and the progress of a sync. */
export function audienceInWords(audience: JsonObject): string {
  const { key, running, last, destinations } = audience;
  const tells = `tells ${(destinations as readonly string[]).join(", ")}`;
  return [`${String(key)}: ${lastInWords(last)}`, tells, ...runningInWords(running)].join("; ");
}

/** `sync 2: 3 members, 1 entered, 0 departed, 0 changed` */
function reportInWords(report: JsonObject): string {
  const { sync, members, entered, departed, changed } = report;
  const counts = [
    countOf(members, "member"),
    `${formatCount(entered)} entered`,
    `${formatCount(departed)} departed`,
    `${formatCount(changed)} changed`,
  ];
  return `sync ${String(sync)}: ${counts.join(", ")}`;
}

function lastInWords(last: unknown): string {
  return isPlainObject(last) ? reportInWords(last) : "never synced";
}

function runningInWords(running: unknown): readonly string[] {
  if (!isPlainObject(running)) return [];
  const { sync, phase, done, total } = running;
  return [`sync ${String(sync)} is ${String(phase)}, ${formatCount(done)} of ${formatCount(total)} done`];
}

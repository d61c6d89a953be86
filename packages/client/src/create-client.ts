// The calling library: takes calls, queues them, and sends them in batches. core decides what a batch is and when it is
// sent (spec, client library); this file carries that out.

import {
  type BatchSettings,
  type CallKind,
  type CallRefused,
  checkOptions,
  CLIENT_CLOSED,
  createOptionsError,
  explainRefusal,
  type Objection,
  QUEUE_FULL,
  writeCall,
} from "@postrider/core/batch";
import type { CallResult, Client, ClientOptions, CloseReport } from "./client.js";
import { createDispatch } from "./create-dispatch.js";
import { createCallTracker, type FlushReport, type PendingCall } from "./create-call-tracker.js";
import { createOutcomes } from "./create-outcomes.js";
import { createNextStamp } from "./create-stamps.js";
import { createSender } from "./create-sender.js";
import { createLogger } from "./logger.js";
import type { FailedCall, FailReason } from "./outcome.js";
import { platformOf } from "./platform.js";
import { createPostBatch } from "./post-batch.js";
import { unknownOptions } from "./unknown-options.js";

/**
 * Creates a client for the source with this write key.
 *
 * @throws TypeError with every problem if options are invalid, so that such a mistake is seen when the program starts
 */
export function createClient(writeKey: string, options: ClientOptions): Client {
  const settings = settingsOf(writeKey, options);
  const platform = platformOf(options);
  const { clock } = platform;
  const logger = createLogger(options.logger);
  const nextStamp = createNextStamp(clock, platform.random);
  const outcomes = createOutcomes(options, logger);
  const tracker = createCallTracker(settings.maxQueued);
  const post = createPostBatch({ ...platform, ...settings, writeKey, isGzipped: options.gzip === true });
  const sender = createSender({ ...platform, post, settings, logger, onDelivered, onFailed });
  const dispatch = createDispatch({ settings, clock, send: (calls) => sender.send(calls) });
  const undelivered: FailedCall[] = [];
  let isClosed = false;
  let closing: Promise<CloseReport> | undefined;

  function call(type: CallKind, input: unknown): CallResult {
    if (isClosed) return refuse(CLIENT_CLOSED);
    const written = writeCall(type, input, nextStamp());
    if (written.kind === "refused") return refuse(explainRefusal(written.refusal));
    if (!tracker.hasRoom(written.call.bytes)) return refuse(QUEUE_FULL);
    options.onQueued?.(written.call);
    dispatch.add(tracker.add(written.call));
    return { kind: "ok", messageId: written.call.messageId };
  }

  function refuse(refused: CallRefused): CallResult {
    logger.log("warning", { code: "call-refused", detail: refused.code });
    return { kind: "refused", ...refused };
  }

  function onDelivered(pending: PendingCall): void {
    tracker.end(pending, true);
    outcomes.delivered(pending);
  }

  function onFailed(pending: PendingCall, reason: FailReason, { code, message }: Objection): void {
    const { messageId, type, json } = pending;
    const failed: FailedCall = { messageId, type, reason, code, message, json };
    if (isClosed) undelivered.push(failed);
    tracker.end(pending, false);
    outcomes.failed(failed);
  }

  function flush(timeoutMs: number | undefined): Promise<FlushReport> {
    const { ended, stop } = tracker.awaitPending();
    dispatch.flushBefore(tracker.nextSequence());
    if (timeoutMs === undefined) return platform.keepProcessUp(ended);
    const cancel = clock.after(timeoutMs, stop);
    return platform.keepProcessUp(ended.finally(cancel));
  }

  async function close(): Promise<CloseReport> {
    isClosed = true;
    tracker.releaseWaiters();
    await flush(settings.closeTimeoutMs);
    for (const pending of [...sender.abandon(), ...dispatch.drain()]) onFailed(pending, "closed", CLIENT_CLOSED);
    outcomes.end();
    logger.log("debug", { code: "closed", calls: undelivered.length });
    return { undelivered };
  }

  return {
    identify: (input) => call("identify", input),
    track: (input) => call("track", input),
    page: (input) => call("page", input),
    screen: (input) => call("screen", input),
    group: (input) => call("group", input),
    alias: (input) => call("alias", input),
    flush: (limit) => flush(limit?.timeoutMs),
    ready: () => (settings.whenFull === "wait" ? platform.keepProcessUp(tracker.awaitRoom()) : Promise.resolve()),
    outcomes: () => outcomes.listen(),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await (closing ??= close());
    },
  };
}

function settingsOf(writeKey: string, options: ClientOptions): BatchSettings {
  const checked = checkOptions(writeKey, options);
  const unknown = unknownOptions(options);
  if (checked.kind === "ok" && unknown.length === 0) return checked.settings;
  const known = checked.kind === "refused" ? checked.problems : [];
  throw createOptionsError("createClient", [...known, ...unknown]);
}

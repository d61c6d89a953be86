// The parts of a client, put together: calls are written and queued, sent in batches, and reported as delivered or failed. core decides the
// content and the time of a batch (spec, client library); this file carries that out.

import {
  type CallKind,
  type CallRefused,
  CLIENT_CLOSED,
  explainRefusal,
  type Objection,
  QUEUE_FULL,
  type SerializedCall,
  writeCall,
} from "@postrider/core/batch";
import type { Caller, CallerParts } from "./caller.js";
import type { CallResult, Client, ClientOptions, CloseReport } from "./client.js";
import { createCallTracker, type FlushReport, type PendingCall } from "./create-call-tracker.js";
import { createDispatch } from "./create-dispatch.js";
import { createOutcomes } from "./create-outcomes.js";
import { createNextStamp } from "./create-stamps.js";
import { FLUSH_TIMEOUT_MS } from "./limits.js";
import { createLogger } from "./logger.js";
import type { FailedCall, FailReason } from "./outcome.js";
import { platformOf } from "./platform.js";
import { createPostBatch } from "./post-batch.js";
import { sendOnLeave } from "./send-on-leave.js";
import { clientSettings } from "./client-settings.js";

/** Puts a client together; throws a TypeError with every problem if options are invalid. */
export function createCaller(writeKey: string, options: ClientOptions, parts: CallerParts): Caller {
  const settings = clientSettings(writeKey, options, parts.without);
  const platform = platformOf(options);
  const logger = createLogger(options.logger);
  const nextStamp = createNextStamp(platform.clock, platform.random);
  const outcomes = createOutcomes(options, logger);
  const tracker = createCallTracker(settings.maxQueued);
  const sender = parts.createSender({
    ...platform,
    post: createPostBatch({ ...platform, ...settings, writeKey, isGzipped: options.gzip === true }),
    settings,
    logger,
    onDelivered,
    onFailed,
  });
  const dispatch = createDispatch({ ...platform, settings, send: (calls, onDone) => sender.send(calls, onDone) });
  const undelivered: FailedCall[] = [];
  const stopSendingOnLeave = sendOnLeave({ ...platform, settings, writeKey, tracker, dispatch });
  /** `shut` and `closed` refuse new calls; `closed` also notes the calls that fail, for the report of `close`. */
  let state: "open" | "shut" | "closed" = "open";
  let closing: Promise<CloseReport> | undefined;

  function call(type: CallKind, input: unknown): CallResult {
    const result = writeCall(type, input, nextStamp());
    if (result.kind === "refused") return refuse({ type, messageId: "", json: "" }, explainRefusal(result.refusal));
    if (state !== "open") return refuse(result.call, CLIENT_CLOSED);
    const place = parts.placeOf(result.call, tracker.hasRoom(result.call.bytes));
    if (place === "nowhere") return refuse(result.call, QUEUE_FULL);
    if (place === "queue") dispatch.add(tracker.add(result.call));
    return { kind: "ok", messageId: result.call.messageId };
  }

  function refuse({ type, messageId, json }: Omit<SerializedCall, "bytes">, refused: CallRefused): CallResult {
    const { code, message } = refused;
    logger.log("warning", { code: "call-refused", detail: code });
    outcomes.refused({ messageId, type, reason: "not-queued", code, message, json });
    return { kind: "refused", ...refused };
  }

  function onDelivered(pending: PendingCall): void {
    tracker.end(pending, true);
    if (parts.onEnd(pending.messageId, undefined)) outcomes.delivered(pending);
  }

  function onFailed(pending: PendingCall, reason: FailReason, { code, message }: Objection): void {
    const { messageId, type, json } = pending;
    const failed: FailedCall = { messageId, type, reason, code, message, json };
    if (state === "closed") undelivered.push(failed);
    tracker.end(pending, false);
    if (parts.onEnd(messageId, reason)) outcomes.failed(failed);
  }

  async function flush(timeoutMs: number): Promise<FlushReport> {
    platform.clock.look();
    const { ended, stop } = tracker.awaitPending();
    dispatch.flushBefore(tracker.nextSequence());
    await platform.clock.attend(ended, timeoutMs);
    stop();
    return ended;
  }

  async function close(): Promise<CloseReport> {
    state = "closed";
    tracker.releaseWaiters();
    await flush(settings.closeTimeoutMs);
    sender.abandon();
    for (const pending of dispatch.drain()) onFailed(pending, "closed", CLIENT_CLOSED);
    stopSendingOnLeave();
    outcomes.end();
    logger.log("debug", { code: "closed", calls: undelivered.length });
    return { undelivered };
  }

  const client: Client = {
    identify: (input) => call("identify", input),
    track: (input) => call("track", input),
    page: (input) => call("page", input),
    screen: (input) => call("screen", input),
    group: (input) => call("group", input),
    alias: (input) => call("alias", input),
    flush: ({ timeoutMs = FLUSH_TIMEOUT_MS } = {}) => flush(timeoutMs),
    ready: () =>
      settings.whenFull === "wait" ? platform.clock.attend(tracker.awaitRoom(), Infinity) : Promise.resolve(),
    outcomes: () => outcomes.listen(),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await (closing ??= close());
    },
  };

  return {
    client,
    clock: platform.clock,
    logger,
    tellFailed: (failed) => outcomes.failed(failed),
    shut: () => {
      state = "shut";
    },
    adopt: (call) => {
      if (state === "closed" || !tracker.hasRoom(call.bytes)) return false;
      dispatch.add(tracker.add(call));
      return true;
    },
  };
}

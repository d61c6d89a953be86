// A client with a storage: each call is stored until the server has taken it or rejects it by name. Calls that an earlier process left, and
// calls without room in memory, are queued as soon as there is room. A call that the server had already taken is sent a second time, and
// deduplicated by its messageId.

import type { Cancel } from "@postrider/core";
import { CLIENT_CLOSED, DEFAULT_BATCH_SETTINGS, type SerializedCall } from "@postrider/core/batch";
import type { CloseReport } from "../client.js";
import { createCaller } from "../create-caller.js";
import type { FlushReport } from "../create-call-tracker.js";
import { FLUSH_TIMEOUT_MS, SET_ASIDE_RETRY_MS } from "../limits.js";
import type { FailedCall, FailReason } from "../outcome.js";
import { createCallPlaces } from "./create-call-places.js";
import { createKeptSender } from "./create-kept-sender.js";
import { createLoader } from "./create-loader.js";
import { createStorageAccess } from "./create-storage-access.js";
import type { DurableClient, DurableClientOptions } from "./durable-client.js";
import { flushAll } from "./flush-all.js";

/**
 * Creates a client that stores its calls in `storage`. A call ends when the server has taken it, or rejects it by name; all other
 * answers, and none, are followed by another try. `flush` also sends what an earlier client left. `flush` and `close` wait until the
 * storage is up to date. Calls that `close` reports as `closed`, and calls that had no room, stay in the storage for the next client.
 *
 * @throws TypeError if options are invalid, as `createClient` does
 */
export function createDurableClient(writeKey: string, { storage, ...options }: DurableClientOptions): DurableClient {
  const places = createCallPlaces();
  let retryAside: Cancel | undefined;
  let isClosing = false;

  const caller = createCaller(writeKey, options, {
    createSender: (sender) => createKeptSender(sender, ({ messageId }) => places.holdBack(messageId)),
    placeOf,
    onEnd,
    without: "maxRetries",
  });
  const { client, clock, logger } = caller;
  const access = createStorageAccess({ storage, clock, logger, onForgotten: () => loader.lookAgain() });
  const loader = createLoader({
    access,
    clock,
    logger,
    leave,
    isKnown: (messageId) => places.isKnown(messageId),
    adopt: (call) => {
      const isAdopted = caller.adopt(call);
      if (isAdopted) places.enterMemory(call.messageId);
      return isAdopted;
    },
  });
  storage.watch?.(() => loader.lookAgain());

  /** Calls keep their order: while some are only in the storage, further ones go there too, unless it takes no more. */
  function placeOf(call: SerializedCall, hasRoom: boolean): "queue" | "storage" | "nowhere" {
    const isQueued = hasRoom && (!loader.holdsBack() || !access.takesMore());
    if (access.stored() >= storage.maxCalls || (!isQueued && !access.takesMore())) return "nowhere";
    access.keep(call, !places.isKnown(call.messageId));
    places.resume(call.messageId);
    if (isQueued) places.enterMemory(call.messageId);
    else loader.fallBehind(call.messageId);
    return isQueued ? "queue" : "storage";
  }

  function onEnd(messageId: string, reason: FailReason | undefined): boolean {
    if (reason === "closed") return !places.isTold(messageId);
    const isNews = places.leaveMemory(messageId, reason);
    if (reason === "set-aside") leave(messageId);
    else if (!places.isKnown(messageId)) access.drop(messageId);
    // Calls that were held back while the server refused all may be sent once it takes one.
    if (reason === undefined && places.returnHeldBack()) loader.lookAgain();
    loader.retry();
    return isNews;
  }

  function leave(messageId: string): void {
    places.setAside(messageId);
    if (isClosing) return;
    retryAside ??= clock.after(SET_ASIDE_RETRY_MS, () => {
      retryAside = undefined;
      places.returnAll();
      loader.lookAgain();
    });
  }

  /** The calls that are only in the storage, and are to be sent. */
  function unread(): number {
    return loader.isBehind() ? Math.max(0, access.stored() - places.inMemory() - places.aside()) : 0;
  }

  async function flush({
    timeoutMs = FLUSH_TIMEOUT_MS,
  }: { readonly timeoutMs?: number | undefined } = {}): Promise<FlushReport> {
    const until = clock.monotonic() + timeoutMs;
    const flushed = await flushAll({ client, loader, clock }, until);
    await clock.attend(access.written(), until - clock.monotonic());
    return { ...flushed, pending: flushed.pending + unread() };
  }

  async function close(): Promise<CloseReport> {
    isClosing = true;
    caller.shut();
    const closeTimeoutMs = options.closeTimeoutMs ?? DEFAULT_BATCH_SETTINGS.closeTimeoutMs;
    await clock.attend(loader.settled(), closeTimeoutMs);
    loader.stop();
    retryAside?.();
    const { undelivered } = await client.close();
    await clock.attend(access.written(), closeTimeoutMs);
    access.stop();
    const remaining = Math.max(0, access.stored() - places.inMemory());
    if (remaining > 0) logger.log("warning", { code: "calls-left", calls: remaining });
    // Calls that are neither in memory nor in the storage are reported to the host.
    const { code, message } = CLIENT_CLOSED;
    const lostCalls = access.unwritten().filter(({ messageId }) => !places.isKnown(messageId));
    const failures = lostCalls.map((call): FailedCall => ({ ...call, reason: "closed", code, message }));
    for (const call of failures) caller.tellFailed(call);
    return { undelivered: [...undelivered, ...failures] };
  }

  let closing: Promise<CloseReport> | undefined;
  return {
    ...client,
    kept: () => access.written(),
    backlog: () => ({ calls: access.stored(), inMemory: places.inMemory(), setAside: places.aside() }),
    flush,
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await (closing ??= close());
    },
  };
}

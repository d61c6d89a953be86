// A client with a storage: each call is stored until the server has taken it or rejects it by name. What an earlier process left,
// and what had no room in memory, is queued as soon as there is room. A call that the server had already taken is sent a second
// time, and deduplicated by its messageId.

import type { Cancel } from "@postrider/core";
import type { CloseReport } from "../client.js";
import type { CallerParts } from "../caller.js";
import { createCaller } from "../create-caller.js";
import type { FlushReport } from "../create-call-tracker.js";
import { FLUSH_TIMEOUT_MS, SET_ASIDE_RETRY_MS } from "../limits.js";
import { createLogger } from "../logger.js";
import { createKeptSender } from "./create-kept-sender.js";
import { createLoader } from "./create-loader.js";
import { createStorageAccess } from "./create-storage-access.js";
import type { DurableClient, DurableClientOptions } from "./durable-client.js";
import { flushAll } from "./flush-all.js";
import { refuseRetries } from "./refuse-retries.js";

/**
 * Creates a client that stores its calls in `storage`. A call ends when the server has taken it, or rejects it by name; all other
 * answers, and none, are followed by another try. `flush` also sends what an earlier client left. `flush` and `close` wait until the
 * storage is up to date. Calls that `close` reports as `closed`, and calls that had no room, stay in the storage for the next client.
 *
 * @throws TypeError if options are invalid, as `createClient` does
 */
export function createDurableClient(writeKey: string, { storage, ...options }: DurableClientOptions): DurableClient {
  refuseRetries(options);
  const logger = createLogger(options.logger);
  const access = createStorageAccess(storage, logger);
  const inMemory = new Set<string>();
  const aside = new Set<string>();
  /** The calls whose setting aside was told to the host. */
  const told = new Set<string>();
  let retryAside: Cancel | undefined;

  const caller = createCaller(writeKey, options, { createSender: createKeptSender, placeOf, onEnd });
  const { client } = caller;
  const { clock } = caller.platform;
  const loader = createLoader({
    ...{ access, clock, logger, leave },
    isKnown: (messageId) => inMemory.has(messageId) || aside.has(messageId),
    adopt: (call) => {
      const isAdopted = caller.adopt(call);
      if (isAdopted) inMemory.add(call.messageId);
      return isAdopted;
    },
  });

  /** Calls keep their order: while some are only in the storage, further ones go there too. */
  function placeOf(call: Parameters<CallerParts["placeOf"]>[0], hasRoom: boolean): "queue" | "storage" | "nowhere" {
    const isQueued = hasRoom && (!loader.holdsBack() || !access.takesMore());
    if (access.stored() >= storage.maxCalls || (!isQueued && !access.takesMore())) return "nowhere";
    access.keep(call);
    if (isQueued) inMemory.add(call.messageId);
    else loader.fallBehind(call.messageId);
    return isQueued ? "queue" : "storage";
  }

  function onEnd(messageId: string, reason: Parameters<CallerParts["onEnd"]>[1]): boolean {
    if (reason === "closed") return true;
    inMemory.delete(messageId);
    const isNew = !told.has(messageId);
    if (reason === "set-aside") {
      told.add(messageId);
      leave(messageId);
    } else {
      told.delete(messageId);
      access.drop(messageId);
    }
    loader.retry();
    return reason !== "set-aside" || isNew;
  }

  function leave(messageId: string): void {
    aside.add(messageId);
    retryAside ??= clock.after(SET_ASIDE_RETRY_MS, () => {
      retryAside = undefined;
      aside.clear();
      loader.lookAgain();
    });
  }

  /** The calls that are only in the storage, and are to be sent. */
  function unread(): number {
    return loader.isBehind() ? Math.max(0, access.stored() - inMemory.size - aside.size) : 0;
  }

  async function flush(limit: { readonly timeoutMs: number } | undefined): Promise<FlushReport> {
    const flushed = await flushAll({ client, loader, clock }, limit?.timeoutMs ?? FLUSH_TIMEOUT_MS);
    await access.written();
    return { ...flushed, pending: flushed.pending + unread() };
  }

  async function close(): Promise<CloseReport> {
    await loader.settled();
    loader.stop();
    retryAside?.();
    const report = await client.close();
    await access.written();
    const left = access.stored() - inMemory.size;
    if (left > 0) logger.log("warning", { code: "calls-left", calls: left });
    return report;
  }

  let closing: Promise<CloseReport> | undefined;
  return {
    ...client,
    kept: () => access.written(),
    backlog: () => ({ calls: access.stored(), inMemory: inMemory.size, setAside: aside.size }),
    flush,
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await (closing ??= close());
    },
  };
}

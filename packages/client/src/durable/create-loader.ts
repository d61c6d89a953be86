// Queues the calls that are in the storage and not in memory, oldest first, as soon as there is room: those that an earlier process
// left, and those that had no room when they were made. A stored text that is no call stays in the storage.

import type { Cancel, Clock, KeptCall } from "@postrider/core";
import { readKeptCall, type SerializedCall } from "@postrider/core/batch";
import { STORAGE_PAGE_CALLS, STORAGE_RETRY_MS } from "../limits.js";
import type { ClientLogger } from "../logger.js";
import type { StorageAccess } from "./create-storage-access.js";

export interface Loader {
  /** Whether calls may be in the storage that are not in memory. */
  isBehind(): boolean;
  /** Whether such calls are known of, so that a new one has to stay behind them. */
  holdsBack(): boolean;
  /** Says that this call goes to the storage alone. */
  fallBehind(messageId: string): void;
  /** Looks through the storage from its oldest call again. */
  lookAgain(): void;
  /** To be called when a call has ended, since there may be room then. */
  retry(): void;
  /** Resolves once each call was queued, or no further one can be without room or a storage that works. Never rejects. */
  settled(): Promise<void>;
  /** Queues no further calls. */
  stop(): void;
}

export interface LoaderOptions {
  readonly access: Pick<StorageAccess, "load">;
  readonly clock: Clock;
  readonly logger: ClientLogger;
  /** Whether a call is in memory, or is to stay in the storage. */
  readonly isKnown: (messageId: string) => boolean;
  /** Queues a call; false if there is no room. */
  readonly adopt: (call: SerializedCall) => boolean;
  /** Leaves a call in the storage, since its text is damaged. */
  readonly leave: (messageId: string) => void;
}

export function createLoader({ access, clock, logger, isKnown, adopt, leave }: LoaderOptions): Loader {
  /** Whether the storage was not read to its end. */
  let isUnread = true;
  /** The messageId of the next call to be read; undefined for the oldest. */
  let from: string | undefined;
  /** The first call that went to the storage alone since the last page was asked for. */
  let later: string | undefined;
  /** Calls that were read and have had no room. */
  let page: KeptCall[] = [];
  let isBegun = false;
  let isStopped = false;
  let running: Promise<void> | undefined;
  /** Whether there was another reason to run while it ran. */
  let isAsked = false;
  let retryLater: Cancel | undefined;

  /** Queues calls in their order; returns false at the first one without room, which is kept for later. */
  function adoptAll(): boolean {
    for (let [call] = page; call !== undefined; [call] = page) {
      if (!isKnown(call.messageId) && !adoptOne(call)) return false;
      page.shift();
    }
    return true;
  }

  function adoptOne(kept: KeptCall): boolean {
    const call = readKeptCall(kept);
    if (call !== undefined) return adopt(call);
    logger.log("warning", { code: "calls-left", calls: 1, detail: "unreadable" });
    leave(kept.messageId);
    return true;
  }

  async function load(): Promise<void> {
    while (!isStopped && adoptAll() && isUnread) {
      later = undefined;
      const loaded = await access.load({ from, limit: STORAGE_PAGE_CALLS }, isKnown);
      if (loaded === undefined) {
        retryLater ??= clock.after(STORAGE_RETRY_MS, () => {
          retryLater = undefined;
          retry();
        });
        return;
      }
      isBegun = true;
      page = [...loaded.calls];
      from = loaded.next ?? later;
      isUnread = from !== undefined;
    }
  }

  function retry(): void {
    if (isStopped || (!isUnread && page.length === 0)) return;
    isAsked = running !== undefined;
    running ??= load().finally(() => {
      running = undefined;
      if (isAsked) retry();
    });
  }

  retry();
  return {
    isBehind: () => isUnread || page.length > 0,
    holdsBack: () => page.length > 0 || (isUnread && (isBegun || later !== undefined)),
    fallBehind: (messageId) => {
      later ??= messageId;
      if (!isUnread) from = messageId;
      isUnread = true;
    },
    lookAgain: () => {
      [isUnread, from] = [true, undefined];
      retry();
    },
    retry,
    settled: () => running ?? Promise.resolve(),
    stop: () => {
      isStopped = true;
      retryLater?.();
    },
  };
}

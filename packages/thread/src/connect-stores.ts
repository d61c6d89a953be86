// The side of whoever asks: stores that have the ports of core, and live at the other end of a message port. What they
// answer, and what they reject with, is what the served ones do.

import type { AudienceStore, DeletionStore, DeliveryStore } from "@postrider/core";
import { createLine, type Line } from "./rpc-client.js";
import type { Opened } from "./messages.js";
import { asJson, type Parcel } from "./parcel.js";
import type { PortShape } from "./port-shape.js";
import { AUDIENCES, DELETIONS, DELIVERIES, type Question } from "./methods.js";

export interface ConnectOptions {
  /** Hears why the thread has ended although its stores were not closed: all that is asked of them is `unavailable` now. */
  readonly onEnd?: (why: string) => void;
  /** Hears the message each time that a store which was not closed rejects with `corrupt`: it is not to be used any more. */
  readonly onCorrupt?: (why: string) => void;
}

export interface ConnectedStores {
  /** Knows of users if the served one does. */
  readonly deliveries: DeliveryStore;
  /** Absent if none is served. */
  readonly audiences?: AudienceStore;
}

/**
 * Resolves with the stores that `serveStores` serves at the other end, once they are open; rejects with the error with which
 * they could not be opened. Between questions the port does not keep the process up.
 */
export async function connectStores(
  port: PortShape,
  { onEnd, onCorrupt }: ConnectOptions = {},
): Promise<ConnectedStores> {
  let open = 0;
  // Those that nothing has asked to close. The end of the thread may come in one turn with the answer to the last question.
  let kept = 0;
  const listeners = new Set(onEnd === undefined ? [] : [onEnd]);
  const line = createLine(port, {
    onEnd: (why) => {
      if (kept > 0) for (const listener of listeners) listener(why);
    },
    onFault: ({ code, message }) => {
      if (kept > 0 && code === "corrupt") onCorrupt?.(message);
    },
  });
  const { hasDeletions, hasAudiences } = OPENED.unpack(await opening(line));
  open = hasAudiences ? 2 : 1;
  kept = open;
  const closing = (question: Question<[], void>): (() => Promise<void>) =>
    once(async () => {
      kept -= 1;
      await askToClose(line, question).catch((error: unknown) => {
        kept += 1;
        throw error;
      });
      open -= 1;
      if (open === 0) await line.end();
    });
  const deletions = hasDeletions ? { deletions: connectDeletions(line) } : {};
  return {
    deliveries: {
      ...connectDeliveries(line),
      ...deletions,
      onEnd: (listener) => {
        const why = line.endedBy();
        if (why === undefined) listeners.add(listener);
        else if (kept > 0) listener(why);
      },
      close: closing(DELIVERIES.close),
    },
    ...(hasAudiences ? { audiences: { ...connectAudiences(line), close: closing(AUDIENCES.close) } } : {}),
  };
}

/** A store whose thread has ended is closed already. */
async function askToClose(line: Line, question: Question<[], void>): Promise<void> {
  try {
    await line.insist(question);
  } catch (error) {
    if (line.endedBy() === undefined) throw error;
  }
}

/** Where nothing could be opened, the thread ends: what it had open is closed by then. */
async function opening(line: Line): Promise<Parcel> {
  try {
    return await line.opening;
  } catch (error) {
    await line.end();
    throw error;
  }
}

const OPENED = asJson<Opened>();

function connectDeliveries(line: Line): Omit<DeliveryStore, "close" | "onEnd"> {
  return {
    commit: (changes, now) => line.ask(DELIVERIES.commit, changes, now),
    claim: (request, now) => line.ask(DELIVERIES.claim, request, now),
    lanes: (page, now) => line.ask(DELIVERIES.lanes, page, now),
    end: (request, now) => line.ask(DELIVERIES.end, request, now),
    pullIn: (request, now) => line.ask(DELIVERIES.pullIn, request, now),
    find: (id) => line.ask(DELIVERIES.find, id),
    list: (query) => line.ask(DELIVERIES.list, query),
    seen: (query, now) => line.ask(DELIVERIES.seen, query, now),
    counts: () => line.ask(DELIVERIES.counts),
    sweep: (request, now) => line.ask(DELIVERIES.sweep, request, now),
  };
}

function connectDeletions(line: Line): DeletionStore {
  return {
    open: (deletion, now) => line.ask(DELETIONS.open, deletion, now),
    purge: (slice, now) => line.ask(DELETIONS.purge, slice, now),
    finish: (id, now) => line.ask(DELETIONS.finish, id, now),
    find: (id) => line.ask(DELETIONS.find, id),
    list: (query) => line.ask(DELETIONS.list, query),
    suppressed: (query) => line.ask(DELETIONS.suppressed, query),
  };
}

function connectAudiences(line: Line): Omit<AudienceStore, "close"> {
  return {
    create: (record) => line.ask(AUDIENCES.create, record),
    find: (key) => line.ask(AUDIENCES.find, key),
    list: () => line.ask(AUDIENCES.list),
    replace: (record) => line.ask(AUDIENCES.replace, record),
    append: (set, members) => line.ask(AUDIENCES.append, set, members),
    // As text, a place in a list that is left open would be null.
    read: (set, after) => (after === undefined ? line.ask(AUDIENCES.read, set) : line.ask(AUDIENCES.read, set, after)),
    sets: (prefix) => line.ask(AUDIENCES.sets, prefix),
    drop: (set) => line.ask(AUDIENCES.drop, set),
    erase: (set, userIds) => line.ask(AUDIENCES.erase, set, userIds),
    scrub: () => line.ask(AUDIENCES.scrub),
  };
}

/** Whoever closes a second time waits for the first; where that failed, it is tried again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    done = undefined;
    throw error;
  };
  return () => (done ??= work().catch(forget));
}

// The side of the stores: opens them, answers what is asked on the port, and ends once all of them are closed. It knows
// no store by name; what it is handed it calls as the port of core says, one question after the other as they come.

import type { AudienceStore, DeletionStore, DeliveryStore } from "@postrider/core";
import { type Answered, type Asked, type Fault, faultOf, type Opened, OPENING_ID } from "./messages.js";
import { asJson, type Parcel } from "./parcel.js";
import type { PortShape } from "./port-shape.js";
import { AUDIENCES, DELETIONS, DELIVERIES, type Question } from "./methods.js";

export interface ServedStores {
  readonly deliveries: DeliveryStore;
  readonly audiences?: AudienceStore;
}

/**
 * Opens stores and answers for them on a port. Where they cannot be opened, the other side hears why. Closes the port after
 * that, or once all stores are closed: a thread with nothing else to do then ends by itself.
 */
export async function serveStores(open: () => ServedStores | Promise<ServedStores>, port: PortShape): Promise<void> {
  try {
    answerFor(await open(), port);
  } catch (error) {
    sendFault(port, OPENING_ID, faultOf(error));
    port.close?.();
  }
}

function answerFor(stores: ServedStores, port: PortShape): void {
  const { deliveries, audiences } = stores;
  const answerers = answerersOf(stores);
  const open = new Set([DELIVERIES.close.name, ...(audiences === undefined ? [] : [AUDIENCES.close.name])]);

  async function answer({ id, name, ...asked }: Asked): Promise<void> {
    try {
      const answerer = answerers.get(name) ?? refuseUnknown;
      sendAnswer(port, id, await answerer(asked));
    } catch (error) {
      sendFault(port, id, faultOf(error));
    }
    // A store that fails to close in order is closed all the same.
    open.delete(name);
    if (open.size === 0) port.close?.();
  }

  // The other end is this package's too.
  port.on("message", (message) => void answer(message as Asked));
  const opened: Opened = { hasDeletions: deliveries.deletions !== undefined, hasAudiences: audiences !== undefined };
  sendAnswer(port, OPENING_ID, asJson<Opened>().pack(opened));
}

function sendAnswer(port: PortShape, id: number, parcel: Parcel): void {
  const answer: Answered = { kind: "answer", id, ...parcel };
  port.postMessage(answer, parcel.bytes === undefined ? [] : [parcel.bytes.buffer]);
}

function sendFault(port: PortShape, id: number, fault: Fault): void {
  const answer: Answered = { kind: "fault", id, fault };
  port.postMessage(answer, []);
}

type Answerer = (asked: Parcel) => Promise<Parcel>;

function refuseUnknown(): Promise<Parcel> {
  return Promise.reject(new Error("no such question: both ends have to be of one version"));
}

/** What answers a question, by its name. */
function answerersOf({ deliveries, audiences }: ServedStores): ReadonlyMap<string, Answerer> {
  return new Map([
    ...ofDeliveries(deliveries),
    ...(deliveries.deletions === undefined ? [] : ofDeletions(deliveries.deletions)),
    ...(audiences === undefined ? [] : ofAudiences(audiences)),
  ]);
}

function ofDeliveries(store: DeliveryStore): readonly (readonly [string, Answerer])[] {
  return [
    by(DELIVERIES.commit, (...args) => store.commit(...args)),
    by(DELIVERIES.claim, (...args) => store.claim(...args)),
    by(DELIVERIES.lanes, (...args) => store.lanes(...args)),
    by(DELIVERIES.end, (...args) => store.end(...args)),
    by(DELIVERIES.pullIn, (...args) => store.pullIn(...args)),
    by(DELIVERIES.find, (...args) => store.find(...args)),
    by(DELIVERIES.list, (...args) => store.list(...args)),
    by(DELIVERIES.seen, (...args) => store.seen(...args)),
    by(DELIVERIES.counts, () => store.counts()),
    by(DELIVERIES.sweep, (...args) => store.sweep(...args)),
    by(DELIVERIES.close, () => store.close()),
  ];
}

function ofDeletions(store: DeletionStore): readonly (readonly [string, Answerer])[] {
  return [
    by(DELETIONS.open, (...args) => store.open(...args)),
    by(DELETIONS.purge, (...args) => store.purge(...args)),
    by(DELETIONS.finish, (...args) => store.finish(...args)),
    by(DELETIONS.find, (...args) => store.find(...args)),
    by(DELETIONS.list, (...args) => store.list(...args)),
    by(DELETIONS.suppressed, (...args) => store.suppressed(...args)),
  ];
}

function ofAudiences(store: AudienceStore): readonly (readonly [string, Answerer])[] {
  return [
    by(AUDIENCES.create, (...args) => store.create(...args)),
    by(AUDIENCES.find, (...args) => store.find(...args)),
    by(AUDIENCES.list, () => store.list()),
    by(AUDIENCES.replace, (...args) => store.replace(...args)),
    by(AUDIENCES.append, (...args) => store.append(...args)),
    by(AUDIENCES.read, (...args) => store.read(...args)),
    by(AUDIENCES.sets, (...args) => store.sets(...args)),
    by(AUDIENCES.drop, (...args) => store.drop(...args)),
    by(AUDIENCES.erase, (...args) => store.erase(...args)),
    by(AUDIENCES.scrub, () => store.scrub()),
    by(AUDIENCES.close, () => store.close()),
  ];
}

function by<Args extends readonly unknown[], Answer>(
  { name, args, answer }: Question<Args, Answer>,
  ask: (...args: Args) => Promise<Answer>,
): readonly [string, Answerer] {
  return [name, async (asked) => answer.pack(await ask(...args.unpack(asked)))];
}

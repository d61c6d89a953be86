// Explains the refusal of a call to the host. Texts that hosts know from other libraries are kept unchanged. Codes are a
// closed set; neither codes nor texts ever contain a value of the call.

import type { Refusal, RefusalCode } from "../call/refusal.js";

/** The refusal of a call that is not queued: it broke a rule, the queue is full, or the client is closed. */
export interface CallRefused {
  readonly code: RefusalCode | "queue-full" | "closed";
  /** The path in the call, such as `properties.items[0].price`; empty for the call as a whole. */
  readonly path: string;
  /** The reason as a sentence for people. */
  readonly message: string;
}

/** The refusal of a call that broke a rule. */
export function explainRefusal({ code, path, expected }: Refusal): CallRefused {
  const text = KNOWN.get(code);
  return { code, path, message: text ?? (path === "" ? `Expected ${expected}.` : `${path}: expected ${expected}.`) };
}

/** The refusal of a call that exceeds the capacity of the queue. */
export const QUEUE_FULL: CallRefused = { code: "queue-full", path: "", message: "The queue is full." };

/** The refusal of a call made after `close`. */
export const CLIENT_CLOSED: CallRefused = { code: "closed", path: "", message: "The client is closed." };

const KNOWN: ReadonlyMap<RefusalCode, string> = new Map([
  ["no-ids", "You must pass either an 'anonymousId' or 'userId'."],
  ["no-event", "You must pass 'event'."],
  ["no-group-id", "You must pass a 'groupId'."],
  ["no-user-id", "You must pass a 'userId'."],
  ["no-previous-id", "You must pass a 'previousId'."],
]);

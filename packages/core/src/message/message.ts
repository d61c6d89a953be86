// The delivered messages: one JSON object of a fixed shape per type (spec, webhook destination §2), plus the fields by which
// receivers recognise repeats and correct times (decision: messages). Keys are in the order in which they are sent. Data only.

import type { JsonObject } from "../call/call.js";

/** The version of all messages but the delete message, which has none (spec, webhook destination §9). */
export const MESSAGE_VERSION = 1;

/** ISO 8601 UTC with milliseconds: `2026-01-31T12:00:00.000Z`. */
type Instant = string;

interface MessageHead<Type extends string> {
  readonly version: typeof MESSAGE_VERSION;
  readonly type: Type;
  readonly messageId: string;
  readonly anonymousId?: string;
}

interface MessageTail {
  readonly context: JsonObject;
  readonly timestamp: Instant;
  /** The time that the caller sent, without the correction by the clock skew. */
  readonly originalTimestamp?: Instant;
  readonly sentAt?: Instant;
  readonly receivedAt: Instant;
}

interface ByUser {
  readonly userId?: string;
}

/** The message of an identify call. */
export interface IdentifyMessage extends MessageHead<"identify">, ByUser, MessageTail {
  readonly traits: JsonObject;
}

/** The message of a track call. */
export interface TrackMessage extends MessageHead<"track">, ByUser, MessageTail {
  readonly event: string;
  readonly properties: JsonObject;
}

/** The message of a page call. */
export interface PageMessage extends MessageHead<"page">, ByUser, MessageTail {
  readonly name?: string;
  readonly category?: string;
  readonly properties: JsonObject;
}

/** The message of a screen call. */
interface ScreenMessage extends MessageHead<"screen">, ByUser, MessageTail {
  readonly name?: string;
  readonly category?: string;
  readonly properties: JsonObject;
}

/** The message of a group call. */
export interface GroupMessage extends MessageHead<"group">, ByUser, MessageTail {
  readonly groupId: string;
  readonly traits: JsonObject;
}

/** The keys of both ids contain a space; there is no `userId` (spec, webhook destination §2.3). */
export interface AliasMessage extends MessageHead<"alias">, MessageTail {
  readonly "Previous ID": string;
  readonly "User ID": string;
}

/** Exactly three keys (spec, webhook destination §2.3). */
export interface DeleteMessage {
  readonly type: "delete";
  readonly userId: string;
  readonly timestamp: Instant;
}

/** The content of a delivery: one JSON object, the same for all attempts and receivers. */
export type Message =
  IdentifyMessage | TrackMessage | PageMessage | ScreenMessage | GroupMessage | AliasMessage | DeleteMessage;

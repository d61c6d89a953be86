// Turns a call into the message that is delivered (spec, webhook destination §2; decision: messages). Objects of the caller
// appear only as values of traits, properties and context, so they cannot change type, version or any other key of the
// message. Fields of the call that the message does not have are left out. Must not know the destination.

import type { CallKind, PageCall, ScreenCall } from "../call/call.js";
import type { CheckedCall } from "../intake/check-call.js";
import type { StampedCall } from "../intake/stamp-call.js";
import type { EpochMs } from "../ids.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import {
  type AliasMessage,
  type DeleteMessage,
  type GroupMessage,
  type IdentifyMessage,
  type Message,
  MESSAGE_VERSION,
  type PageMessage,
  type TrackMessage,
} from "./message.js";

/** The message of a call, with its keys in the order in which they are sent. */
export function mapCall(stamped: StampedCall): Message {
  const { call, messageId } = stamped;
  const message: Draft = { version: MESSAGE_VERSION, type: call.type, messageId };
  if (call.anonymousId !== undefined) message.anonymousId = call.anonymousId;
  addFields(message, call);
  addTail(message, stamped);
  // The compiler checks the type of each key where it is set; tests check that no key is missing.
  return message as Message;
}

/** The notice that asks a receiver to delete a user; `at` is when the deletion was requested. */
export function deleteMessageOf(userId: string, at: EpochMs): DeleteMessage {
  return { type: "delete", userId, timestamp: formatTimestamp(at) };
}

/** A message under construction, with the keys of all types. */
type Draft = { readonly type: CallKind } & Fields<IdentifyMessage> &
  Fields<TrackMessage> &
  Fields<PageMessage> &
  Fields<GroupMessage> &
  Fields<AliasMessage>;
type Fields<M> = { -readonly [Key in Exclude<keyof M, "type">]?: M[Key] };

// Keys are set one by one, in the order in which they are sent: object spread takes three times as long.
function addFields(message: Draft, call: CheckedCall): void {
  if (call.type === "alias") {
    message["Previous ID"] = call.previousId;
    message["User ID"] = call.userId;
    return;
  }
  if (call.userId !== undefined) message.userId = call.userId;
  switch (call.type) {
    case "identify":
      message.traits = call.traits ?? {};
      return;
    case "track":
      message.event = call.event;
      message.properties = call.properties ?? {};
      return;
    case "page":
    case "screen":
      addView(message, call);
      return;
    case "group":
      message.groupId = call.groupId;
      message.traits = call.traits ?? {};
      return;
  }
}

function addView(message: Draft, { name, category, properties }: PageCall | ScreenCall): void {
  if (name !== undefined) message.name = name;
  if (category !== undefined) message.category = category;
  message.properties = properties ?? {};
}

function addTail(message: Draft, { call, timestamp, originalTimestamp, sentAt, receivedAt }: StampedCall): void {
  message.context = call.context ?? {};
  message.timestamp = formatTimestamp(timestamp);
  if (originalTimestamp !== undefined) message.originalTimestamp = formatTimestamp(originalTimestamp);
  if (sentAt !== undefined) message.sentAt = formatTimestamp(sentAt);
  message.receivedAt = formatTimestamp(receivedAt);
}

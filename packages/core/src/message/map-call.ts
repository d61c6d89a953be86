// Turns a call into the message that is delivered (spec, webhook destination §2; decision: messages). The caller's
// objects appear only as values of traits, properties and context, so nothing in them can change type, version
// or any other key of ours. What the message does not name is left out.

import type { JsonObject } from "../call/call.js";
import type { StampedCall } from "../intake/stamp-call.js";
import type { EpochMs } from "../ids.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import { type DeleteMessage, MESSAGE_VERSION, type Message } from "./message.js";

/** The message of a call. */
export function mapCall(stamped: StampedCall): Message {
  const { call } = stamped;
  switch (call.type) {
    case "identify":
      return { ...head(stamped, "identify"), ...user(call), traits: call.traits ?? {}, ...tail(stamped) };
    case "track":
      return {
        ...head(stamped, "track"),
        ...user(call),
        event: call.event,
        properties: call.properties ?? {},
        ...tail(stamped),
      };
    case "page":
      return { ...head(stamped, "page"), ...user(call), ...view(call), ...tail(stamped) };
    case "screen":
      return { ...head(stamped, "screen"), ...user(call), ...view(call), ...tail(stamped) };
    case "group":
      return {
        ...head(stamped, "group"),
        ...user(call),
        groupId: call.groupId,
        traits: call.traits ?? {},
        ...tail(stamped),
      };
    case "alias":
      return {
        ...head(stamped, "alias"),
        "Previous ID": call.previousId,
        "User ID": call.userId,
        ...tail(stamped),
      };
  }
}

/** The notice that a user is to be deleted. */
export function mapDeletion(userId: string, at: EpochMs): DeleteMessage {
  return { type: "delete", userId, timestamp: formatTimestamp(at) };
}

function head<Type extends string>({ call, messageId }: StampedCall, type: Type) {
  return { version: MESSAGE_VERSION, type, messageId, ...present("anonymousId", call.anonymousId) } as const;
}

function user(call: { readonly userId?: string }) {
  return present("userId", call.userId);
}

function view(call: { readonly name?: string; readonly category?: string; readonly properties?: JsonObject }) {
  return {
    ...present("name", call.name),
    ...present("category", call.category),
    properties: call.properties ?? {},
  };
}

function tail({ call, timestamp, originalTimestamp, sentAt, receivedAt }: StampedCall) {
  return {
    context: call.context ?? {},
    timestamp: formatTimestamp(timestamp),
    ...present("originalTimestamp", instant(originalTimestamp)),
    ...present("sentAt", instant(sentAt)),
    receivedAt: formatTimestamp(receivedAt),
  };
}

function instant(at: EpochMs | undefined): string | undefined {
  return at === undefined ? undefined : formatTimestamp(at);
}

function present<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: string };
}

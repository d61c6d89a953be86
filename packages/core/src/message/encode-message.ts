// Turns a call into the message that is delivered (spec, webhook destination §2; decision: messages), and writes it, once, as the bytes
// that are stored, signed and sent. A receiver that parses the bytes and stringifies the result gets the same bytes, as verification
// requires (§5, rule 3). A field that the message does not have is left out, and no call can change its type or version.

import type { Body, EpochMs } from "../ids.js";
import {
  type Message,
  type AliasMessage,
  type DeleteMessage,
  type GroupMessage,
  type IdentifyMessage,
  MESSAGE_VERSION,
  type PageMessage,
  type TrackMessage,
} from "./message.js";
import type { CallKind, PageCall, ScreenCall } from "../call/call.js";
import type { CheckedCall } from "../intake/check-call.js";
import type { StampedCall } from "../intake/stamp-call.js";
import { formatTimestamp } from "../time/format-timestamp.js";

/** The JSON text of a message as UTF-8 bytes. The array may be a view into a larger shared buffer. */
export function encodeMessage(message: Message): Body {
  return encodeText(JSON.stringify(message)) as Body;
}

/** Does the same for a message whose `context` is `{}`, but writes `context`, which is JSON text, instead of the `{}`. */
export function encodeWithContext(message: Message, context: string): Body {
  const text = JSON.stringify(message);
  // Only instants follow the context, so the last match is the message's own context.
  const at = text.lastIndexOf(NO_CONTEXT);
  return encodeText(`${text.slice(0, at)}"context":${context},${text.slice(at + NO_CONTEXT.length)}`) as Body;
}

const NO_CONTEXT = '"context":{},';

/** The size of a block: the most memory that one short text may keep alive. */
const BLOCK_BYTES = 32_768;

/** Most bytes that one UTF-16 unit takes. */
const UNIT_BYTES = 3;

/** A text that may take more bytes gets a separate buffer, so that less than this is unused at the end of a block. */
const MAX_SHORT_BYTES = 8_192;

const encoder = new TextEncoder();

let block = new Uint8Array(0);

let usedBytes = 0;

/** The UTF-8 bytes of a text. A lone surrogate becomes a replacement character; JSON text has none. */
export function encodeText(text: string): Uint8Array {
  const mostBytes = text.length * UNIT_BYTES;
  if (mostBytes > MAX_SHORT_BYTES) return encoder.encode(text);
  if (usedBytes + mostBytes > block.length) {
    block = new Uint8Array(BLOCK_BYTES);
    usedBytes = 0;
  }
  const from = usedBytes;
  usedBytes += encoder.encodeInto(text, block.subarray(from)).written;
  return block.subarray(from, usedBytes);
}

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

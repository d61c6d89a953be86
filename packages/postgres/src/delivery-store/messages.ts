// New messages as arrays, in the order of the parameters of SQL functions, and the keys by which their ids and users are known.

import type { NewMessage } from "@postrider/core";
import { int2Array, int4Array, int8Array, keyArray, byteaArray, textArray } from "../wire/values.js";
import { hashTextOf } from "../wire/text.js";
import { codeOfType, STARTS } from "./codes.js";
import type { Numbers } from "./functions.js";

/** The key under which a message id is remembered. */
export function seenKeyOf(source: string, messageId: string): string {
  return hashTextOf(source, messageId);
}

/** The parameters about messages: one array for each field, then one for each field of their deliveries. */
export function writeMessages(
  messages: readonly NewMessage[],
  sourceNumber: Numbers,
  laneNumber: Numbers,
): readonly Buffer[] {
  const deliveries = messages.flatMap((message, index) =>
    message.deliveries.map(({ destination, start }, place) => ({ message: index + 1, place, destination, start })),
  );
  return [
    keyArray(messages.map(({ source, messageId }) => seenKeyOf(source, messageId))),
    int4Array(messages.map(({ source }) => sourceNumber(source))),
    textArray(messages.map(({ messageId }) => messageId)),
    int2Array(messages.map(({ type }) => codeOfType(type))),
    int8Array(messages.map(({ receivedAt }) => receivedAt)),
    int4Array(messages.map(({ body }) => body.length)),
    byteaArray(messages.map(({ body }) => body)),
    textArray(messages.map(({ traceparent }) => traceparent ?? null)),
    ...writeUsers(messages),
    int4Array(messages.map((message) => message.deliveries.length)),
    int4Array(messages.map(({ filtered }) => filtered.length)),
    int8Array(messages.map(({ asOf }) => asOf ?? -1)),
    keyArray(messages.map(({ deletion }) => keyOrNull(deletion))),
    int4Array(deliveries.map(({ message }) => message)),
    int4Array(deliveries.map(({ place }) => place)),
    int4Array(deliveries.map(({ destination }) => laneNumber(destination))),
    int2Array(deliveries.map(({ start }) => STARTS[start.kind])),
    int8Array(deliveries.map(({ start }) => (start.kind === "waiting" ? start.dueAt : null))),
  ];
}

/** The parameters about users of messages. */
export function writeUsers(messages: readonly NewMessage[]): readonly Buffer[] {
  return [
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[0]))),
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[1]))),
  ];
}

/** The key of a user or of a request about users. */
function keyOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hashTextOf(text);
}

// The messages of a commit and their deliveries as arrays, in the order of the parameters of the function `commit`.

import type { NewMessage } from "@postrider/core";
import { byteaArray, int2Array, int4Array, int8Array, keyArray, textArray } from "../wire/arrays.js";
import { hashTextOf } from "../wire/key.js";
import { STARTS, typeCode } from "./codes.js";
import type { Numbers } from "./names.js";

/** The key under which a message id is remembered. */
export function seenKeyOf(source: string, messageId: string): string {
  return hashTextOf(source, messageId);
}

/** The parameters about messages: one array for each field, then one for each field of their deliveries. */
export function writeMessages(messages: readonly NewMessage[], sources: Numbers, lanes: Numbers): readonly Buffer[] {
  const deliveries = messages.flatMap((message, index) =>
    message.deliveries.map(({ destination, start }, place) => ({ message: index + 1, place, destination, start })),
  );
  return [
    keyArray(messages.map(({ source, messageId }) => seenKeyOf(source, messageId))),
    int4Array(messages.map(({ source }) => sources(source))),
    textArray(messages.map(({ messageId }) => messageId)),
    int2Array(messages.map(({ type }) => typeCode(type))),
    int8Array(messages.map(({ receivedAt }) => receivedAt)),
    int4Array(messages.map(({ body }) => body.length)),
    byteaArray(messages.map(({ body }) => body)),
    int4Array(messages.map((message) => message.deliveries.length)),
    int4Array(messages.map(({ filtered }) => filtered.length)),
    int8Array(messages.map(({ asOf }) => asOf ?? -1)),
    textArray(messages.map(({ traceparent }) => traceparent ?? null)),
    keyArray(messages.map(({ deletion }) => keyOrNull(deletion))),
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[0]))),
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[1]))),
    int4Array(deliveries.map(({ message }) => message)),
    int4Array(deliveries.map(({ place }) => place)),
    int4Array(deliveries.map(({ destination }) => lanes(destination))),
    int2Array(deliveries.map(({ start }) => STARTS[start.kind])),
    int8Array(deliveries.map(({ start }) => (start.kind === "waiting" ? start.dueAt : null))),
  ];
}

function keyOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hashTextOf(text);
}

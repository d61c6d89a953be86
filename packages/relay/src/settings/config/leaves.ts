// The codecs of single values in settings ("leaves"). The name of a codec says what it expects. Core's `checkWorkspace`
// decides whether values fit together, such as a lease and a timeout.

import { NOTIFICATION_KINDS, type NotificationKind } from "@postrider/core";
import * as t from "io-ts";

/** @internal */
export const text: t.Type<string, unknown> = leaf("a string", t.string.is);

/** @internal */
export const flag: t.Type<boolean, unknown> = leaf("true or false", t.boolean.is);

/** Core decides which values are too small. @internal */
export const milliseconds: t.Type<number, unknown> = leaf(
  "a whole number of milliseconds, such as 5000",
  (value): value is number => Number.isSafeInteger(value),
);

/** A change of an address is seen after a day at the latest. @internal */
export const MAX_CONNECTION_AGE_MS = 86_400_000;

/** @internal */
export const connectionAge: t.Type<number, unknown> = leaf(
  "a whole number of milliseconds from 1 to 86400000",
  (value): value is number => t.Int.is(value) && value >= 1 && value <= MAX_CONNECTION_AGE_MS,
);

/** @internal */
export const hours: t.Type<number, unknown> = leaf("a number of hours", (value): value is number =>
  Number.isFinite(value),
);

/** @internal */
export const amount: t.Type<number, unknown> = leaf("a number", (value): value is number => Number.isFinite(value));

/** @internal */
export const port: t.Type<number, unknown> = leaf(
  "a whole number from 0 to 65535, without quotes",
  (value): value is number => t.Int.is(value) && value >= 0 && value <= 65_535,
);

/** @internal */
export const certificate: t.Type<string, unknown> = leaf(
  "the text of a PEM certificate; file:PATH reads it from a file",
  (value): value is string => t.string.is(value) && value.includes("-----BEGIN CERTIFICATE-----"),
);

/** Accepts device mode too, so that core can say why it is refused. @internal */
export const mode: t.Type<"cloud" | "device", unknown> = leaf(
  "cloud",
  (value): value is "cloud" | "device" => value === "cloud" || value === "device",
);

const KINDS: ReadonlySet<unknown> = new Set(NOTIFICATION_KINDS);
/** @internal */
export const notificationKind: t.Type<NotificationKind, unknown> = leaf(
  `one of ${NOTIFICATION_KINDS.join(", ")}`,
  (value): value is NotificationKind => KINDS.has(value),
);

/** A single value, returned unchanged. @internal */
export function leaf<A>(expected: string, is: t.Is<A>): t.Type<A, unknown> {
  return new t.Type(
    expected,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  );
}

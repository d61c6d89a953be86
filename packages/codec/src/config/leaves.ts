// The codecs of single values in settings ("leaves"). The name of a codec says what it expects. core's `checkWorkspace`
// decides whether values fit together, such as a lease and a timeout.

import { isAddressRange } from "@postrider/core";
import * as t from "io-ts";
import { MIN_TOKEN_LENGTH } from "../limits.js";

/** @internal */
export const text: t.Type<string, unknown> = leaf("a string", t.string.is);

/** @internal */
export const flag: t.Type<boolean, unknown> = leaf("true or false", t.boolean.is);

/** Core decides which values are too small. @internal */
export const milliseconds: t.Type<number, unknown> = leaf("a whole number of milliseconds", (value): value is number =>
  Number.isSafeInteger(value),
);

/** @internal */
export const hours: t.Type<number, unknown> = leaf("a number of hours", (value): value is number =>
  Number.isFinite(value),
);

/** @internal */
export const amount: t.Type<number, unknown> = leaf("a number", (value): value is number => Number.isFinite(value));

/** @internal */
export const port: t.Type<number, unknown> = leaf(
  "a whole number from 0 to 65535",
  (value): value is number => t.Int.is(value) && value >= 0 && value <= 65_535,
);

/** An empty text is refused: with an empty host, the server would listen on all addresses. @internal */
export const host: t.Type<string, unknown> = leaf("a host name or an address", isFilledText);

/** A short text is refused, since a short token could be guessed. @internal */
export const token: t.Type<string, unknown> = leaf(
  `a token of at least ${String(MIN_TOKEN_LENGTH)} characters, such as openssl rand -hex 16 makes`,
  (value): value is string => t.string.is(value) && value.trim().length >= MIN_TOKEN_LENGTH,
);

/** @internal */
export const storeLocation: t.Type<string, unknown> = leaf(
  "memory: or sqlite:PATH",
  (value): value is string => t.string.is(value) && (value === "memory:" || /^sqlite:./.test(value)),
);

/** @internal */
export const addressRange: t.Type<string, unknown> = leaf(
  "an IP address, or a range such as 10.0.0.0/8",
  (value): value is string => t.string.is(value) && isAddressRange(value),
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

function isFilledText(value: unknown): value is string {
  return t.string.is(value) && value !== "";
}

/** A single value, returned unchanged. @internal */
export function leaf<A>(expected: string, is: t.Is<A>): t.Type<A, unknown> {
  return new t.Type(
    expected,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  );
}

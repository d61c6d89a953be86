// Decides whether a host's input has the shape of a call, with the same leniency as ingest (decision: leniency): null counts
// as absent, ids may be whole numbers, and only own fields count. Which fields a call requires is decided in intake/. Reads
// each field once; the caller must catch what a getter throws.

import type { Call, CallKind, JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { RefusalCode } from "../call/refusal.js";
import { refuseCall, type RefusedCall } from "../call/refuse-call.js";
import { type EpochMs, epochMs } from "../ids.js";
import { hasFourDigitYear, parseAnyTimestamp } from "../time/parse-any-timestamp.js";

/** A call of any kind, with the fields of all kinds as optional fields. */
export type AnyCall = Call & {
  readonly event?: string;
  readonly name?: string;
  readonly category?: string;
  readonly groupId?: string;
  readonly previousId?: string;
  readonly properties?: JsonObject;
  readonly traits?: JsonObject;
};

export type ReadCallResult = { readonly kind: "ok"; readonly call: AnyCall } | RefusedCall;

/** Reads one call of a kind. Nested objects are not copied. Unknown fields are dropped. */
export function readCall(type: CallKind, input: unknown): ReadCallResult {
  if (!isPlainObject(input)) return refuseCall("not-an-object", "", EXPECTED_OBJECT);
  // With every field of the kind, in the same order, so that the engine knows the shape when the call is written.
  const call: Record<string, unknown> = { type };
  for (const { name, read, code, expected } of FIELDS[type]) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const field = value === undefined || value === null ? undefined : read(value);
    if (field === BAD) return refuseCall(code, name, expected);
    call[name] = field;
  }
  // The loop over names loses the types; each reader in FIELDS has checked its field.
  return { kind: "ok", call: withProperties(call) as unknown as AnyCall };
}

/** The answer of a field's reader for a value of the wrong type. */
const BAD = Symbol("bad");

interface Field {
  readonly name: string;
  /** The value for the call; undefined if the given value counts as absent; `BAD` if it has the wrong type. */
  readonly read: (value: unknown) => unknown;
  readonly code: RefusalCode;
  readonly expected: string;
}

/** The `expected` text for objects, including the call itself. */
export const EXPECTED_OBJECT = "an object of plain data";

const BASE: readonly Field[] = [
  { name: "messageId", read: readNonEmptyText, code: "bad-message-id", expected: "a string" },
  { name: "timestamp", read: readInstant, code: "bad-timestamp", expected: "a date, or ISO 8601 text" },
  idField("userId"),
  idField("anonymousId"),
  objectField("context"),
  objectField("integrations"),
];
const VIEW: readonly Field[] = [
  ...BASE,
  textField("name"),
  textField("category"),
  objectField("properties"),
  objectField("traits"),
];

const FIELDS: { readonly [Kind in CallKind]: readonly Field[] } = {
  identify: [...BASE, objectField("traits")],
  track: [
    ...BASE,
    { name: "event", read: readNonEmptyText, code: "not-a-string", expected: "a string" },
    objectField("properties"),
  ],
  page: VIEW,
  screen: VIEW,
  group: [...BASE, idField("groupId"), objectField("traits")],
  alias: [...BASE, idField("previousId")],
};

/** Merges the traits of a page or screen into its properties (spec, client library §2.2). The input is not changed. */
function withProperties(call: Record<string, unknown>): JsonObject {
  const { type, traits } = call;
  if (traits === undefined || (type !== "page" && type !== "screen")) return call;
  const properties = { ...(traits as JsonObject), ...(call["properties"] as JsonObject | undefined) };
  return { ...call, properties, traits: undefined };
}

function idField(name: string): Field {
  return { name, read: readId, code: "id-not-string", expected: "a string or a whole number" };
}

function textField(name: string): Field {
  return { name, read: readText, code: "not-a-string", expected: "a string" };
}

function objectField(name: string): Field {
  return { name, read: readObject, code: "not-an-object", expected: EXPECTED_OBJECT };
}

function readId(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : readNonEmptyText(value);
}

function readText(value: unknown): unknown {
  return typeof value === "string" ? value : BAD;
}

/** The empty string counts as absent. */
function readNonEmptyText(value: unknown): unknown {
  return value === "" ? undefined : readText(value);
}

function readObject(value: unknown): unknown {
  return isPlainObject(value) ? value : BAD;
}

function readInstant(value: unknown): EpochMs | typeof BAD {
  if (typeof value === "string") return parseAnyTimestamp(value) ?? BAD;
  const at = value instanceof Date ? value.getTime() : NaN;
  return hasFourDigitYear(at) ? epochMs(at) : BAD;
}

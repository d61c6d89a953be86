// Decides whether a host's input has the shape of a call (decisions: leniency, calls of a host): each field is what JSON writes in
// its place, null counts as absent, and ids may be whole numbers. Which fields a call requires is decided in intake/. Reads
// each field once; the caller must catch what a getter throws.

import type { Call, CallKind, JsonObject } from "../call/call.js";
import { asWritten, isObject } from "../call/host-value.js";
import type { RefusalCode } from "../call/refusal.js";
import { refuseCall, type RefusedCall } from "../call/refuse-call.js";

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

export type ReadCallResult =
  | {
      readonly kind: "ok";
      /** The call without its timestamp. */
      readonly call: AnyCall;
      /** The timestamp as the host writes it, since the server reads more forms; undefined if it is neither text nor number. */
      readonly timestamp: string | number | undefined;
    }
  | RefusedCall;

/** Reads one call of a kind. Nested objects are not copied. Unknown fields are dropped. */
export function readCall(type: CallKind, input: unknown): ReadCallResult {
  if (!isObject(input)) return refuseCall("not-an-object", "", EXPECTED_OBJECT);
  // With every field of the kind, in the same order, so that the engine knows the shape when the call is written.
  const call: Record<string, unknown> = { type };
  for (const { name, read, code, expected } of FIELDS[type]) {
    const value = asWritten(input[name], name);
    const fieldValue = value === undefined || value === null ? undefined : read(value);
    if (fieldValue === BAD) return refuseCall(code, name, expected);
    call[name] = fieldValue;
  }
  // The loop over names loses the types; each reader in FIELDS has checked its field.
  return { kind: "ok", call: withProperties(call) as unknown as AnyCall, timestamp: readTimestamp(input) };
}

function readTimestamp(input: JsonObject): string | number | undefined {
  const at = asWritten(input["timestamp"], "timestamp");
  return typeof at === "string" || typeof at === "number" ? at : undefined;
}

/** The answer of a field's reader for a value of the wrong type. */
const BAD = Symbol("bad");

interface Field {
  readonly name: string;
  /** The value for the call; undefined if it counts as absent; `BAD` if it has the wrong type. */
  readonly read: (value: unknown) => unknown;
  readonly code: RefusalCode;
  readonly expected: string;
}

/** The `expected` text for objects, including the call itself. */
export const EXPECTED_OBJECT = "an object of plain data";

const BASE: readonly Field[] = [
  { name: "messageId", read: readNonEmptyText, code: "bad-message-id", expected: "a string" },
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

/** The empty list counts as absent, as it does for ingest. */
function readObject(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 0) return undefined;
  return isObject(value) ? value : BAD;
}

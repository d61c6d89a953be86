// Decides whether a value has the shape of a call, and reads it with the leniency that real libraries need (decisions:
// call kinds, leniency). Required fields, size and time are checked by core, in intake/. On the hot path: a valid call
// costs no error list, no path and no copy of nested values.

import { type Call, CALL_KINDS, type CallKind, type JsonObject } from "@postrider/core";
import { isPlainObject, refuseCall } from "@postrider/core/engine";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { Context, Decoder } from "io-ts";
import { CALL_FIELDS, type CallField } from "./call-fields.js";
import type { DecodedCall } from "./decoded.js";
import { ownField } from "./own-field.js";

type NamedField = readonly [
  name: string,
  field: Pick<CallField<unknown>, "code"> & { readonly leaf: Decoder<unknown, unknown> },
];

/** A codec gets no path: a refusal names only the field. */
const NOWHERE: Context = [];

const FIELDS: { readonly [Kind in CallKind]: readonly NamedField[] } = {
  identify: Object.entries(CALL_FIELDS.identify),
  track: Object.entries(CALL_FIELDS.track),
  page: Object.entries(CALL_FIELDS.page),
  screen: Object.entries(CALL_FIELDS.screen),
  group: Object.entries(CALL_FIELDS.group),
  alias: Object.entries(CALL_FIELDS.alias),
};

/**
 * Reads one call. Null is treated as absent in every field; unknown fields are dropped; only own properties count;
 * nested objects are passed on by reference. A date that cannot be read is absent, and named in `unread`. The refusal names the
 * first invalid field of any other kind, and never shows its value. Never throws.
 *
 * @param value - the result of `JSON.parse`, or a host's object
 * @param kind - the kind that the path of the request gives; the call may then omit its `type`, but not name another
 * kind
 */
export function decodeCall(value: unknown, kind?: CallKind): DecodedCall {
  try {
    return isPlainObject(value) ? decodeObject(value, kind) : refuseCall("not-an-object", "", "an object");
  } catch {
    // JSON cannot throw when it is read; a host's object with a getter or a proxy can.
    return refuseCall("not-an-object", "", "an object of plain data");
  }
}

function decodeObject(input: JsonObject, settled: CallKind | undefined): DecodedCall {
  const kind = kindOf(input, settled);
  if (kind === undefined) return refuseCall("unknown-type", "type", settled ?? `one of ${CALL_KINDS.join(", ")}`);
  const call: Record<string, unknown> = { type: kind };
  let unread: readonly string[] | undefined;
  for (const [name, { leaf, code }] of FIELDS[kind]) {
    const value = ownField(input, name);
    if (value === undefined || value === null) continue;
    const read = leaf.validate(value, NOWHERE);
    if (isRight(read) && read.right !== undefined) call[name] = read.right;
    else if (isLeft(read) && code !== undefined) return refuseCall(code, name, leaf.name);
    else if (isLeft(read)) unread = [...(unread ?? []), name];
  }
  // The type of CALL_FIELDS ties each field to that of core's call; TypeScript cannot follow that through a loop over
  // names.
  return { kind: "ok", call: call as unknown as Call, unread };
}

function kindOf(input: JsonObject, settled: CallKind | undefined): CallKind | undefined {
  const named = ownField(input, "type") ?? settled;
  if (settled !== undefined) return named === settled ? settled : undefined;
  return CALL_KINDS.find((kind) => kind === named);
}

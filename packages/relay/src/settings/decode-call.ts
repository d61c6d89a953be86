// Reads a value as a call, with the leniency that real libraries need (decisions: call kinds, leniency): the table of the fields of each
// kind, the shape, then the size and the required fields of the kind, by core's rules. On the hot path: a valid call costs no error list,
// no path and no copy of nested values.

import { type Call, CALL_KINDS, type CallKind, type JsonObject, type RefusalCode, type Refusal } from "@postrider/core";
import {
  isPlainObject,
  refuseCall,
  type CallBase,
  checkCall,
  type CheckedCall,
  checkMerged,
  type SharedObjects,
} from "@postrider/core/engine";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { Context, Decoder } from "io-ts";
import type { DecodedCall } from "./decoded.js";
import { ownField, textOrAbsent, id, instant, type Leaf, object, text } from "./lenient.js";

/** The reader of one field, and the code that refuses an invalid value; if undefined, such a value is left out and reported. @internal */
interface CallField<A> {
  readonly leaf: Leaf<A>;
  readonly code: RefusalCode | undefined;
}

type FieldsOf<C> = { readonly [Key in Exclude<keyof C, "type">]-?: CallField<NonNullable<C[Key]>> };

type CallFields = { readonly [Kind in CallKind]: FieldsOf<Extract<Call, { readonly type: Kind }>> };

const anId: CallField<string> = { leaf: id, code: "id-not-string" };

const anInstant: CallField<NonNullable<CallBase["timestamp"]>> = { leaf: instant, code: undefined };

const anObject: CallField<NonNullable<CallBase["context"]>> = { leaf: object, code: "not-an-object" };

const aText: CallField<string> = { leaf: text, code: "not-a-string" };

const base: FieldsOf<CallBase> = {
  messageId: { leaf: textOrAbsent, code: "bad-message-id" },
  userId: anId,
  anonymousId: anId,
  timestamp: anInstant,
  originalTimestamp: anInstant,
  sentAt: anInstant,
  context: anObject,
  integrations: anObject,
};

/** The fields in the order in which they are checked. @internal */
const CALL_FIELDS: CallFields = {
  identify: { ...base, traits: anObject },
  track: { ...base, event: { leaf: textOrAbsent, code: "not-a-string" }, properties: anObject },
  page: { ...base, name: aText, category: aText, properties: anObject },
  screen: { ...base, name: aText, category: aText, properties: anObject },
  group: { ...base, groupId: anId, traits: anObject },
  alias: { ...base, previousId: anId },
};

type NamedField = readonly [
  name: string,
  field: Pick<CallField<unknown>, "code"> & { readonly leaf: Decoder<unknown, unknown> },
];

/** A codec gets no path: a refusal names only the field. */
const NOWHERE: Context = [];

/** The same fields, as lists. */
const FIELD_LISTS: { readonly [Kind in CallKind]: readonly NamedField[] } = {
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
 * first other field that is invalid, and never shows its value. Never throws.
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

function decodeObject(input: JsonObject, pathKind: CallKind | undefined): DecodedCall {
  const kind = kindOf(input, pathKind);
  if (kind === undefined) return refuseCall("unknown-type", "type", pathKind ?? `one of ${CALL_KINDS.join(", ")}`);
  const call: Record<string, unknown> = { type: kind };
  let unread: readonly string[] | undefined;
  for (const [name, { leaf, code }] of FIELD_LISTS[kind]) {
    const value = ownField(input, name);
    if (value === undefined || value === null) continue;
    const validation = leaf.validate(value, NOWHERE);
    if (isRight(validation) && validation.right !== undefined) call[name] = validation.right;
    else if (isLeft(validation) && code !== undefined) return refuseCall(code, name, leaf.name);
    else if (isLeft(validation)) unread = [...(unread ?? []), name];
  }
  // The type of CALL_FIELDS ties each field to that of core's call; TypeScript cannot follow that through a loop over
  // names.
  return { kind: "ok", call: call as unknown as Call, unread };
}

function kindOf(input: JsonObject, pathKind: CallKind | undefined): CallKind | undefined {
  const name = ownField(input, "type") ?? pathKind;
  if (pathKind !== undefined) return name === pathKind ? pathKind : undefined;
  return CALL_KINDS.find((kind) => kind === name);
}

/** A call that may be stored, or its refusal. */
export type ReceivedCall =
  | {
      readonly kind: "ok";
      readonly call: CheckedCall;
      /** The merged context as JSON, if the batch of the call shares a context. */
      readonly context: string | undefined;
      /** The cost of the check, in UTF-16 units of text. */
      readonly cost: number;
      /** The paths of imprecise numbers, at most three; undefined if there are none. */
      readonly imprecise: readonly string[] | undefined;
      /** The names of dates that cannot be read; undefined if there are none. */
      readonly unread: readonly string[] | undefined;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly cost: number };

/** Reads one call. Throws what a getter or a `toJSON` of the call throws. `kind` is the kind that the path of the request gives. */
export function readReceivedCall(written: JsonObject, kind?: CallKind, shared?: SharedObjects): ReceivedCall {
  const merged = checkMerged(written, shared);
  if (merged.kind === "refused") return merged;
  const { context, cost, imprecise } = merged;
  const decoded = decodeCall(written, kind);
  if (decoded.kind === "refused") return { ...decoded, cost };
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") return { ...checked, cost };
  return { kind: "ok", call: checked.call, context, cost, imprecise, unread: decoded.unread };
}

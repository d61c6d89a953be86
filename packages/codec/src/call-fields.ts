// The fields of each kind of call: how a field is read, and the code that refuses an invalid value (spec, client
// library §2.2). The table's type is derived from core's calls: if core adds, drops or changes a field, this file does
// not compile.

import type { Call, CallKind, RefusalCode } from "@postrider/core";
import type { CallBase } from "@postrider/core/engine";
import { textOrAbsent, id, instant, type Leaf, object, text } from "./lenient.js";

/** How one field is read, and the code that refuses an invalid value; if undefined, such a value is left out and told. @internal */
export interface CallField<A> {
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
export const CALL_FIELDS: CallFields = {
  identify: { ...base, traits: anObject },
  track: { ...base, event: { leaf: textOrAbsent, code: "not-a-string" }, properties: anObject },
  page: { ...base, name: aText, category: aText, properties: anObject },
  screen: { ...base, name: aText, category: aText, properties: anObject },
  group: { ...base, groupId: anId, traits: anObject },
  alias: { ...base, previousId: anId },
};

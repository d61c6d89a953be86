// Looks for what a call says that has no effect, though its caller most likely meant one: fields that a call of its kind does
// not have, and the key for all destinations in another case. Changes nothing; an operator is told (decision: log limits).

import type { CallKind, JsonObject } from "@postrider/core";
import { hasMisspeltAll, isPlainObject } from "@postrider/core/engine";
import type { Slip } from "../relay-event.js";

/** The object that libraries know from other kinds of calls, and that one of this kind drops. */
const DROPPED: Readonly<Partial<Record<CallKind, "traits" | "properties">>> = {
  identify: "properties",
  group: "properties",
  track: "traits",
  page: "traits",
  screen: "traits",
};

/** The slips of a call that has been decoded; `written` is the call as it came. */
export function slipsOf(written: JsonObject, kind: CallKind, integrations: JsonObject | undefined): readonly Slip[] {
  const dropped = DROPPED[kind];
  const isDropped = dropped !== undefined && Object.hasOwn(written, dropped) && saysSomething(written[dropped]);
  const isMisspelt = hasMisspeltAll(integrations);
  if (!isDropped && !isMisspelt) return NONE;
  return [
    ...(isDropped ? [`${kind}-${dropped}` as const] : []),
    ...(isMisspelt ? (["all-in-another-case"] as const) : []),
  ];
}

/** Nearly all calls have none. */
const NONE: readonly Slip[] = [];

function saysSomething(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length > 0;
}

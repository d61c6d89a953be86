// Finds the parts of a call that have no effect, although the caller most likely expected one: `traits` or `properties`
// on a kind of call that does not have it, and the name `All` of `integrations` in another case. Changes nothing; such
// parts are logged for the operator (decision: log limits).

import type { CallKind, JsonObject } from "@postrider/core";
import { hasMisspeltAll, isPlainObject } from "@postrider/core/engine";
import type { Slip } from "../relay-event.js";

/** For each kind of call, an object that only other kinds have: it is dropped from a call of this kind. */
const DROPPED: Readonly<Record<CallKind, "traits" | "properties" | undefined>> = {
  identify: "properties",
  group: "properties",
  track: "traits",
  page: "traits",
  screen: "traits",
  alias: undefined,
};

/** The slips of a decoded call; `written` is the call as received. */
export function slipsOf(written: JsonObject, kind: CallKind, integrations: JsonObject | undefined): readonly Slip[] {
  const dropped = DROPPED[kind];
  const isDropped = dropped !== undefined && Object.hasOwn(written, dropped) && isFilledObject(written[dropped]);
  const isMisspelt = hasMisspeltAll(integrations);
  if (!isDropped && !isMisspelt) return NONE;
  return [
    ...(isDropped ? [`${kind}-${dropped}` as const] : []),
    ...(isMisspelt ? (["all-in-another-case"] as const) : []),
  ];
}

/** One list for all calls without slips, since nearly all calls have none. */
const NONE: readonly Slip[] = [];

function isFilledObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length > 0;
}

// Pages of deliveries, newest first. A page looks at a bounded number of messages, and may so be short; its cursor then is behind the
// last message that was looked at.

import type { DeliveryPage, ListQuery } from "@postrider/core";
import { int2Array, textArray } from "../wire/arrays.js";
import { hashKeyOf } from "../wire/key.js";
import { toLimit } from "../wire/limit.js";
import { placeholders } from "../wire/placeholders.js";
import { readDigits, readOptionalNumber, type TextRow } from "../wire/read-row.js";
import { encodeAnyText } from "../wire/text.js";
import { type DeliveryPlace, NOWHERE, placeOf, reasonCode, codeOfState, typeCode } from "./codes.js";
import type { Functions } from "./commit.js";
import { summariseRow } from "./summary.js";

/** How many messages one page looks at. */
const WINDOW = 2_000;
const PLACES: string = placeholders(16);
/** Before the newest delivery. */
const NEWEST: DeliveryPlace = { id: Number.MAX_SAFE_INTEGER, place: 0 };

/** Shows a page of deliveries. */
export async function list(store: Functions, query: ListQuery): Promise<DeliveryPage> {
  const { limit, after } = query;
  const from = after === undefined ? NEWEST : placeOf(after);
  if (from === NOWHERE || limit === 0) return { deliveries: [] };
  const rows = await ask(store, query, from);
  const found = rows.filter((row) => row["id"] !== null);
  const shown = found.slice(0, limit).map((row) => summariseRow(row, readDigits(row, "id")));
  const last = shown.at(-1);
  if (found.length > limit && last !== undefined) return { deliveries: shown, next: last.id };
  const lookedTo = readOptionalNumber(rows.at(-1) ?? {}, "more_before");
  return lookedTo === undefined ? { deliveries: shown } : { deliveries: shown, next: `${String(lookedTo)}-0` };
}

function ask(
  { connection, schema, bucket }: Functions,
  query: ListQuery,
  from: DeliveryPlace,
): Promise<readonly TextRow[]> {
  const { states, reason, details, source, destination, type, messageId, userId } = query;
  return connection.brief(`select * from ${schema}.list(${PLACES})`, [
    ...[bucket, from.id, from.place, windowOf(query), toLimit(query.limit) + 1],
    ...[
      states === undefined ? null : int2Array(states.map(codeOfState)),
      reason === undefined ? null : reasonCode(reason),
    ],
    ...[details === undefined ? null : textArray(details), textOrNull(source), textOrNull(destination)],
    ...[
      type === undefined ? null : typeCode(type),
      textOrNull(messageId),
      userId === undefined ? null : hashKeyOf(userId),
    ],
    ...[query.acceptedSince ?? null, query.acceptedBefore ?? null, query.notReplayed === true],
  ]);
}

/** Without conditions each message that is looked at has a delivery to show, but perhaps that of the cursor. */
function windowOf({ limit, after: _, ...conditions }: ListQuery): number {
  const asked: readonly unknown[] = Object.values(conditions);
  return asked.every((one) => one === undefined) ? Math.min(WINDOW, limit + 2) : WINDOW;
}

function textOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : encodeAnyText(text);
}

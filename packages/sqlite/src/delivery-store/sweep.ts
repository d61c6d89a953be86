// Removes finished deliveries whose time is up, earliest finished first, with all that hangs on them. Their counters
// stay as they are.

import type { DeliveryState, SweepRequest } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readRows } from "../read-row.js";
import { stateCode } from "./codes.js";
import { prepareEndpoints } from "./endpoints.js";
import { prepareMessages } from "./messages.js";

/** Exported for the test that looks at its plan. */
export const SWEEPABLE: string = `
  select id, message from delivery indexed by delivery_finished
  where state = ? and finished_at < ? order by finished_at limit ?`;

export function prepareSweep(database: SqliteDatabase): (request: SweepRequest) => number {
  const sweepable = database.prepare(SWEEPABLE);
  const removeAttempts = database.prepare("delete from attempt where delivery = ?");
  const removeDelivery = database.prepare("delete from delivery where id = ?");
  const endpoints = prepareEndpoints(database);
  const messages = prepareMessages(database);

  function sweepFinished(state: DeliveryState, before: number, limit: number): number {
    const rows = readRows(sweepable.all(stateCode(state), before, limit));
    const deliveries = rows.map((row) => readNumber(row, "id"));
    for (const delivery of deliveries) {
      removeAttempts.run(delivery);
      removeDelivery.run(delivery);
    }
    endpoints.remove(deliveries);
    messages.release(new Set(rows.map((row) => readNumber(row, "message"))));
    return rows.length;
  }

  return ({ deliveredBefore, deadBefore, limit }) => {
    const delivered = sweepFinished("delivered", deliveredBefore, limit);
    return delivered + sweepFinished("dead", deadBefore, limit - delivered);
  };
}

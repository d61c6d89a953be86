// Removes finished deliveries whose time is up, earliest finished first, with all that hangs on them. Their counters
// stay as they are.

import type { DeliveryState, SweepRequest } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readNumber, readRows } from "../read-row.js";
import { stateCode } from "./codes.js";

/** Exported for the test that looks at its plan. */
export const SWEEPABLE: string = `
  select id, message from delivery indexed by delivery_finished
  where state = ? and finished_at < ? order by finished_at limit ?`;

export function prepareSweep(database: SqliteDatabase): (request: SweepRequest) => number {
  const sweepable = database.prepare(SWEEPABLE);
  const removals = ["attempt where delivery", "endpoint_state where delivery", "delivery where id"].map((place) =>
    database.prepare(`delete from ${place} = ?`),
  );
  const removeMessage = database.prepare(
    "delete from message where id = ? and not exists (select 1 from delivery where message = message.id)",
  );

  function sweepFinished(state: DeliveryState, before: number, limit: number): number {
    const rows = readRows(sweepable.all(stateCode(state), before, limit));
    for (const row of rows) {
      for (const removal of removals) removal.run(readNumber(row, "id"));
      removeMessage.run(readNumber(row, "message"));
    }
    return rows.length;
  }

  return ({ deliveredBefore, deadBefore, limit }) => {
    const delivered = sweepFinished("delivered", deliveredBefore, limit);
    return delivered + sweepFinished("dead", deadBefore, limit - delivered);
  };
}

// Removes finished deliveries that are older than their retention, earliest finished first, with their attempts,
// endpoints and messages. The counters stay as they are.

import type { DeliveryState, SweepRequest } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows } from "../rows/read-row.js";
import { stateCode } from "./codes.js";
import { prepareEndpoints } from "./endpoints.js";
import { prepareLapses } from "./lapses.js";
import { prepareMessages } from "./messages.js";

/** Exported for the test of its query plan. */
export const SELECT_SWEEPABLE: string = `
  select d.id, d.message, m.deletion is not null as is_notice
  from delivery d indexed by delivery_finished left join message m on m.id = d.message
  where d.state = ? and d.finished_at < ? order by d.finished_at limit ?`;

export interface Swept {
  readonly deliveries: number;
  /** Whether any of these deliveries was the delivery of a notice. */
  readonly hasNotices: boolean;
}

export function prepareSweep(database: SqliteDatabase): (request: SweepRequest) => Swept {
  const sweepable = database.prepare(SELECT_SWEEPABLE);
  const removeAttempts = database.prepare("delete from attempt where delivery = ?");
  const removeDelivery = database.prepare("delete from delivery where id = ?");
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  const messages = prepareMessages(database);

  function sweepFinished(state: DeliveryState, before: number, limit: number): Swept {
    const rows = readRows(sweepable.all(stateCode(state), before, limit));
    const deliveries = rows.map((row) => readNumber(row, "id"));
    for (const delivery of deliveries) {
      removeAttempts.run(delivery);
      removeDelivery.run(delivery);
    }
    endpoints.remove(deliveries);
    lapses.remove(deliveries);
    messages.release(new Set(rows.map((row) => readNumber(row, "message"))));
    return { deliveries: rows.length, hasNotices: rows.some((row) => readNumber(row, "is_notice") === 1) };
  }

  return ({ deliveredBefore, deadBefore, limit }) => {
    const delivered = sweepFinished("delivered", deliveredBefore, limit);
    const dead = sweepFinished("dead", deadBefore, limit - delivered.deliveries);
    return {
      deliveries: delivered.deliveries + dead.deliveries,
      hasNotices: delivered.hasNotices || dead.hasNotices,
    };
  };
}

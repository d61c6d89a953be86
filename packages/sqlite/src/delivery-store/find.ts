// Finds one delivery in full: its body, its attempts, the state of its endpoints.

import { defined } from "@postrider/core/engine";
import type { DeliveryId, DeliveryRecord } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readRow } from "../rows/read-row.js";
import { prepareReadAttempts } from "./attempts.js";
import { rowOf } from "./codes.js";
import { prepareEndpoints } from "./endpoints.js";
import { prepareLapses } from "./lapses.js";
import { readMaybeBody } from "./read-body.js";
import { readSummary, SUMMARY_COLUMNS } from "./summary.js";

export function prepareFind(database: SqliteDatabase): (id: DeliveryId) => DeliveryRecord | undefined {
  const find = database.prepare(
    `select ${SUMMARY_COLUMNS}, d.checksum, m.body, m.wiped from delivery d left join message m on m.id = d.message where d.id = ?`,
  );
  const readAttempts = prepareReadAttempts(database);
  const endpoints = prepareEndpoints(database);
  const lapses = prepareLapses(database);
  return (id) => {
    const number = rowOf(id);
    const row = number === undefined ? undefined : readRow(find.get(number));
    if (number === undefined || row === undefined) return undefined;
    const summary = readSummary(row);
    const body = readMaybeBody(row, summary.destination);
    return {
      ...summary,
      ...defined({ body }),
      attempts: readAttempts(number),
      endpoints: endpoints.read(number),
      ...defined({ lapses: lapses.read(number) }),
    };
  };
}

// Brings forward deliveries whose due time is too far in the future. A changed row leaves the range of the index that is
// searched, so repeated calls come to an end.

import type { PullInRequest } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { toText } from "../rows/text.js";

/**
 * Parameters: due at, lane, 1 for deliveries tried before or 0 for those never tried, due after, limit. Exported for
 * the test of its query plan.
 */
export const UPDATE_DUE_AT = `
  update delivery set due_at = ? where id in (
    select id from delivery indexed by delivery_due where lane = ? and (rounds > 0) = ? and due_at > ? limit ?)`;

export function preparePullIn(database: SqliteDatabase): (request: PullInRequest) => number {
  const pull = database.prepare(UPDATE_DUE_AT);
  return ({ lane, dueAfter, dueAt, limit }) => {
    const pullKind = (kind: 0 | 1, most: number): number =>
      Number(pull.run(dueAt, toText(lane), kind, dueAfter, most).changes);
    const fresh = pullKind(0, limit);
    return fresh + pullKind(1, limit - fresh);
  };
}

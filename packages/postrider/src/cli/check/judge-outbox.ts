// Whether the calls of hosts' own transactions are taken out of the database.

import type { CheckFinding } from "./check-finding.js";

/** Calls that are counted at most. */
const COUNTED = 10_000;
/** A server takes calls out within a second or two, unless it does not know their source. */
const TOLERANCE_S = 60;

/** How many calls wait, and for how many seconds the first of them. */
export const OUTBOX_FACTS: string = `
select (select count(*) from (select 1 from postrider.outbox limit ${String(COUNTED)}) o)::text as calls,
  (select extract(epoch from clock_timestamp() - o.written_at) from postrider.outbox o order by o.bucket, o.id limit 1)::text as seconds`;

export function judgeOutbox({ calls, seconds }: Readonly<Record<string, unknown>>): readonly CheckFinding[] {
  const [count, waitedS] = [Number(calls), Number(seconds)];
  if (count === 0) return [];
  const many = count < COUNTED ? String(count) : `${String(COUNTED)} or more`;
  const message = `calls of hosts that wait in its outbox: ${many}, the first for ${waitedS.toFixed(0)} s`;
  const shared = { code: "database-outbox", path: "store", message } as const;
  if (waitedS <= TOLERANCE_S) return [{ kind: "ok", ...shared }];
  return [{ kind: "warning", ...shared, change: "look whether a server delivers, and knows their sources" }];
}

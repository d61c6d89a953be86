// Compares attempts as an explanation names them with those that were recorded.

import type { AttemptRecord } from "@postrider/core";

/** Whether these are the latest attempts of all endpoints but that of `attempt`. */
export function areOthers(
  latest: Iterable<AttemptRecord>,
  attempt: AttemptRecord | undefined,
  others: readonly AttemptRecord[],
): boolean {
  const expected = [...latest].filter(
    ({ endpoint, verdict }) => endpoint !== attempt?.endpoint && verdict !== "success",
  );
  return expected.length === others.length && expected.every((one) => others.some((other) => isSame(one, other)));
}

/** Whether both are the record of the same attempt. */
export function isSame(one: AttemptRecord, other: AttemptRecord | undefined): boolean {
  return other !== undefined && one.round === other.round && one.endpoint === other.endpoint;
}

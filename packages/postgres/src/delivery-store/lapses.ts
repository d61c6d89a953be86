// The lapses of a delivery, as `find` has them in its row.

import { epochMs, type Lapses, processId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { readAnyText, readDigits, readOptionalNumber, readOptionalText, type TextRow } from "../wire/read-row.js";

export function readLapses(row: TextRow): Lapses | undefined {
  const count = readOptionalNumber(row, "lapses");
  if (count === undefined) return undefined;
  const takenBy = readOptionalText(row, "taken_by");
  return {
    count,
    process: processId(readAnyText(row, "process")),
    leaseUntil: epochMs(readDigits(row, "lease_until")),
    takenAt: epochMs(readDigits(row, "taken_at")),
    ...defined({ takenBy: takenBy === undefined ? undefined : processId(takenBy) }),
  };
}

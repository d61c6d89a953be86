// Writes one happening of a replayed incident as a line: when, what, and all that is known of it.

import { epochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Happening } from "@postrider/trace";

/** Such as `2026-01-01T00:00:05.000Z rescheduled {"delivery":"del_42","dueAt":…}`. */
export function happeningLine({ wallAt, event }: Happening): string {
  const { kind, ...rest } = event as { readonly kind?: unknown };
  return `${formatTimestamp(epochMs(wallAt))} ${String(kind)} ${JSON.stringify(rest)}`;
}

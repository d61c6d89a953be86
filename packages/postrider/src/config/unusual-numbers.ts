// Finds durations that are valid and hardly meant: seconds in place of milliseconds, a timeout of an hour. Core decides which
// are valid.

import { DEFAULT_DELIVERY, DEFAULT_RETENTION, type Workspace } from "@postrider/core";
import type { ConfigWarning } from "./config-warning.js";

interface UsualRange {
  readonly from: number;
  readonly to: number;
  /** What a number below, and above, leads to. */
  readonly below: string;
  readonly above: string;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** In milliseconds. */
const DURATIONS = {
  timeoutMs: {
    from: 250,
    to: MINUTE,
    below: "receivers have hardly time to answer",
    above: "a receiver that hangs keeps its slot for that long",
  },
  retryWindowMs: {
    from: MINUTE,
    to: 30 * DAY,
    below: "a short outage of a receiver ends its deliveries",
    above: "deliveries wait for weeks",
  },
  firstRetryMs: {
    from: 100,
    to: HOUR,
    below: "a receiver that is down gets many requests",
    above: "a short fault delays deliveries for long",
  },
  maxRetryMs: {
    from: SECOND,
    to: DAY,
    below: "a receiver that is down gets many requests",
    above: "deliveries wait for long after an outage",
  },
  maxRetryAfterMs: {
    from: SECOND,
    to: DAY,
    below: "a receiver cannot ask for a pause",
    above: "a receiver can hold its deliveries for long",
  },
  leaseMs: { from: SECOND, to: HOUR, below: "", above: "after a crash, its deliveries wait for that long" },
  historicalAfterMs: {
    from: MINUTE,
    to: 3_650 * DAY,
    below: "nearly every call is historical",
    above: "no call is historical",
  },
} satisfies Partial<Record<keyof Workspace["delivery"], UsualRange>>;

/** In hours. */
const HOURS = {
  deliveredHours: {
    from: 0.1,
    to: 8_760,
    below: "deliveries that arrived cannot be looked up",
    above: "the store grows for more than a year",
  },
  deadHours: {
    from: 1,
    to: 8_760,
    below: "dead deliveries cannot be replayed for long",
    above: "the store grows for more than a year",
  },
} satisfies Partial<Record<keyof Workspace["retention"], UsualRange>>;

export function unusualNumbers({ delivery, retention }: Workspace): readonly ConfigWarning[] {
  return [
    ...keysOf(DURATIONS).flatMap((key) =>
      judge(`delivery.${key}`, delivery[key], {
        ...DURATIONS[key],
        unit: "milliseconds",
        usual: DEFAULT_DELIVERY[key],
      }),
    ),
    ...keysOf(HOURS).flatMap((key) =>
      judge(`retention.${key}`, retention[key], { ...HOURS[key], unit: "hours", usual: DEFAULT_RETENTION[key] }),
    ),
  ];
}

interface Judged extends UsualRange {
  readonly unit: string;
  /** The default. */
  readonly usual: number;
}

function judge(path: string, value: number, { from, to, below, above, unit, usual }: Judged): readonly ConfigWarning[] {
  if (value >= from && value <= to) return [];
  const [side, limit, effect] = value < from ? ["below", from, below] : ["above", to, above];
  return [
    {
      code: "unusual-number",
      path,
      effect: `it is ${side} ${String(limit)} ${unit}: ${effect}`,
      change: `leave it out for the default, ${String(usual)}, or set another number of ${unit}`,
    },
  ];
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[];
}

// Finds numbers that are valid but probably a mistake: seconds in place of milliseconds, a timeout of an hour, no time for a retry.
// check-policy.ts decides which numbers are valid.

import { DEFAULT_DELIVERY, DEFAULT_RETENTION, type DeliveryPolicy, type Retention } from "./workspace.js";

/** A number of the settings that is probably a mistake. */
export interface UnusualNumber {
  /** The path from the root of the settings. */
  readonly path: string;
  /** The consequence of the number. */
  readonly effect: string;
  /** The change to make. */
  readonly change: string;
}

interface UsualRange {
  readonly from: number;
  readonly to: number;
  /** The consequence of a number below the range, and of one above it. Empty if no valid number is there. */
  readonly below: string;
  readonly above: string;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** In milliseconds. */
const DURATIONS = {
  timeoutMs: {
    from: 250,
    to: MINUTE,
    below: "receivers have little time to answer",
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
    above: "a short fault delays deliveries for a long time",
  },
  maxRetryMs: {
    from: SECOND,
    to: DAY,
    below: "a receiver that is down gets many requests",
    above: "deliveries wait for a long time after an outage",
  },
  maxRetryAfterMs: {
    from: SECOND,
    to: DAY,
    below: "a receiver cannot ask for a pause",
    above: "a receiver can hold its deliveries for a long time",
  },
  leaseMs: { from: SECOND, to: HOUR, below: "", above: "after a crash, its deliveries wait for that long" },
  historicalAfterMs: {
    from: MINUTE,
    to: 3_650 * DAY,
    below: "nearly every call is historical",
    above: "no call is historical",
  },
} satisfies Partial<Record<keyof DeliveryPolicy, UsualRange>>;

/** Without a unit. */
const FACTORS = {
  growth: { from: 1, to: 10, below: "", above: "after a few rounds, each delay is the longest one" },
  jitter: { from: 0, to: 2, below: "", above: "most delays are longer than maxRetryMs says" },
} satisfies Partial<Record<keyof DeliveryPolicy, UsualRange>>;

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
    below: "dead deliveries can be replayed for a short time only",
    above: "the store grows for more than a year",
  },
} satisfies Partial<Record<keyof Retention, UsualRange>>;

/** The unusual numbers of settings whose numbers are all valid. */
export function unusualNumbers(settings: {
  readonly delivery: DeliveryPolicy;
  readonly retention: Retention;
}): readonly UnusualNumber[] {
  const { delivery, retention } = settings;
  return [
    ...keysOf(DURATIONS).flatMap((key) =>
      judge(`delivery.${key}`, delivery[key], {
        ...DURATIONS[key],
        unit: " milliseconds",
        defaultValue: DEFAULT_DELIVERY[key],
      }),
    ),
    ...keysOf(FACTORS).flatMap((key) =>
      judge(`delivery.${key}`, delivery[key], { ...FACTORS[key], unit: "", defaultValue: DEFAULT_DELIVERY[key] }),
    ),
    ...withoutRetry(delivery),
    ...keysOf(HOURS).flatMap((key) =>
      judge(`retention.${key}`, retention[key], {
        ...HOURS[key],
        unit: " hours",
        defaultValue: DEFAULT_RETENTION[key],
      }),
    ),
  ];
}

/** Reports a first retry that would start only after the window. */
function withoutRetry({ firstRetryMs, retryWindowMs }: DeliveryPolicy): readonly UnusualNumber[] {
  if (firstRetryMs < retryWindowMs) return [];
  const effect = "it is not below retryWindowMs: no delivery is tried twice";
  return [{ path: "delivery.firstRetryMs", effect, change: "set a number far below retryWindowMs" }];
}

interface NumberRule extends UsualRange {
  readonly unit: string;
  readonly defaultValue: number;
}

function judge(
  path: string,
  value: number,
  { from, to, below, above, unit, defaultValue }: NumberRule,
): readonly UnusualNumber[] {
  if (value >= from && value <= to) return [];
  const [side, limit, effect] = value < from ? ["below", from, below] : ["above", to, above];
  return [
    {
      path,
      effect: `it is ${side} ${String(limit)}${unit}: ${effect}`,
      change: `leave it out for the default, ${String(defaultValue)}, or set another number${unit === "" ? "" : ` of${unit}`}`,
    },
  ];
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[];
}

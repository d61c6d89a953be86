// The content of a notification to an operator: one kind of trouble, and its places (decision: notifications). Data only; ids, codes and
// counts, never a user, a message or a secret.

import type { DestinationId, EpochMs } from "../ids.js";
import type { LaneMode } from "../explain/lane-status.js";

/**
 * The kinds of notifications. `lane-failing`: a destination fails half as often as would hold its lane, or has refused its first message ·
 * `lane-held`: only probes are sent to it, since it fails, refuses whatever it gets, or is blocked · `lane-open`: that has ended ·
 * `window-at-risk`: less than a quarter of a retry window is left · `deaths`: deliveries ended without success · `shedding`: calls were
 * turned away · `store`: the store failed · `deletion-late`: a request about users is unfinished for an hour · `outbox`: calls in the
 * outbox are of a source without settings.
 */
export const NOTIFICATION_KINDS = [
  "lane-failing",
  "lane-held",
  "lane-open",
  "window-at-risk",
  "deaths",
  "shedding",
  "store",
  "deletion-late",
  "outbox",
] as const;
/** The kind of a notification; see `NOTIFICATION_KINDS`. */
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** One kind of trouble, at one or several places. */
export interface Notification {
  /** The same in each attempt and for each hook. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly at: EpochMs;
  /** At least one, at most `MAX_NOTIFIED_PLACES`. */
  readonly places: readonly NotifiedPlace[];
  /** Further places that are left out. */
  readonly more: number;
}

/** The trouble at one destination, or in the whole process. */
export interface NotifiedPlace {
  /** Absent: it is not about one destination. */
  readonly destination?: DestinationId;
  /** Deliveries, calls, requests or times, since the last notification of this kind about this place. */
  readonly count: number;
  /** The instant at which the trouble was first noticed. */
  readonly since: EpochMs;
  /** Codes and names that say more, each once: dead reasons, results of attempts, faults of the store, sources. */
  readonly details: readonly string[];
  /** The lane when the notification was made. */
  readonly lane?: NotifiedLane;
}

/** The lane of a destination, in a notification. */
export interface NotifiedLane {
  readonly mode: LaneMode;
  readonly waiting: number;
  /** The end of the first retry window among the waiting deliveries. Absent if nothing was tried. */
  readonly windowEndsAt?: EpochMs;
}

// The settings as the host gives them, sources, destinations, delivery policy, retention and hooks, and their defaults, which
// are those of the specification where it has a value. A delivery keeps no settings: those in force at the time of an
// attempt apply (decision: settings).

import type { DestinationId, SourceId } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";
import type { NotificationKind } from "../notify/notification.js";
import { type RetryPolicy, DEFAULT_RETRY_POLICY } from "../retry/retry-policy.js";
import type { Secret } from "./secret.js";

/** All settings together. */
export interface Workspace {
  readonly sources: readonly Source[];
  readonly destinations: readonly Destination[];
  readonly delivery: DeliveryPolicy;
  readonly retention: Retention;
  /** The hooks that get notifications of trouble. None if absent. */
  readonly notify?: readonly NotifyHook[];
}

/** A site, an app or a service that sends calls, identified by its write key. */
export interface Source {
  readonly id: SourceId;
  readonly name: string;
  /** The write key, or `sha256:` and its digest as 64 lowercase hexadecimal digits. */
  readonly writeKey: Secret;
  /** The rate of its calls; unlimited if absent. */
  readonly rateLimit?: RateLimit;
  /** True if its calls get the address of their caller as `context.ip`, if they have none. False if absent. */
  readonly addsIp?: boolean;
}

/**
 * A target of deliveries with one to five endpoints. One of them must take each message (spec, webhook destination §4, rule
 * 1).
 */
export interface Destination {
  readonly id: DestinationId;
  /** The name for the integrations object of a call, case sensitive; several destinations may have the same name. */
  readonly name: string;
  /** If false, new calls are filtered, waiting deliveries are not claimed, and their retry windows continue. */
  readonly enabled: boolean;
  /** If true, calls are accepted, but their deliveries wait. */
  readonly paused: boolean;
  /** True if the destination gets calls whose time is more than `historicalAfterMs` before their receipt (spec, client library §2.4). */
  readonly acceptsHistorical: boolean;
  readonly sources: readonly Connection[];
  readonly endpoints: readonly Endpoint[];
  /** Newest first; X-Signature is made with the newest. Empty: no signature. */
  readonly secrets: readonly Secret[];
  /** True if the headers of Standard Webhooks are added, signed with every secret. False if absent. */
  readonly standardWebhooks?: boolean;
  /** The rate at which deliveries start, retries included; unlimited if absent. */
  readonly rateLimit?: RateLimit;
}

/** A source whose calls a destination gets. */
export interface Connection {
  readonly source: SourceId;
  /** Only cloud mode is supported; `checkWorkspace` refuses device mode (spec, webhook destination §1). */
  readonly mode: "cloud" | "device";
}

/** One of the up to five URLs of a destination, with its static headers. */
export interface Endpoint {
  /** The full URL, http or https. */
  readonly url: string;
  /** At most five static headers, sent unchanged and in this order. */
  readonly headers: readonly StaticHeader[];
}

/** A URL that gets notifications of trouble, signed as deliveries are (decision: notifications). */
export interface NotifyHook extends Endpoint {
  /** Newest first; X-Signature is made with the newest. Empty: no signature. */
  readonly secrets: readonly Secret[];
  /** True if the headers of Standard Webhooks are added, signed with every secret. False if absent. */
  readonly standardWebhooks?: boolean;
  /** The kinds of notifications that it gets. All if absent. */
  readonly on?: readonly NotificationKind[];
}

/** The name and the value of a header. Values are often credentials: use a `Secret` for a value that must not be shown. */
export type StaticHeader = readonly [name: string, value: string | Secret];

/** A header as it is sent. */
export type Header = readonly [name: string, value: string];

/** The delivery policy. Durations in milliseconds. */
export interface DeliveryPolicy extends RetryPolicy {
  /** The receiver's timeout, from before DNS to the status line. */
  readonly timeoutMs: number;
  /** The length of a lease; at least `timeoutMs` + 5,000. */
  readonly leaseMs: number;
  /** A call that is older than this when it is received is historical. */
  readonly historicalAfterMs: number;
}

/** The time for which finished deliveries are kept, in hours. */
export interface Retention {
  readonly deliveredHours: number;
  readonly deadHours: number;
}

/** 5 s to answer and 4 h of retries (spec, webhook destination §8); the rest by the decisions: leases, historical. */
export const DEFAULT_DELIVERY: DeliveryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  timeoutMs: 5_000,
  leaseMs: 30_000,
  historicalAfterMs: 86_400_000,
};

/** Delivered deliveries are kept for a day, dead ones for a week. */
export const DEFAULT_RETENTION: Retention = { deliveredHours: 24, deadHours: 168 };

/** The name of a destination for the integrations object of a call, if the settings give it none. */
export const DEFAULT_DESTINATION_NAME = "Webhooks";

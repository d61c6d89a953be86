// The types of sources, destinations and delivery settings as a config file has them (decision: settings). Defaults and
// core's types are added in `build-workspace`.

import type { DeliveryPolicy, NotificationKind, Retention } from "@postrider/core";

export interface SourceEntry {
  readonly id: string;
  readonly writeKey: string;
  readonly name?: string;
  readonly rateLimit?: RateLimitEntry;
  readonly addsIp?: boolean;
}

export interface RateLimitEntry {
  readonly perSecond: number;
  readonly burst?: number;
}

/** An entry that is only the id of a source means cloud mode. */
export type ConnectionEntry = string | { readonly source: string; readonly mode?: "cloud" | "device" };

export interface EndpointEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DestinationEntry {
  readonly id: string;
  readonly sources: readonly ConnectionEntry[];
  readonly endpoints: readonly EndpointEntry[];
  readonly name?: string;
  readonly enabled?: boolean;
  readonly paused?: boolean;
  readonly acceptsHistorical?: boolean;
  /** One secret, or several, newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly rateLimit?: RateLimitEntry;
}

export interface NotifyEntry extends EndpointEntry {
  /** One secret, or several, newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly on?: readonly NotificationKind[];
}

/** The numbers of delivery that a file sets. Only code can give a schedule. */
export type DeliveryEntry = Partial<DeliveryPolicy>;

export interface WorkspaceFile {
  readonly sources?: readonly SourceEntry[];
  readonly destinations?: readonly DestinationEntry[];
  readonly delivery?: DeliveryEntry;
  readonly retention?: Partial<Retention>;
  readonly notify?: readonly NotifyEntry[];
}

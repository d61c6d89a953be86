// The parts that the handlers of the API get beside the request: the relay, and what its host remembers, such as recent calls.

import type { Audiences, Deletions, LaneRequests, Relay, ReplayJobs, UserDataRequests } from "@postrider/relay";
import type { ProgressByAudience } from "./audiences/audience-json.js";
import type { RecentCalls } from "./recent-calls.js";
import type { RecentEvents } from "./events/recent-events.js";
import type { Reload } from "./handle-reload.js";
import type { ReadableSeries, CallerUsage } from "./handle-stats.js";
import type { SettingsDesk } from "./settings/settings-desk.js";
import type { Places } from "./export-user.js";

/** The methods of a relay that the API calls. */
export type ApiRelay = Pick<
  Relay,
  | "delivery"
  | "deliveries"
  | "explain"
  | "forget"
  | "health"
  | "lanes"
  | "replay"
  | "replayMany"
  | "requests"
  | "seen"
  | "test"
  | "usage"
  | "workspace"
> &
  Audiences &
  Deletions &
  LaneRequests &
  ReplayJobs &
  UserDataRequests;

/** The arguments of all handlers beside the request. */
export interface ApiParts {
  readonly relay: ApiRelay;
  /** The syncs that run, by audience. */
  readonly progress: ProgressByAudience;
  /** The callers and their open requests; undefined if the host does not count them. */
  readonly callerUsage: () => CallerUsage | undefined;
  /** Undefined if the host remembers no calls. */
  readonly calls: RecentCalls | undefined;
  /** Undefined if the host remembers no events. */
  readonly events: RecentEvents | undefined;
  /** Undefined if the host keeps no series. */
  readonly series: ReadableSeries | undefined;
  /** Bounds the number of exports that run at once. */
  readonly exportPlaces: Places;
  /** Undefined if the host cannot read its settings again. */
  readonly reload: Reload | undefined;
  /** Undefined if the host does not show its settings. */
  readonly desk: SettingsDesk | undefined;
  /** The version of the program that the API is part of; undefined if the host does not say. */
  readonly program: string | undefined;
  /** The name of this server; undefined if the host does not say. */
  readonly server: string | undefined;
}

// The public shape of a relay: what a host may ask of it. Results, not exceptions: what can go wrong stands in the type.

import type {
  AudienceStore,
  CallKind,
  Clock,
  Counts,
  DeadReason,
  DeliveryId,
  DeliveryPage,
  DeliveryRecord,
  DeliveryStore,
  DestinationId,
  EpochMs,
  HttpPort,
  ListQuery,
  Problem,
  Random,
  Receipt,
  SeenMessage,
  SeenQuery,
  SourceCounts,
  SourceId,
  Workspace,
} from "@postrider/core";
import type { LaneBounds, SharedFields } from "@postrider/core/engine";
import type { Result, ResultAsync } from "neverthrow";
import type { Audiences, SyncBounds } from "./audience/audiences.js";
import type { CheckedSettings } from "./checked-settings.js";
import type { RelayFault } from "./fault.js";
import type { RelayEvent } from "./relay-event.js";
import type { Logger } from "./logger.js";
import type { Deletions } from "./deletion/deletions.js";

/** The ports and settings that a relay conducts. */
export interface RelayOptions {
  readonly workspace: Workspace | CheckedSettings;
  readonly store: DeliveryStore;
  /** Where audiences are kept. Without it there are none. All relays on a store of deliveries are given the same one. */
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
  /** Where failed attempts (warnings) and dead deliveries (errors) are told. */
  readonly logger?: Logger;
  /** Sees everything that happens, as it happens. What it throws harms nobody. */
  readonly observe?: (event: RelayEvent) => void;
  /** What a lane may hold before a further delivery is dead(`lane-full`); 1,000,000 deliveries or 4 GiB if absent. */
  readonly laneBounds?: LaneBounds;
  /**
   * How often the store is asked for work that another process has stored, in milliseconds; 1,000 if absent. Worth
   * changing only where nobody else uses the store: in a simulation, for one.
   */
  readonly pollMs?: number;
  /**
   * How long calls and settlements wait for each other to share a commit, in milliseconds; 3 if absent. With 0 they share
   * one only while another is under way: what a test wants whose clock stands still.
   */
  readonly gatherMs?: number;
  /** From which age on a question to the store shows that it stands still, in milliseconds; 3,000 if absent. */
  readonly stallMs?: number;
  /** What a sync may hold at once; what is left out is as much as a quarter of a gigabyte allows. */
  readonly syncBounds?: Partial<SyncBounds>;
}

/**
 * Calls that came in together. A few hundred are stored in one commit; more, or such that go to many destinations, in
 * several, one after the other, and are answered after the last.
 */
export interface Arrival {
  readonly source: SourceId;
  /** As they came, after JSON parsing. They are not kept and not changed. */
  readonly calls: readonly unknown[];
  /** What the batch says for all of its calls. */
  readonly shared?: SharedFields & { readonly sentAt?: EpochMs };
  /** The kind that the way in has settled; a call that names another one is refused. */
  readonly kind?: CallKind;
  /** Receipts then name no deliveries and nothing that was filtered: with many destinations these are the most of them. */
  readonly isBrief?: boolean;
}

export interface ReplayFault {
  /** `not-finished`: still waiting or claimed. `purged`: its body is gone. `destination-removed`: nobody to send it to. */
  readonly code: "not-found" | "not-finished" | "purged" | "destination-removed" | RelayFault["code"];
}

/** Dead deliveries of one destination, those accepted in `since <= acceptedAt < until`. */
export interface ReplayRequest {
  readonly destination: DestinationId;
  readonly reason?: DeadReason;
  readonly since?: EpochMs;
  readonly until?: EpochMs;
  /** 1 to 10,000; 1,000 if absent. */
  readonly limit?: number;
}

export interface Replayed {
  readonly replayed: number;
  /** Whether some are left; those replayed already are left out, so that asking again goes on. */
  readonly more: boolean;
}

export type Health =
  | { readonly kind: "healthy" }
  | { readonly kind: "unhealthy"; readonly reason: "unavailable" | "corrupt" | "stalled" | "full" };

export interface Relay extends Audiences, Deletions {
  /** Takes calls in: a receipt for each, in their order, once all that is accepted is safe. */
  accept(arrival: Arrival): ResultAsync<readonly Receipt[], RelayFault>;
  /**
   * Swaps all settings at once. Bad ones change nothing. A workspace is checked here and now, which takes a second for
   * some ten thousand destinations; `checkSettingsInSteps` does that before, in slices.
   */
  configure(settings: Workspace | CheckedSettings): Result<void, readonly Problem[]>;
  /** Begins to deliver. */
  start(): void;
  /** Takes no further call and no further turn, and resolves once the rounds under way are settled. */
  stop(): Promise<void>;
  /** Delivers again what is delivered or dead: a new delivery of the same bytes with a window of its own. */
  replay(id: DeliveryId): ResultAsync<DeliveryId, ReplayFault>;
  replayMany(request: ReplayRequest): ResultAsync<Replayed, ReplayFault>;
  /** Ends all that waits for a destination that has left the settings: dead(`destination-removed`). Answers how many. */
  forget(destination: DestinationId): ResultAsync<number, RelayFault | { readonly code: "destination-in-force" }>;
  delivery(id: DeliveryId): ResultAsync<DeliveryRecord | undefined, RelayFault>;
  deliveries(query: ListQuery): ResultAsync<DeliveryPage, RelayFault>;
  /** What was accepted under a messageId within 24 hours, whether or not it went anywhere: at most one of each source. */
  seen(query: SeenQuery): ResultAsync<readonly SeenMessage[], RelayFault>;
  /** The counters of all sources together, of one moment. */
  stats(): ResultAsync<Counts, RelayFault>;
  /** The counters of each source ever seen, of one moment: who uses how much. Sources that have left the settings too. */
  usage(): ResultAsync<readonly SourceCounts[], RelayFault>;
  health(): Health;
  /** The settings in force. A new object after each `configure`. */
  workspace(): Workspace;
}

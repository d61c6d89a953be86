// The parts of a relay that rounds may touch, for each of their steps. A function takes the interface of which it uses
// all members (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { Endpoints } from "../state/endpoints.js";
import type { Lanes } from "../state/lanes.js";
import type { LocalStreaks } from "../state/local-streaks.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { StoreClock } from "../state/store-clock.js";
import type { WatchedClock } from "../state/watched-clock.js";
import type { Commits } from "../storage/commits.js";

/** Needed to send one POST to one endpoint. */
export interface AttemptContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly endpoints: Endpoints;
}

/** Needed to plan a round: whether it starts, and to which endpoints it goes. */
export interface PlanContext extends AttemptContext {
  readonly clock: WatchedClock;
  readonly lanes: Lanes;
}

/** Needed to report the end of a round to its lane and to the observer of the host. */
export interface ReportContext {
  readonly lanes: Lanes;
  readonly emit: EmitEvent;
}

/** Needed to settle a claim. */
export interface SettleContext extends ReportContext {
  readonly clock: StoreClock;
  readonly commits: Commits;
}

/** Needed to report a round that says nothing about the receiver. */
export interface UnsentContext {
  readonly localStreaks: LocalStreaks;
  readonly emit: EmitEvent;
}

/** Needed to judge the replies of a round. */
export interface JudgeContext extends AttemptContext, UnsentContext {}

/** Needed for an attempt that ends after its round. */
export interface LateContext {
  readonly commits: Commits;
  readonly emit: EmitEvent;
}

/** Needed for a round from its first attempt to its last. */
export interface SendContext extends JudgeContext, SettleContext {
  readonly clock: StoreClock;
}

/** Needed for whole rounds, from the plan to the last attempt. */
export interface RoundsContext extends SendContext {
  readonly clock: WatchedClock;
}

// The parts of a relay that rounds may touch, for each of their steps. A function takes the interface of which it uses all
// (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { Endpoints } from "../state/endpoints.js";
import type { Lanes } from "../state/lanes.js";
import type { LocalStreaks } from "../state/local-streaks.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { WatchedClock } from "../state/watched-clock.js";
import type { Commits } from "../storage/commits.js";

/** One POST to one endpoint. */
export interface AttemptContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly endpoints: Endpoints;
}

/** Whether and where to send. */
export interface PlanContext extends AttemptContext {
  readonly clock: WatchedClock;
  readonly lanes: Lanes;
}

/** A step is reported to its lane and to the observer of the host. */
export interface ReportContext {
  readonly lanes: Lanes;
  readonly emit: EmitEvent;
}

/** The end of a claim. */
export interface SettleContext extends ReportContext {
  readonly clock: Clock;
  readonly commits: Commits;
}

/** The end of a round: judged, then settled. */
export interface JudgeContext extends AttemptContext, SettleContext {
  readonly localStreaks: LocalStreaks;
}

/** Whole rounds, from the plan to the last attempt. */
export interface RoundsContext extends JudgeContext {
  readonly clock: WatchedClock;
}

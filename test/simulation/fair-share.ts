// The max-min fair share of each of several lanes in the slots that they share, and what it means in requests.

import { MAX_IN_FLIGHT, MAX_LANE_IN_FLIGHT } from "@postrider/core/engine";
import { maxMinShares } from "../core/lanes/max-min-shares.js";
import { type LaneFigures, type LaneScript, type Play, playLanes } from "./play-lanes.js";

export interface Mixture {
  readonly lanes: number;
  /** Chosen in turn. */
  readonly errors: readonly number[];
  readonly latenciesMs: readonly number[];
  /** Chosen in turn, as a multiple of what a lane could do with an equal share of all slots. */
  readonly demands: readonly number[];
  /** The most calls a second from each. */
  readonly maxPerSecond: number;
}

export interface Fairness {
  readonly script: LaneScript;
  /**
   * The part of its fair share that it got: of requests if it asks for more than its share, otherwise of first attempts.
   */
  readonly had: number;
  readonly isBelow: boolean;
  readonly waitMs: LaneFigures["waitMs"];
  /** The longest wait at p99 of a lane below its share. */
  readonly mayWaitMs: number;
}

export async function playMixture(mixture: Mixture, play: Required<Play>): Promise<readonly Fairness[]> {
  const scripts = scriptsOf(mixture);
  const wants = scripts.map(({ perSecond, latencyMs, errors = 0 }) =>
    Math.min(MAX_LANE_IN_FLIGHT, Math.max(1, (perSecond * latencyMs) / 1_000 / (1 - errors))),
  );
  const fair = maxMinShares(wants);
  const figures = await playLanes(scripts, play);
  const seconds = (play.forMs - play.fromMs) / 1_000;
  return scripts.map((script, lane) => {
    const [want = 0, share = 0, seen] = [wants[lane], fair[lane], figures[lane]];
    // So low a rate that the backlog from the time while its limit grew is gone when measuring begins.
    const isBelow = want <= 0.7 * Math.min(equalShare(scripts.length), MAX_LANE_IN_FLIGHT);
    const perSecond = isBelow ? script.perSecond : (Math.min(want, share) * 1_000) / script.latencyMs;
    const had = (isBelow ? (seen?.tried ?? 0) : (seen?.requests ?? 0)) / (perSecond * seconds);
    const waitMs = seen?.waitMs ?? { p50: NaN, p99: NaN, max: NaN };
    return { script, had, isBelow, waitMs, mayWaitMs: 2 * script.latencyMs + 50 };
  });
}

function scriptsOf({ lanes, errors, latenciesMs, demands, maxPerSecond }: Mixture): readonly LaneScript[] {
  return Array.from({ length: lanes }, (_, lane) => {
    const latencyMs = latenciesMs[lane % latenciesMs.length] ?? 1;
    const demand = demands[lane % demands.length] ?? 1;
    const places = Math.min(MAX_LANE_IN_FLIGHT, equalShare(lanes));
    const perSecond = Math.min(maxPerSecond, (demand * places * 1_000) / latencyMs);
    return { latencyMs, errors: errors[lane % errors.length] ?? 0, perSecond };
  });
}

function equalShare(lanes: number): number {
  return MAX_IN_FLIGHT / lanes;
}

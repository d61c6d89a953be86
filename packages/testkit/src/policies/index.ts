// The public face of policies: what users wish of a delivery policy, as properties for fast-check, and the lane on which they are
// played.

export type { DownAnswer, DownEndpoint, LaneOutage } from "./outage.js";
export { type LaneLoad, playLane } from "./play-lane.js";
export type { PlayedDelivery, PlayedRound } from "./played-lane.js";
export {
  atLeastRounds,
  atMostRequests,
  backWithin,
  firstRetryWithin,
  noStampede,
  type OutageWish,
  type PolicyProperty,
  spreadsRetries,
  survivesOutage,
} from "./wishes.js";

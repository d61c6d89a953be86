// The public face of policies: what users wish of a delivery policy, as properties for fast-check, and the lane on which they are
// played.

export { type LaneLoad, type LaneOutage, MAX_PLAYED_REQUESTS, type PlayedDelivery, playLane } from "./play-lane.js";
export {
  type AnyPolicy,
  atLeastRounds,
  atMostRequests,
  backWithin,
  firstRetryWithin,
  noStampede,
  type OutageWish,
  type PolicyProperty,
  survivesOutage,
} from "./wishes.js";

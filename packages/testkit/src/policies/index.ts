// The public face of policies: what users wish of a delivery policy, as properties for fast-check, and the lane on which they are
// played.

export { type LaneLoad, playLane } from "./play-lane.js";
export {
  atLeastRounds,
  atMostRequests,
  backWithin,
  firstRetryWithin,
  noStampede,
  type OutageWish,
  type PolicyProperty,
  survivesOutage,
} from "./wishes.js";

// GET /api/lanes: the lane of each destination in force, and of each other that has deliveries: whether it sends, and why not.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { describeLane } from "./describe-lane.js";

/** Answers `{ lanes }`, in the order of the settings. */
export function handleListLanes(relay: Pick<Relay, "lanes">): Answer {
  return jsonAnswer(200, { lanes: relay.lanes().map(describeLane) });
}

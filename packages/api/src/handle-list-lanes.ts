// GET /api/lanes: the lane of each destination in force, and of each other that has deliveries: whether it sends, and why not.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { listSchema, objectSchema, type Of } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { describeLane } from "./describe-lane.js";
import { LANE } from "./lane-json.js";

const LANES = objectSchema({ lanes: listSchema(LANE) });

export const LIST_LANES: ApiOperation = {
  id: "listLanes",
  summary: "Lists the lane of each destination, and of each other that has deliveries.",
  readBy: "viewer",
  answer: { status: 200, description: "whether each destination is sent to, and why", schema: LANES },
  refusals: [],
};

/** Answers `{ lanes }`, in the order of the settings. */
export function handleListLanes(relay: Pick<Relay, "lanes">): Answer {
  return jsonAnswer(200, { lanes: relay.lanes().map(describeLane) } satisfies Of<typeof LANES>);
}

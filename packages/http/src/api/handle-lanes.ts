// GET /api/lanes, and POST /api/lanes/ID/pause, resume, probe and forget: shows each lane, whether it sends and why not,
// and changes one. The bodies of these requests are not read.

import { type Answer, jsonAnswer } from "../index.js";
import type { Relay, LaneFault, LaneRequests } from "@postrider/relay";
import type { DestinationId, LaneMode } from "@postrider/core";
import { listSchema, objectSchema, type Of, integerSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { describeLane, LANE } from "./lane-json.js";
import { faultAnswer, notSupportedAnswer, refuse } from "./refuse.js";

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

export const PAUSE_LANE: ApiOperation = {
  id: "pauseLane",
  summary: "Pauses a destination: its deliveries wait.",
  answer: { status: 200, description: "the lane, which sends nothing from then on", schema: LANE },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

export const RESUME_LANE: ApiOperation = {
  id: "resumeLane",
  summary: "Ends the pause of an operator.",
  answer: { status: 200, description: "the lane, without that pause", schema: LANE },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

export const PROBE_LANE: ApiOperation = {
  id: "probeLane",
  summary: "Sends the next probe of a destination that is held or blocked now.",
  answer: { status: 200, description: "the lane, of which a probe is sent now", schema: LANE },
  refusals: ["not-found", "not-probed", "store-unavailable"],
};

const MODES: Readonly<Record<LaneMode, string>> = {
  open: "the destination is sent to",
  held: "the destination is held",
  refusing: "the destination is held",
  blocked: "the destination is blocked",
  paused: "the destination is paused",
  off: "the destination is off",
  gone: "the settings do not have the destination",
};

/** Answers the lane as it is afterwards. */
export async function handleLaneRequest(
  relay: LaneRequests,
  request: keyof LaneRequests,
  destination: DestinationId,
): Promise<Answer> {
  return relay[request](destination).match((lane) => jsonAnswer(200, describeLane(lane)), laneFaultAnswer);
}

const FORGOTTEN = objectSchema({ ended: integerSchema() });

export const FORGET_LANE: ApiOperation = {
  id: "forgetLane",
  summary: "Ends deliveries that wait for a destination which the settings do not have any more.",
  answer: { status: 200, description: "how much was ended that waited for a removed one", schema: FORGOTTEN },
  refusals: ["destination-in-force", "store-unavailable"],
};

/** Answers `{ ended }`, how many deliveries; 0 once none is left. */
export async function handleForget(relay: Pick<Relay, "forget">, destination: DestinationId): Promise<Answer> {
  return relay.forget(destination).match(
    (ended) => jsonAnswer(200, { ended } satisfies Of<typeof FORGOTTEN>),
    (fault) =>
      fault.code === "destination-in-force"
        ? refuse(409, fault.code, "the settings have this destination: remove it from them first")
        : faultAnswer(fault),
  );
}

function laneFaultAnswer(fault: LaneFault): Answer {
  switch (fault.code) {
    case "unknown-destination":
      return refuse(404, "not-found", "there is no such destination in the settings");
    case "not-supported":
      return notSupportedAnswer("pauses");
    case "not-probed":
      return refuse(409, fault.code, `${MODES[fault.mode]}: it sends no probes`);
    case "unavailable":
    case "corrupt":
    case "stopped":
      return faultAnswer(fault);
  }
}

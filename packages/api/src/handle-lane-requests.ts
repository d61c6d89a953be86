// POST /api/lanes/ID/pause, resume, probe and forget: what an operator asks of one lane. The bodies of these requests are not read.

import type { DestinationId, LaneMode } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { LaneFault, LaneRequests, Relay } from "@postrider/relay";
import { describeLane } from "./describe-lane.js";
import { faultAnswer, notSupportedAnswer, refuse } from "./refuse.js";

/** Answers the lane as it is afterwards. */
export async function handleLaneRequest(
  relay: LaneRequests,
  request: keyof LaneRequests,
  destination: DestinationId,
): Promise<Answer> {
  return relay[request](destination).match((lane) => jsonAnswer(200, describeLane(lane)), laneFaultAnswer);
}

/** Answers `{ ended }`, how many deliveries; 0 once none is left. */
export async function handleForget(relay: Pick<Relay, "forget">, destination: DestinationId): Promise<Answer> {
  return relay.forget(destination).match(
    (ended) => jsonAnswer(200, { ended }),
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

const MODES: Readonly<Record<LaneMode, string>> = {
  open: "the destination is sent to",
  held: "the destination is held",
  blocked: "the destination is blocked",
  paused: "the destination is paused",
  off: "the destination is off",
  gone: "the settings do not have the destination",
};

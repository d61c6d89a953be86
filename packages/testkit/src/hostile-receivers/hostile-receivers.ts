// The list of all hostile receivers. A misbehaviour that is found in production is added as a `HostileReceiver`.

import { expectedAnswer, type HostileReceiver, answerHead } from "./hostile-receiver.js";
import { DISCONNECTING_RECEIVERS } from "./behaviours/breaking-off.js";
import { INVALID_HTTP_RECEIVERS } from "./behaviours/broken.js";
import { SLOW_RECEIVERS } from "./behaviours/slow.js";
import { OVERSIZED_ANSWER_RECEIVERS } from "./behaviours/too-much.js";
import type { ReceiverScript } from "./script.js";

/** A well-behaved receiver: it answers each request with this status and an empty body. */
export function answeringScript(status: number): ReceiverScript {
  const text = answerHead(status, "Content-Length: 0");
  return { steps: [{ kind: "reads" }, { kind: "says", text }, { kind: "repeats" }] };
}

/** All hostile receivers, and two that behave well. Each name is unique. */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  { name: "accepts", does: "answers 200", script: answeringScript(200), expected: expectedAnswer(200) },
  { name: "refuses", does: "answers 404", script: answeringScript(404), expected: expectedAnswer(404) },
  ...SLOW_RECEIVERS,
  ...OVERSIZED_ANSWER_RECEIVERS,
  ...INVALID_HTTP_RECEIVERS,
  ...DISCONNECTING_RECEIVERS,
];

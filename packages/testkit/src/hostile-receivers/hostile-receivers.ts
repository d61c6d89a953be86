// The list of all hostile receivers. A new one that is found in production is added as a `HostileReceiver`.

import { answers, type HostileReceiver, head } from "./hostile-receiver.js";
import { BREAKING_OFF } from "./behaviours/breaking-off.js";
import { BROKEN } from "./behaviours/broken.js";
import { SLOW } from "./behaviours/slow.js";
import { TOO_MUCH } from "./behaviours/too-much.js";
import type { ReceiverScript } from "./script.js";

/** A well-behaved receiver: it answers each request with this status and an empty body. */
export function answering(status: number): ReceiverScript {
  const text = head(status, "Content-Length: 0");
  return { steps: [{ kind: "reads" }, { kind: "says", text }, { kind: "repeats" }] };
}

/** Each name is unique. */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  { name: "accepts", does: "answers 200", script: answering(200), expected: answers(200) },
  { name: "refuses", does: "answers 404", script: answering(404), expected: answers(404) },
  ...SLOW,
  ...TOO_MUCH,
  ...BROKEN,
  ...BREAKING_OFF,
];

// GET /healthz: whether the relay and its process can work, for programs that restart processes. The path needs no
// token, so the answer shows nothing else.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Health } from "@postrider/relay";
import { flagSchema, objectSchema, type Of, orNull, textSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";

const HEALTH = objectSchema({ healthy: flagSchema(), reason: orNull(textSchema()) });

export const SHOW_HEALTH: ApiOperation = {
  id: "showHealth",
  summary: "Tells whether the server can work. Asks for no token.",
  readBy: "viewer",
  answer: { status: 200, description: "it can", schema: HEALTH },
  otherAnswers: [{ status: 503, description: "it cannot, for the reason", schema: HEALTH }],
  refusals: [],
  isOpen: true,
};

/**
 * Answers `{ healthy, reason }`: 200 if both can work; else 503. The reason is that of the relay, or `fault` if the
 * relay is healthy.
 */
export function handleShowHealth(health: Health, fault?: string): Answer {
  const reason = health.kind === "unhealthy" ? health.reason : (fault ?? null);
  const shown: Of<typeof HEALTH> = { healthy: reason === null, reason };
  return jsonAnswer(shown.healthy ? 200 : 503, shown);
}

// GET /healthz: whether the relay and its process can work, for programs that restart processes. The path needs no
// token, so the answer shows nothing else.

import { type Answer, jsonAnswer } from "@postrider/http";
import type { Health } from "@postrider/relay";

/**
 * Answers `{ healthy, reason }`: 200 if both can work; else 503. The reason is that of the relay, or `fault` if the
 * relay is healthy.
 */
export function handleShowHealth(health: Health, fault?: string): Answer {
  const reason = health.kind === "unhealthy" ? health.reason : (fault ?? null);
  return jsonAnswer(reason === null ? 200 : 503, { healthy: reason === null, reason });
}

// GET /healthz: whether the relay can do its work, for whoever restarts processes. Open to all: it tells no more.

import { type Answer, jsonAnswer } from "@postrider/ingest";
import type { Health } from "@postrider/relay";

/** Answers `{ healthy, reason }`: 200, or 503 with the reason. */
export function showHealth(health: Health): Answer {
  switch (health.kind) {
    case "healthy":
      return jsonAnswer(200, { healthy: true, reason: null });
    case "unhealthy":
      return jsonAnswer(503, { healthy: false, reason: health.reason });
  }
}

// Sends test events by settings that are not in force: over the HTTP port in use, by a relay with these settings and an empty store in
// memory, which lives for this one event.

import type { DraftTestOutcome } from "@postrider/api";
import type { Clock, HttpPort, Random } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type CheckedSettings, createRelay, type TestRequest } from "@postrider/relay";
import { MAX_DRAFT_TESTS } from "./limits.js";

export interface DraftTestPorts {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
}

export type SendDraftTest = (settings: CheckedSettings, request: TestRequest) => Promise<DraftTestOutcome>;

export function createDraftTests(ports: DraftTestPorts): SendDraftTest {
  let underWay = 0;
  return async (workspace, request) => {
    if (underWay >= MAX_DRAFT_TESTS) return { kind: "failed", fault: { code: "too-many-tests" } };
    underWay += 1;
    const relay = createRelay({ workspace, store: createMemoryStore({ disk: createMemoryDisk() }), ...ports });
    try {
      return await relay.test(request).match<DraftTestOutcome>(
        (report) => ({ kind: "sent", report }),
        (fault) => ({ kind: "failed", fault }),
      );
    } finally {
      underWay -= 1;
      await relay.stop();
    }
  };
}

// Sends test events by settings that are not in force: over the HTTP port in use, by a relay with these settings and an empty store in
// memory, which lives for this one event.

import type { DraftTestOutcome } from "@postrider/api";
import type { Clock, HttpPort, Random } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type CheckedSettings, createRelay, type TestRequest } from "@postrider/relay";
import { createAtMost } from "../../timing/at-most.js";
import { MAX_DRAFT_TESTS } from "./limits.js";

export interface DraftTestPorts {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
}

export type SendDraftTest = (settings: CheckedSettings, request: TestRequest) => Promise<DraftTestOutcome>;

export function createDraftTests(ports: DraftTestPorts): SendDraftTest {
  const atMost = createAtMost(MAX_DRAFT_TESTS);

  async function send(workspace: CheckedSettings, request: TestRequest): Promise<DraftTestOutcome> {
    const relay = createRelay({ workspace, store: createMemoryStore({ disk: createMemoryDisk() }), ...ports });
    try {
      return await relay.test(request).match<DraftTestOutcome>(
        (report) => ({ kind: "sent", report }),
        (fault) => ({ kind: "failed", fault }),
      );
    } finally {
      await relay.stop();
    }
  }

  return async (workspace, request) => (await atMost(() => send(workspace, request))) ?? TOO_MANY;
}

const TOO_MANY: DraftTestOutcome = { kind: "failed", fault: { code: "too-many-tests" } };

// Tries settings that are not in force. It probes the endpoints of a destination, and logs that, since a probe shows which ports are open;
// and it sends test events, each by a relay with an empty store in memory that lives for this event alone. Few run at once.

import type { DraftProbeOutcome, DraftTestOutcome } from "@postrider/http/api";
import type { NetworkSettings } from "@postrider/relay/settings";
import type { Clock, DestinationId, HttpPort, Random } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type CheckedSettings, createRelay, type Logger, type TestRequest } from "@postrider/relay";
import type { ListenAddress } from "@postrider/undici";
import { recipientOfDestination } from "../../config/recipient.js";
import { probeOrigins } from "../../config/probe-origins.js";

export type ProbeDraft = (settings: CheckedSettings, destination: DestinationId) => Promise<DraftProbeOutcome>;

export type SendDraftTest = (settings: CheckedSettings, request: TestRequest) => Promise<DraftTestOutcome>;

interface DraftProbeOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly network: () => NetworkSettings;
  /** The addresses on which this server listens. */
  readonly refuse: () => readonly ListenAddress[];
}

interface DraftTestPorts {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
}

/** Probes of the endpoints of a destination that is not in force, at the same time. */
const MAX_DRAFT_PROBES = 4;

/** Test events by settings that are not in force, at the same time. */
const MAX_DRAFT_TESTS = 4;

const TOO_MANY: DraftTestOutcome = { kind: "failed", fault: { code: "too-many-tests" } };

export function createDraftProbes({ clock, logger, network, refuse }: DraftProbeOptions): ProbeDraft {
  const runLimited = createRunLimited(MAX_DRAFT_PROBES);
  return async ({ workspace: { destinations } }, destinationId) => {
    const index = destinations.findIndex(({ id }) => id === destinationId);
    const destination = destinations[index];
    if (destination === undefined) return { kind: "failed", fault: { code: "unknown-destination" } };
    const origins = recipientOfDestination(destination, index).endpoints.map(({ url, path }) => ({
      url: new URL(url).origin,
      path: `${path}.url`,
    }));
    const findings = await runLimited(() => {
      logger.log("info", { code: "endpoints-probed", detail: origins.map(({ url }) => url).join(", ") });
      return probeOrigins(origins, { clock, network: network(), refuse, showsAddresses: false });
    });
    return findings === undefined
      ? { kind: "failed", fault: { code: "too-many-tests" } }
      : { kind: "probed", findings };
  };
}

export function createDraftTests(ports: DraftTestPorts): SendDraftTest {
  const runLimited = createRunLimited(MAX_DRAFT_TESTS);

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

  return async (workspace, request) => (await runLimited(() => send(workspace, request))) ?? TOO_MANY;
}

/** Begins the work and answers with its promise; undefined, and nothing is begun, while `max` are under way. */
type RunLimited = <T>(work: () => Promise<T>) => Promise<T> | undefined;

function createRunLimited(max: number): RunLimited {
  let underWay = 0;
  return (work) => {
    if (underWay >= max) return undefined;
    underWay += 1;
    return work().finally(() => (underWay -= 1));
  };
}

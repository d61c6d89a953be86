// Relays that follow each other in one process, on one store, as those of a recorded relay do: the next one knows what the former
// one has known. All that is sent is answered at once.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryRecord,
  type HttpRequest,
  type Reply,
  type Workspace,
} from "@postrider/core";
import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createSeededRandom,
  type ManualClock,
} from "@postrider/memory";
import { type AssembledRelay, assembleRelay } from "../../packages/relay/src/assemble-relay.js";
import { demandChecked } from "../../packages/relay/src/settings-in-force.js";
import { destination, track, WEBSITE } from "./rig.js";

export interface Takeover {
  readonly clock: ManualClock;
  readonly sent: readonly HttpRequest[];
  readonly accept: (messageId?: string) => Promise<void>;
  /** Another relay takes over. */
  readonly takeOver: () => Promise<void>;
  readonly all: () => Promise<readonly DeliveryRecord[]>;
  readonly stop: () => Promise<void>;
}

/** A relay that has been started, with one destination, https://a.example/hook. `statusOf` decides what is answered. */
export function createTakeover(statusOf: (request: HttpRequest) => number, changes: Partial<Workspace> = {}): Takeover {
  const clock = createManualClock();
  const requests: HttpRequest[] = [];
  const store = createMemoryStore({ disk: createMemoryDisk() });
  const workspace: Workspace = {
    sources: [{ id: WEBSITE, name: "website", writeKey: createSecret("wk") }],
    destinations: [destination("crm", ["a"])],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
    ...changes,
  };
  const send = (request: HttpRequest): Promise<Reply> => {
    requests.push(request);
    return Promise.resolve({
      kind: "answered",
      status: statusOf(request),
      afterMs: 0,
      excerpt: new Uint8Array(0),
    });
  };
  const options = { workspace, store, http: { send }, clock, random: createSeededRandom(1), gatherMs: 0 };
  const checked = demandChecked(workspace)._unsafeUnwrap();
  let current = start(assembleRelay(options, checked));

  function start(relay: AssembledRelay): AssembledRelay {
    relay.start();
    return relay;
  }

  /** The answer to what is asked, once the work that it waits for is done. */
  async function settled<T>(asked: PromiseLike<T>): Promise<T> {
    await clock.advance(10);
    return asked;
  }

  return {
    clock,
    sent: requests,
    accept: async (messageId) => {
      const calls = [track(messageId === undefined ? {} : { messageId })];
      (await settled(current.accept({ source: WEBSITE, calls })))._unsafeUnwrap();
    },
    takeOver: async () => {
      const former = current;
      const state = former.remember();
      const retired = former.retire();
      // As in a record: the state is plain data.
      current = start(assembleRelay(options, checked, JSON.parse(JSON.stringify(state)) as typeof state));
      await settled(retired);
    },
    all: async () => {
      const { deliveries } = await store.list({ limit: 1_000 });
      const records = await Promise.all(deliveries.map(({ id }) => store.find(id)));
      return records.filter((record) => record !== undefined);
    },
    stop: () => settled(current.stop()),
  };
}

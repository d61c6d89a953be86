// Sets the scene of one case.

import { defined } from "@postrider/core/engine";
import {
  type Changes,
  type CommitResult,
  type DeliveryStore,
  destinationId,
  type LeaseToken,
  leaseToken,
  type NewMessage,
  NO_COUNTS,
  type Settlement,
  sourceId,
} from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { createGateControl, type GateControl } from "./gate.js";
import type { DeliveryStoreHarness } from "./harness.js";
import { LEASE_MS, type Scene } from "./scene.js";
import { type RejectionWatch, watchRejections } from "./watch-rejections.js";

export interface OpenScene extends Scene {
  close(): Promise<void>;
}

/** Opens the storage for one case. No two runs of cases on a storage have the same `run`. */
export async function setScene(harness: DeliveryStoreHarness, run: number): Promise<OpenScene> {
  const storage = await openSharedStorage(harness);
  return sceneOver(storage, `case-${String(run)}`);
}

/** The storage, the stores and the clock that the scenes of a case share. */
interface SharedStorage {
  /** The store, as opened last. */
  current: DeliveryStore;
  readonly harness: DeliveryStoreHarness;
  readonly gates: GateControl;
  readonly rejections: RejectionWatch;
  readonly open: () => Promise<DeliveryStore>;
}

async function openSharedStorage(harness: DeliveryStoreHarness): Promise<SharedStorage> {
  const [gates, rejections] = [createGateControl(), watchRejections()];
  const open = async (): Promise<DeliveryStore> =>
    rejections.watched(await (harness.openGated?.(gates.create()) ?? harness.open()));
  return { current: await open(), harness, gates, rejections, open };
}

function sceneOver(storage: SharedStorage, name: string): OpenScene {
  const { harness, gates, rejections, open } = storage;
  const names = nameAll(name);
  const { source, lane, token } = names;
  let nowMs = harness.now();
  let messages = 0;
  let tokens = 0;
  let scenes = 0;
  let commitToken = token("");
  let claimToken = token("");

  function newToken(): LeaseToken {
    tokens += 1;
    return token(String(tokens));
  }

  function commitTo(store: DeliveryStore, changes: Partial<Changes>): Promise<CommitResult> {
    commitToken = newToken();
    const lease = { token: commitToken, leaseMs: LEASE_MS };
    return store.commit({ accept: [], replay: [], settle: [], append: [], tally: [], lease, ...changes }, nowMs);
  }

  const scene: OpenScene = {
    ...names,
    store: () => storage.current,
    ...openers(storage),
    crash: async (): Promise<void> => {
      storage.current = await open();
    },
    reopenCramped: async (): Promise<void> => {
      const cramped = await expectPresent(harness.openCramped?.(), "a harness that supports `full`: its `openCramped`");
      storage.current = rejections.watched(cramped);
    },
    isGated: harness.supports.interleaving === true,
    gates,
    anew: () => {
      scenes += 1;
      return sceneOver(storage, `${name}-${String(scenes)}`);
    },
    close: async (): Promise<void> => {
      await storage.current.close();
      rejections.expectNone();
    },

    now: () => nowMs,
    later: (ms) => (nowMs + ms) as typeof nowMs,
    advance: async (ms): Promise<void> => {
      await harness.advance(ms);
      nowMs = harness.now();
    },

    newToken,
    commitToken: () => commitToken,
    claimToken: () => claimToken,
    message: (fields = {}) => {
      messages += 1;
      const body = new TextEncoder().encode(`{"n":${String(messages)}}`) as NewMessage["body"];
      const deliveries = [{ destination: lane, start: { kind: "waiting", dueAt: nowMs } }] as const;
      const messageId = `message-${String(messages)}`;
      return { source, messageId, type: "track", receivedAt: nowMs, body, deliveries, filtered: [], ...fields };
    },
    commit: (changes, store = storage.current) => commitTo(store, changes),
    accept: async (fields) => {
      const [answer] = (await scene.commit({ accept: [scene.message(fields)] })).accepted;
      expectEqual(answer?.kind, "stored", "the answer to a new message");
      return answer?.kind === "stored" ? answer.deliveries : [];
    },
    acceptOne: async (fields) => expectPresent((await scene.accept(fields))[0], "the delivery of a new message"),
    claim: (options = {}) => {
      const { store = storage.current, limit = 10, retries } = options;
      const lanes = [{ lane: options.lane ?? lane, limit, ...defined({ retries }) }];
      claimToken = options.token ?? newToken();
      return store.claim({ token: claimToken, leaseMs: LEASE_MS, lanes }, nowMs);
    },
    claimIds: async (options) => (await scene.claim(options)).deliveries.map((claimed) => claimed.id),
    claimOne: async (options) => {
      const { deliveries } = await scene.claim(options);
      expectEqual(deliveries.length, 1, "how many deliveries a claim handed out");
      return expectPresent(deliveries[0], "the claimed delivery");
    },
    settle: async ({ store = storage.current, ...given }) => {
      const settlement: Settlement = { token: claimToken, attempts: [], endpoints: [], ...given };
      return (await commitTo(store, { settle: [settlement] })).settled[0];
    },
    finish: async (outcome, { attempts = [], endpoints = [], ...given } = {}) => {
      const deliveries = [{ destination: lane, start: { kind: "claimed" } }] as const;
      const id = await scene.acceptOne({ deliveries, ...given });
      const settled = await scene.settle({ id, token: commitToken, outcome, attempts, endpoints });
      expectEqual(settled, "settled", "the settlement of a delivery stored as claimed");
      return id;
    },

    record: async (id) => expectPresent(await storage.current.find(id), "the record of a delivery"),
    expectCounts: async (expected, when, of = source): Promise<void> => {
      const row = (await storage.current.counts()).find((counts) => counts.source === of);
      const received = row?.received ?? 0;
      const counts = { ...NO_COUNTS, received, source: of, ...expected };
      expectEqual({ ...NO_COUNTS, source: of, ...row }, counts, `counters ${when}`);
    },
  };
  return scene;
}

/** Functions that open the storage of a scene besides the store in use. */
function openers({
  harness,
  rejections,
  open,
}: SharedStorage): Pick<Scene, "openAnother" | "openWithClock" | "openDamaged"> {
  return {
    openAnother: open,
    openWithClock: async () => {
      const clocked = await expectPresent(harness.openWithClock?.(), "a harness with `clock`: its `openWithClock`");
      return rejections.watched(clocked);
    },
    openDamaged: async () =>
      rejections.watched(await expectPresent(harness.openDamaged?.(), "a harness with `damage`: its `openDamaged`")),
  };
}

function nameAll(name: string): Pick<Scene, "uniqueName" | "source" | "otherSource" | "lane" | "otherLane" | "token"> {
  return {
    uniqueName: (of) => `${name}/${of}`,
    source: sourceId(`${name}-source`),
    otherSource: sourceId(`${name}-other-source`),
    lane: destinationId(`${name}-lane`),
    otherLane: destinationId(`${name}-other-lane`),
    token: (of) => leaseToken(`${name}-token-${of}`),
  };
}

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
  latestStore: DeliveryStore;
  readonly harness: DeliveryStoreHarness;
  readonly gates: GateControl;
  readonly rejections: RejectionWatch;
  readonly open: () => Promise<DeliveryStore>;
}

async function openSharedStorage(harness: DeliveryStoreHarness): Promise<SharedStorage> {
  const [gates, rejections] = [createGateControl(), watchRejections()];
  const open = async (): Promise<DeliveryStore> =>
    rejections.watch(await (harness.openGated?.(gates.create()) ?? harness.open()));
  return { latestStore: await open(), harness, gates, rejections, open };
}

function sceneOver(storage: SharedStorage, name: string): OpenScene {
  const { harness, gates, rejections } = storage;
  const names = nameAll(name);
  const { source, lane, token } = names;
  let nowMs = harness.now();
  let messageCount = 0;
  let tokenCount = 0;
  let sceneCount = 0;
  let commitToken = token("");
  let claimToken = token("");

  function newToken(): LeaseToken {
    tokenCount += 1;
    return token(String(tokenCount));
  }

  function commitTo(store: DeliveryStore, changes: Partial<Changes>): Promise<CommitResult> {
    commitToken = newToken();
    const lease = { token: commitToken, leaseMs: LEASE_MS };
    return store.commit({ accept: [], replay: [], settle: [], append: [], tally: [], lease, ...changes }, nowMs);
  }

  const scene: OpenScene = {
    ...names,
    store: () => storage.latestStore,
    ...openers(storage),
    isGated: harness.supports.interleaving === true,
    gates,
    anew: () => {
      sceneCount += 1;
      return sceneOver(storage, `${name}-${String(sceneCount)}`);
    },
    close: async (): Promise<void> => {
      await storage.latestStore.close();
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
      messageCount += 1;
      const body = new TextEncoder().encode(`{"n":${String(messageCount)}}`) as NewMessage["body"];
      const deliveries = [{ destination: lane, start: { kind: "waiting", dueAt: nowMs } }] as const;
      const messageId = `message-${String(messageCount)}`;
      return { source, messageId, type: "track", receivedAt: nowMs, body, deliveries, filtered: [], ...fields };
    },
    commit: (changes, store = storage.latestStore) => commitTo(store, changes),
    accept: async (fields) => {
      const [answer] = (await scene.commit({ accept: [scene.message(fields)] })).accepted;
      expectEqual(answer?.kind, "stored", "the answer to a new message");
      return answer?.kind === "stored" ? answer.deliveries : [];
    },
    acceptOne: async (fields) => expectPresent((await scene.accept(fields))[0], "the delivery of a new message"),
    claim: (options = {}) => {
      const { store = storage.latestStore, limit = 10, retries } = options;
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
    settle: async ({ store = storage.latestStore, ...fields }) => {
      const settlement: Settlement = { token: claimToken, attempts: [], endpoints: [], ...fields };
      return (await commitTo(store, { settle: [settlement] })).settled[0];
    },
    finish: async (outcome, { attempts = [], endpoints = [], ...fields } = {}) => {
      const deliveries = [{ destination: lane, start: { kind: "claimed" } }] as const;
      const id = await scene.acceptOne({ deliveries, ...fields });
      const answer = await scene.settle({ id, token: commitToken, outcome, attempts, endpoints });
      expectEqual(answer, "settled", "the settlement of a delivery stored as claimed");
      return id;
    },

    record: async (id) => expectPresent(await storage.latestStore.find(id), "the record of a delivery"),
    expectCounts: async (expected, when, countedSource = source): Promise<void> => {
      const row = (await storage.latestStore.counts()).find((counts) => counts.source === countedSource);
      const received = row?.received ?? 0;
      const counts = { ...NO_COUNTS, received, source: countedSource, ...expected };
      expectEqual({ ...NO_COUNTS, source: countedSource, ...row }, counts, `counters ${when}`);
    },
  };
  return scene;
}

type Openers = Pick<Scene, "crash" | "reopen" | "reopenCramped" | "openAnother" | "openWithClock" | "openDamaged"> &
  Pick<Scene, "openWithEnd" | "beginTransaction" | "awaitHint">;

/** The functions of a scene that open its storage, instead of the store in use or beside it. */
function openers(storage: SharedStorage): Openers {
  const { harness, rejections, open } = storage;
  const reopen = async (): Promise<void> => {
    storage.latestStore = await open();
  };
  return {
    crash: reopen,
    reopen,
    reopenCramped: async () => {
      const cramped = await expectPresent(harness.openCramped?.(), "a harness that supports `full`: its `openCramped`");
      storage.latestStore = rejections.watch(cramped);
    },
    openAnother: open,
    openWithClock: async () => {
      const store = await expectPresent(harness.openWithClock?.(), "a harness with `clock`: its `openWithClock`");
      return rejections.watch(store);
    },
    openDamaged: async () =>
      rejections.watch(await expectPresent(harness.openDamaged?.(), "a harness with `damage`: its `openDamaged`")),
    openWithEnd: async () => {
      const { store, end } = await expectPresent(harness.openWithEnd?.(), "a harness with `onEnd`: its `openWithEnd`");
      return { store: rejections.watch(store), end };
    },
    beginTransaction: () =>
      expectPresent(harness.beginTransaction?.(), "a harness with `outbox`: its `beginTransaction`"),
    awaitHint: () => expectPresent(harness.awaitHint?.(), "a harness with `hints`: its `awaitHint`"),
  };
}

function nameAll(name: string): Pick<Scene, "uniqueName" | "source" | "otherSource" | "lane" | "otherLane" | "token"> {
  return {
    uniqueName: (suffix) => `${name}/${suffix}`,
    source: sourceId(`${name}-source`),
    otherSource: sourceId(`${name}-other-source`),
    lane: destinationId(`${name}-lane`),
    otherLane: destinationId(`${name}-other-lane`),
    token: (suffix) => leaseToken(`${name}-token-${suffix}`),
  };
}

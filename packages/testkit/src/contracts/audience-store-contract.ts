// The contract of the audience port, as cases, and the scene that each case gets. The cases test what the comments of
// `AudienceStore` say. Knows no store and no test runner.

import type { AudienceStore, Member } from "@postrider/core";
import {
  caseFor,
  chooseCases,
  type ContractCase,
  type ContractOptions,
  supportFor,
  expectNeededMembers,
} from "./contract-case.js";
import { APPENDING_CASES, DROPPING_CASES, READING_CASES } from "./audience-store/members.js";
import { ERASING_CASES, SURVIVING_CASES } from "./audience-store/erase.js";
import { type AudienceStoreHarness, NEEDED_BY_PART } from "./audience-store/harness.js";
import { CRASHING_CASES, RACING_CASES } from "./audience-store/racing.js";
import { FAILING_CASES } from "./audience-store/failing.js";
import type { AudienceCase, Scene } from "./audience-store/scene.js";
import { SHARING_CASES } from "./audience-store/sharing.js";
import { expectPresent, expectThat } from "./check.js";
import { createGateControl, type GateControl } from "./delivery-store/gate.js";
import { type RejectionWatch, watchRejections } from "./delivery-store/watch-rejections.js";
import { RECORD_CASES } from "./record-store/cases.js";

const CASES: readonly AudienceCase[] = [
  ...RECORD_CASES,
  ...APPENDING_CASES,
  ...READING_CASES,
  ...DROPPING_CASES,
  ...ERASING_CASES,
  ...SURVIVING_CASES,
  ...SHARING_CASES,
  ...RACING_CASES,
  ...CRASHING_CASES,
  ...FAILING_CASES,
];

/** All promises of an audience store. Run them one after the other; they share the storage that `open` opens. */
export function audienceStoreContract(
  harness: AudienceStoreHarness,
  options: ContractOptions = {},
): readonly ContractCase[] {
  let runs = 0;
  const cases = CASES.map((audienceCase) =>
    caseFor(audienceCase.name, supportFor(harness.supports, audienceCase.needs), () => {
      runs += 1;
      return play(harness, audienceCase, runs);
    }),
  );
  return chooseCases(cases, options);
}

async function play(harness: AudienceStoreHarness, audienceCase: AudienceCase, run: number): Promise<void> {
  const scene = await setScene(harness, run);
  try {
    const parts = [...(audienceCase.needs ?? []), ...(scene.isGated ? (["interleaving"] as const) : [])];
    expectNeededMembers(parts, NEEDED_BY_PART, { harness, store: scene.store() });
    await audienceCase.play(scene);
  } finally {
    await scene.close();
  }
}

/** More pages than any set of these cases has. */
const MAX_PAGES = 100_000;

interface OpenScene extends Scene {
  close(): Promise<void>;
}

/** Opens the storage for one case. No two runs of cases on a storage have the same `run`. */
async function setScene(harness: AudienceStoreHarness, run: number): Promise<OpenScene> {
  const [gates, rejections] = [createGateControl(), watchRejections()];
  const open = async (): Promise<AudienceStore> =>
    rejections.watch(await (harness.openGated?.(gates.create()) ?? harness.open()));
  return sceneOver({ latestStore: await open(), harness, gates, rejections, open }, `case-${String(run)}`);
}

/** The parts that the scenes of a case share. */
interface SharedStorage {
  /** The store, as opened last. */
  latestStore: AudienceStore;
  readonly harness: AudienceStoreHarness;
  readonly gates: GateControl;
  readonly rejections: RejectionWatch;
  readonly open: () => Promise<AudienceStore>;
}

function sceneOver(storage: SharedStorage, name: string): OpenScene {
  const { harness, gates, rejections, open } = storage;
  const uniqueName = (suffix: string): string => `${name}/${suffix}`;
  let scenes = 0;

  const reopen = async (): Promise<void> => {
    storage.latestStore = await open();
  };

  const scene: OpenScene = {
    uniqueName,
    store: () => storage.latestStore,
    openAnother: open,
    crash: reopen,
    reopen,
    reopenCramped: async (): Promise<void> => {
      const cramped = await expectPresent(harness.openCramped?.(), "a harness that supports `full`: its `openCramped`");
      storage.latestStore = rejections.watch(cramped);
    },
    isGated: harness.supports.interleaving === true,
    gates,
    anew: () => {
      scenes += 1;
      return sceneOver(storage, `${name}-${String(scenes)}`);
    },
    append: (set, userIds, store = storage.latestStore) =>
      store.append(
        set,
        userIds.map((userId) => ({ userId })),
      ),
    readAll: async (set, after) => {
      const members: Member[] = [];
      let lastId = after;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const pageMembers = await storage.latestStore.read(set, lastId);
        if (pageMembers.length === 0) return members;
        for (const member of pageMembers) members.push(member);
        lastId = pageMembers.at(-1)?.userId;
      }
      throw new Error(`a set has no end after ${String(MAX_PAGES)} pages`);
    },
    readIds: async (set, after) => (await scene.readAll(set, after)).map(({ userId }) => userId),
    drop: async (set) => {
      let isGone = false;
      let parts = 0;
      for (; parts < MAX_PAGES && !isGone; parts += 1) isGone = await storage.latestStore.drop(set);
      expectThat(isGone, `a set is still there after ${String(parts)} calls of drop`);
    },
    close: async (): Promise<void> => {
      await storage.latestStore.close();
      rejections.expectNone();
    },
  };
  return scene;
}

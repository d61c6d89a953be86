// Sets the scene of one case.

import { type AudienceRecord, destinationId, epochMs, type Member } from "@postrider/core";
import { expectPresent, expectThat } from "../check.js";
import type { AudienceStoreHarness } from "./harness.js";
import type { Scene } from "./scene.js";

/** More pages than any set of these cases has. */
const MAX_PAGES = 100_000;

export interface OpenScene extends Scene {
  close(): Promise<void>;
}

/** Opens the storage for one case. No two runs of cases on a storage have the same `run`. */
export async function setScene(harness: AudienceStoreHarness, run: number): Promise<OpenScene> {
  const uniqueName = (name: string): string => `case-${String(run)}/${name}`;
  let current = await harness.open();

  const scene: OpenScene = {
    uniqueName,
    record: (name, given) => ({ ...newRecord(uniqueName(name)), ...given }),
    store: () => current,
    openAnother: () => harness.open(),
    crash: async (): Promise<void> => {
      current = await harness.open();
    },
    reopenCramped: async (): Promise<void> => {
      current = await expectPresent(harness.openCramped?.(), "a harness that supports `full`: its `openCramped`");
    },
    append: (set, userIds) =>
      current.append(
        set,
        userIds.map((userId) => ({ userId })),
      ),
    readAll: async (set, after) => {
      const members: Member[] = [];
      let last = after;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const next = await current.read(set, last);
        if (next.length === 0) return members;
        for (const member of next) members.push(member);
        last = next.at(-1)?.userId;
      }
      throw new Error(`a set has no end after ${String(MAX_PAGES)} pages`);
    },
    readIds: async (set, after) => (await scene.readAll(set, after)).map(({ userId }) => userId),
    drop: async (set) => {
      let [parts, isGone] = [0, false];
      for (; parts < MAX_PAGES && !isGone; parts += 1) isGone = await current.drop(set);
      expectThat(isGone, `a set is still there after ${String(parts)} calls of drop`);
    },
    close: () => current.close(),
  };
  return scene;
}

function newRecord(key: string): AudienceRecord {
  return {
    ...{ key, id: `id of ${key}`, name: key, kind: "audience", sendsAs: "identify" },
    destinations: [destinationId("crm")],
    createdAt: epochMs(1_763_724_404_000),
    ...{ revision: 1, syncs: 0, running: null, last: null, told: [] },
  };
}

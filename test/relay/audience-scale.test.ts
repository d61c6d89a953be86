// Syncs of a hundred thousand members: the result is exact, memory is bounded, and the host sees the progress.

import type { AudienceStore } from "@postrider/core";
import type { SyncProgress } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { CRM, createAudienceRig, crm } from "./audience-rig.js";

const MEMBERS = 100_000;

/** A hundred thousand users from `first` on, unsorted. */
function* users(first: number): Generator<string> {
  for (let index = 0; index < MEMBERS; index += 1) {
    yield `user-${String(first + ((index * 7_919) % MEMBERS)).padStart(7, "0")}`;
  }
}

describe("a sync of 100,000 members", () => {
  it("tells all of them at first and only changes later, and reports its progress", async () => {
    const rig = createAudienceRig({
      destinations: [crm({ paused: true })],
      relay: { syncBounds: { chunkMembers: 5_000, runChunks: 4, mergeRuns: 3, laneDeliveries: 1_000_000 } },
    });
    await rig.create();
    const steps: SyncProgress[] = [];
    const first = await rig.sync(users(0), { onProgress: (progress) => steps.push(progress) });
    expect(first).toMatchObject({ members: MEMBERS, entered: MEMBERS, departed: 0 });
    expectProgress(steps);

    const second = await rig.sync(users(500));
    expect(second).toMatchObject({ members: MEMBERS, entered: 500, departed: 500, changed: 0 });
    const { lanes } = await rig.deliveries.lanes({ limit: 1 }, rig.clock.wall());
    expect(lanes).toMatchObject([{ lane: CRM, deliveries: MEMBERS + 1_000 }]);
    expect(await rig.audiences.sets("")).toHaveLength(1);
    await expectSet(rig.audiences, (await rig.record()).told[0]?.parts[0]?.set ?? "");
  });
});

/** Each phase comes after the one before it, goes up, and ends with all. */
function expectProgress(steps: readonly SyncProgress[]): void {
  const phases = [...new Set(steps.map(({ phase }) => phase))];
  expect(phases).toEqual(["collecting", "merging", "sending"]);
  expect(steps.map(({ phase }) => phases.indexOf(phase))).toEqual(
    steps.map(({ phase }) => phases.indexOf(phase)).toSorted((one, other) => one - other),
  );
  for (const phase of phases) expect(steps.findLast((step) => step.phase === phase)?.done).toBe(MEMBERS);
  expect(steps.at(-1)).toEqual({ phase: "sending", done: MEMBERS, total: MEMBERS });
}

/** Holds exactly the second sync's members, in order. */
async function expectSet(audiences: AudienceStore, set: string): Promise<void> {
  let next = 500;
  for (let page = await audiences.read(set); page.length > 0; page = await audiences.read(set, page.at(-1)?.userId)) {
    for (const { userId } of page) {
      expect(userId === `user-${String(next).padStart(7, "0")}`).toBe(true);
      next += 1;
    }
  }
  expect(next).toBe(500 + MEMBERS);
}

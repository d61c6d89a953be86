// Cases of changed lanes: a store reports every lane that changes, as it is afterwards, and nothing once no lane changes.

import {
  laneMark,
  type ChangedLanes,
  type DestinationId,
  type LaneChanges,
  type LaneMark,
  type LaneRow,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent } from "../check.js";
import { deletionScene } from "./users.js";
import { expectReadsOrRejections } from "./faults.js";
import { raceCases } from "./race.js";
import {
  DELIVERED,
  waitingDelivery,
  attempt,
  claimedDelivery,
  DEAD,
  releasedOutcome,
  rescheduledOutcome,
} from "./samples.js";
import { LEASE_MS, type StoreCase, type StoreRace, type Scene } from "./scene.js";

const CHANGE_RACES: readonly StoreRace[] = [
  {
    name: "a change that is made while changes are read is told by that read, or by the next",
    needs: ["laneChanges"],
    async play(scene, { otherStore, together }) {
      const mark = await markOfNow(scene);
      const readChanges = () => changesOf(otherStore.laneChanges).read({ after: mark, limit: 100 });
      const [, answer] = await together(() => scene.acceptOne(), readChanges);
      const page = expectPresent(answer, "the changes after a mark of this case");
      const nextPage = await changedAfter(scene, page.mark);
      const isReported = [...page.lanes, ...nextPage.lanes].some(({ lane }) => lane === scene.lane);
      expectEqual(isReported, true, "whether the lane is told");
    },
  },
];

export const CHANGING_LANES_CASES: readonly StoreCase[] = [
  {
    name: "whatever changes a lane is told to those who ask for changes, with the lane as it is then",
    needs: ["laneChanges"],
    async play(scene) {
      for (const change of LANE_CHANGE_MOVES) {
        const newScene = scene.anew();
        const call = await change.prepare(newScene);
        const mark = await markOfNow(newScene);
        await call();
        expectEqual(
          reportedRows(newScene, await changedAfter(newScene, mark)),
          await rowOfLane(newScene),
          `the lane after: ${change.name}`,
        );
      }
    },
  },
  {
    name: "a purge that removes what waits in a lane is told to those who ask for changes",
    needs: ["laneChanges", "deletions"],
    async play(scene) {
      const { user, open, purge } = deletionScene(scene);
      await scene.acceptOne();
      await scene.acceptOne({ userIds: [user("ann")] });
      const mark = await markOfNow(scene);
      await open({ userIds: [user("ann")] });
      await purge();
      const remainingRows = await rowOfLane(scene);
      expectEqual(remainingRows[0]?.deliveries, 1, "what is left");
      expectEqual(reportedRows(scene, await changedAfter(scene, mark)), remainingRows, "the lane after the purge");
    },
  },
  {
    name: "pages of changes tell each changed lane once and go on where the last one ended, until nothing has changed",
    needs: ["laneChanges"],
    async play(scene) {
      const { lane, otherLane } = scene;
      const mark = await markOfNow(scene);
      await scene.accept({ deliveries: [waitingDelivery(lane, scene.now()), waitingDelivery(otherLane, scene.now())] });
      await scene.finish(DELIVERED);
      const firstPage = expectPresent(await readAfter(scene, mark, 1), "the first page");
      const secondPage = expectPresent(await readAfter(scene, firstPage.mark, 1), "the second page");
      const laneIds = [firstPage, secondPage].flatMap(({ lanes }) => lanes.map((row) => row.lane));
      expectEqual([firstPage.more, laneIds.toSorted()], [true, [lane, otherLane].toSorted()], "the lanes of two pages");
      const { mark: lastMark } = await changedAfter(scene, secondPage.mark);
      const { lanes, emptied } = await changedAfter(scene, lastMark);
      expectEqual([lanes, emptied], [[], []], "what is told once all is told");
    },
  },
  {
    name: "without a mark no change is told, and with a mark that no store has created none is known",
    needs: ["laneChanges"],
    async play(scene) {
      await scene.acceptOne();
      const { lanes, emptied, more } = expectPresent(
        await changesOf(scene.store().laneChanges).read({ limit: 9 }),
        "a mark",
      );
      expectEqual([lanes, emptied, more], [[], [], false], "what is told without a mark");
      for (const text of ["", "made up", "-1"]) {
        expectEqual(await readAfter(scene, laneMark(text), 9), undefined, `what is told after ${JSON.stringify(text)}`);
      }
    },
  },
  {
    name: "a mark outlives a crash: what has changed since is told, or is said to be unknown",
    needs: ["laneChanges", "restart"],
    async play(scene) {
      const mark = await markOfNow(scene);
      await scene.acceptOne();
      await scene.crash();
      const page = await readAfter(scene, mark, 100);
      if (page !== undefined) expectEqual(reportedRows(scene, page), await rowOfLane(scene), "the lane after a crash");
    },
  },
  {
    name: "a read of changes that fails rejects: it never answers as if nothing had changed",
    needs: ["laneChanges", "faults"],
    async play(scene) {
      const mark = await markOfNow(scene);
      await scene.acceptOne();
      // Marks may go on although nothing changes.
      const readChanges = async () => ({ ...(await readAfter(scene, mark, 100)), mark: undefined });
      await expectReadsOrRejections(scene, [{ name: "laneChanges.read", read: readChanges }]);
    },
  },
  ...raceCases(CHANGE_RACES),
];

interface LaneChangeMove {
  readonly name: string;
  /** Prepares the lane, and answers the call that changes it. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<unknown>>;
}

const LANE_CHANGE_MOVES: readonly LaneChangeMove[] = [
  { name: "a waiting delivery was stored", prepare: (scene) => unprepared(() => scene.acceptOne()) },
  {
    name: "a claimed delivery was stored",
    prepare: (scene) => unprepared(() => scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] })),
  },
  { name: "a delivery was claimed", prepare: afterOne((scene) => scene.claim()) },
  { name: "a delivery was ended", prepare: afterOne((scene) => endLane(scene)) },
  { name: "a lease was brought forward", prepare: afterOne((scene) => pullIn(scene), true) },
  ...[DELIVERED, DEAD].map((outcome) => settleMove(outcome.kind, () => outcome)),
  settleMove("rescheduled", (scene) => rescheduledOutcome(scene.later(9_000))),
  settleMove("released", (scene) => releasedOutcome(scene.now())),
  settleMove("tried, and nothing else", (scene) => rescheduledOutcome(scene.later(LEASE_MS))),
  {
    name: "a delivery that was tried made room for one that was not",
    prepare: async (scene) => {
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts: [attempt(scene.now())] });
      await scene.claim();
      const settle = [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [], endpoints: [] }];
      const accept = [scene.message({ deliveries: [claimedDelivery(scene.lane)] })];
      return () => scene.commit({ accept, settle });
    },
  },
  {
    name: "a delivery was replayed",
    prepare: async (scene) => {
      const id = await scene.finish(DEAD);
      return () => scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
    },
  },
];

function settleMove(
  kind: string,
  outcomeOf: (scene: Scene) => Parameters<Scene["settle"]>[0]["outcome"],
): LaneChangeMove {
  const attemptsOf = (scene: Scene) => [attempt(scene.now())];
  return {
    name: `a delivery was settled as ${kind}`,
    prepare: async (scene) => {
      const id = await scene.acceptOne();
      await scene.claim();
      return () => scene.settle({ id, outcome: outcomeOf(scene), attempts: attemptsOf(scene) });
    },
  };
}

/** A move that needs no preparation. */
function unprepared(call: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  return Promise.resolve(call);
}

function afterOne(call: (scene: Scene) => Promise<unknown>, isClaimed = false): LaneChangeMove["prepare"] {
  return async (scene) => {
    await scene.acceptOne();
    if (isClaimed) await scene.claim();
    return () => call(scene);
  };
}

function endLane(scene: Scene): Promise<number> {
  return scene.store().end({ lane: scene.lane, reason: "expired", limit: 5 }, scene.now());
}

function pullIn(scene: Scene): Promise<number> {
  const request = { lane: scene.lane, dueAfter: scene.later(1), dueAt: scene.now(), limit: 5 };
  return scene.store().pullIn(request, scene.now());
}

function changesOf(changes: LaneChanges | undefined): LaneChanges {
  return expectPresent(changes, "the changes of a store that supports `laneChanges`");
}

function readAfter(scene: Scene, after: LaneMark, limit: number): Promise<ChangedLanes | undefined> {
  return changesOf(scene.store().laneChanges).read({ after, limit });
}

async function markOfNow(scene: Scene): Promise<LaneMark> {
  const page = await changesOf(scene.store().laneChanges).read({ limit: 0 });
  return expectPresent(page, "the mark of now").mark;
}

async function changedAfter(scene: Scene, mark: LaneMark): Promise<ChangedLanes> {
  return expectPresent(await readAfter(scene, mark, 1_000), "the changes after a mark of this case");
}

/** The row of the scene's lane in a page of changes; none if it is reported as empty. Fails unless the lane is reported once. */
function reportedRows({ lane }: Scene, { lanes, emptied }: ChangedLanes): readonly LaneRow[] {
  const rows = lanes.filter((row) => row.lane === lane);
  const times = rows.length + emptied.filter((id: DestinationId) => id === lane).length;
  expectEqual(times, 1, `how often a page tells the lane ${lane} that has changed`);
  return rows;
}

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 500;

/** The row of the scene's lane among all lanes; none if it has no deliveries. */
async function rowOfLane(scene: Scene): Promise<readonly LaneRow[]> {
  let after: DestinationId | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { lanes, more } = await scene.store().lanes({ limit: 1_000, ...defined({ after }) }, scene.now());
    const row = lanes.find(({ lane }) => lane === scene.lane);
    if (row !== undefined) return [row];
    if (!more) break;
    after = lanes.at(-1)?.lane;
  }
  return [];
}

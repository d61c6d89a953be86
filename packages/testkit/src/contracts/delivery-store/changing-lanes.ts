// What a store tells of lanes that have changed: every change, the lane as it is afterwards, and no end of nothing.

import { laneMark } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { expectReadsOrRejections } from "./failing-reads.js";
import { LANE_CHANGE_MOVES } from "./lane-change-moves.js";
import { changedAfter, changesOf, rowOfLane, markOfNow, mine, readAfter } from "./lane-change-scene.js";
import { raceCases } from "./race.js";
import { DELIVERED, waitingDelivery } from "./samples.js";
import type { StoreCase, StoreRace } from "./scene.js";

const CHANGE_RACES: readonly StoreRace[] = [
  {
    name: "a change that is made while changes are read is told by that read, or by the next",
    needs: ["laneChanges"],
    async play(scene, { other, together }) {
      const mark = await markOfNow(scene);
      const read = () => changesOf(other.laneChanges).read({ after: mark, limit: 100 });
      const [, first] = await together(() => scene.acceptOne(), read);
      const page = expectPresent(first, "the changes after a mark of this case");
      const next = await changedAfter(scene, page.mark);
      const told = [...page.lanes, ...next.lanes].some(({ lane }) => lane === scene.lane);
      expectEqual(told, true, "whether the lane is told");
    },
  },
];

export const CHANGING_LANES_CASES: readonly StoreCase[] = [
  {
    name: "whatever changes a lane is told to those who ask for changes, with the lane as it is then",
    needs: ["laneChanges"],
    async play(scene) {
      for (const change of LANE_CHANGE_MOVES) {
        const own = scene.anew();
        const call = await change.prepare(own);
        const mark = await markOfNow(own);
        await call();
        expectEqual(mine(own, await changedAfter(own, mark)), await rowOfLane(own), `the lane after: ${change.name}`);
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
      const left = await rowOfLane(scene);
      expectEqual(left[0]?.deliveries, 1, "what is left");
      expectEqual(mine(scene, await changedAfter(scene, mark)), left, "the lane after the purge");
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
      const first = expectPresent(await readAfter(scene, mark, 1), "the first page");
      const second = expectPresent(await readAfter(scene, first.mark, 1), "the second page");
      const told = [first, second].flatMap(({ lanes }) => lanes.map((row) => row.lane));
      expectEqual([first.more, told.toSorted()], [true, [lane, otherLane].toSorted()], "the lanes of two pages");
      const { mark: last } = await changedAfter(scene, second.mark);
      const { lanes, emptied } = await changedAfter(scene, last);
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
      if (page !== undefined) expectEqual(mine(scene, page), await rowOfLane(scene), "the lane after a crash");
    },
  },
  {
    name: "a read of changes that fails rejects: it never answers as if nothing had changed",
    needs: ["laneChanges", "faults"],
    async play(scene) {
      const mark = await markOfNow(scene);
      await scene.acceptOne();
      // Marks may go on although nothing changes.
      const read = async () => ({ ...(await readAfter(scene, mark, 100)), mark: undefined });
      await expectReadsOrRejections(scene, [{ name: "laneChanges.read", read }]);
    },
  },
  ...raceCases(CHANGE_RACES),
];

// Two processes of a board at the same time: none may miss what the other has announced, and none is lost.

import type { BoardNews } from "@postrider/core";
import { expectThat } from "../check.js";
import { beat, boardOf, expectLiving, processOf } from "./board-scene.js";
import { raceCases } from "./race.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";

const BEAT_RACES: readonly StoreRace[] = [
  {
    name: "of the first beats of two processes at the same time, one sees the other",
    needs: ["board"],
    async play(scene, { other, together }) {
      const [ann, bob] = await together(
        () => beat(scene, { process: "ann", share: 0.25 }),
        () => beat(scene, { process: "bob", share: 0.5, store: other }),
      );
      const isSeen = sees(scene, ann, "bob", 0.5) || sees(scene, bob, "ann", 0.25);
      expectThat(isSeen, "neither of the two beats tells what the other has announced");
      const told = await beat(scene, { process: "carl", share: 1 });
      expectLiving(scene, told, { ann: 0.25, bob: 0.5, carl: 1 }, "who lives after both");
    },
  },
  {
    name: "of two beats at the same time that announce other shares than before, one sees the new share of the other",
    needs: ["board"],
    async play(scene, { other, together }) {
      await beat(scene, { process: "ann", share: 1 });
      await beat(scene, { process: "bob", share: 0 });
      const [ann, bob] = await together(
        () => beat(scene, { process: "ann", share: 0.5 }),
        () => beat(scene, { process: "bob", share: 0.5, store: other }),
      );
      const isSeen = sees(scene, ann, "bob", 0.5) || sees(scene, bob, "ann", 0.5);
      expectThat(isSeen, "both beats tell the share that the other had before");
      const told = await beat(scene, { process: "ann", share: 0.5 });
      expectLiving(scene, told, { ann: 0.5, bob: 0.5 }, "who lives after both");
    },
  },
  {
    name: "a process that beats again while another removes it lives, with its new share",
    needs: ["board"],
    async play(scene, { other, together }) {
      const [now, liveForMs] = [scene.later(6_001), 6_000];
      await beat(scene, { process: "late", share: 0.25 });
      const [own] = await together(
        () => beat(scene, { process: "late", share: 0.75, now, liveForMs }),
        () => beat(scene, { process: "bob", now, liveForMs, store: other }),
      );
      expectThat(sees(scene, own, "late", 0.75), "a beat that does not tell of the process that asks");
      const told = await beat(scene, { process: "bob", now, liveForMs });
      expectLiving(scene, told, { late: 0.75, bob: 0 }, "who lives after both");
    },
  },
  {
    name: "a process that leaves while another beats has left, and the other lives",
    needs: ["board"],
    async play(scene, { other, together }) {
      await beat(scene, { process: "ann", share: 0.25 });
      await together(
        () => boardOf(scene).leave(processOf(scene, "ann")),
        () => beat(scene, { process: "bob", share: 0.5, store: other }),
      );
      const told = await beat(scene, { process: "carl", share: 1 });
      expectLiving(scene, told, { bob: 0.5, carl: 1 }, "who lives after both");
    },
  },
];

function sees(scene: Scene, { processes }: BoardNews, name: string, share: number): boolean {
  return processes.some((one) => one.process === processOf(scene, name) && one.share === share);
}

/** The same race, after which its processes leave: each beat would tell all those of the races before. */
function andLeave(race: StoreRace): StoreRace {
  return {
    ...race,
    play: async (scene, moves): Promise<void> => {
      await race.play(scene, moves);
      for (const name of ["ann", "bob", "carl", "late"]) await boardOf(scene).leave(processOf(scene, name));
    },
  };
}

export const RACING_BEAT_CASES: readonly StoreCase[] = raceCases(BEAT_RACES.map(andLeave));

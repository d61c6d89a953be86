// Cases of a board on a storage that fails at one access, each in turn. A write, a beat or a leave takes effect whole
// or not at all, and no beat answers as if nothing were there.

import type { BoardRow } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { atEachAccess } from "./faults.js";
import {
  beat,
  boardRow,
  cursorOf,
  expectLiving,
  expectRows,
  namedLane,
  readBoard,
  writeRows,
  boardOf,
  expectLatest,
  processOf,
} from "./board-scene.js";
import { MAX_STEPS, releaseSteps } from "./gate.js";
import type { StoreCase, Scene } from "./scene.js";
import { endpoint } from "./samples.js";

export const FAILING_BOARD_CASES: readonly StoreCase[] = [
  {
    name: "what changes a board and fails as `busy` or `full` has changed nothing, and takes effect when it is repeated",
    needs: ["board", "faults"],
    async play(scene) {
      for (const { name, prepare } of BOARD_CHANGES) {
        for (const code of ["busy", "full"] as const) {
          await atEachAccess(scene, { code, at: "before" }, async (newScene, plan) => {
            const { make, isThere } = await prepare(newScene);
            const hasHappened = newScene.gates.plan(plan);
            const rejectionCode = await rejectionCodeOf(make());
            const isFailed = hasHappened() && rejectionCode !== undefined;
            if (isFailed) {
              expectEqual(rejectionCode, code, `the code with which \`${name}\` rejects`);
              expectThat(!(await isThere()), `\`${name}\` has failed as ${code}, and has taken effect`);
              await make();
            }
            expectThat(await isThere(), `\`${name}\` was answered, and has not taken effect`);
            return isFailed;
          });
        }
      }
    },
  },
  {
    name: "what changes a board, and whose answer is lost, has taken effect whole or not at all, after a crash too",
    needs: ["board", "faults", "restart"],
    async play(scene) {
      for (const { name, prepare } of BOARD_CHANGES) {
        for (const at of ["before", "after"] as const) {
          await atEachAccess(scene, { code: "unavailable", at }, async (newScene, plan) => {
            const { make, isThere } = await prepare(newScene);
            const hasHappened = newScene.gates.plan(plan);
            const rejectionCode = await rejectionCodeOf(make());
            const isFailed = hasHappened() && rejectionCode !== undefined;
            if (isFailed) expectEqual(rejectionCode, "unavailable", `the code with which \`${name}\` rejects`);
            await newScene.crash();
            const wasThere = await isThere();
            expectThat(wasThere || isFailed, `\`${name}\` was answered, and has not taken effect`);
            await make();
            expectThat(await isThere(), `\`${name}\` has not taken effect when it was repeated`);
            return isFailed;
          });
        }
      }
    },
  },
  {
    name: "a beat that fails rejects: it never answers as if no process lived and nothing had changed",
    needs: ["board", "faults"],
    async play(scene) {
      for (const code of ["busy", "unavailable"] as const) {
        await atEachAccess(scene, { code, at: "before" }, async (newScene, plan) => {
          const since = await cursorOf(newScene);
          const row = boardRow(namedLane(newScene, "one"), 1, { limit: 3 });
          await writeRows(newScene, [row]);
          await beat(newScene, { process: "ann", share: 0.5 });
          const hasHappened = newScene.gates.plan(plan);
          const news = await beat(newScene, { process: "bob", share: 0.25, since }).catch(() => undefined);
          const isFailed = hasHappened() && news === undefined;
          if (isFailed) return true;
          const page = news ?? (await beat(newScene, { process: "bob", share: 0.25, since }));
          const living = { ann: 0.5, bob: 0.25 };
          expectLiving(newScene, page, living, `who lives by a beat that was answered while the storage is ${code}`);
          const remainder = await readBoard(newScene, { since: page.next });
          expectRows([...page.rows, ...remainder.rows], [row], `a row while the storage is ${code}`);
          return false;
        });
      }
    },
  },
  {
    name: "after a crash at any access of a write, a beat and a leave, each that was answered has taken effect, and each other one whole or not at all",
    needs: ["board", "restart", "interleaving"],
    async play(scene) {
      for (let steps = 0; steps < MAX_STEPS; steps += 1) {
        const changes = await Promise.all(BOARD_CHANGES.map(({ prepare }) => prepare(scene.anew())));
        const hasAnswered = changes.map(() => false);
        scene.gates.hold(0);
        for (const [index, { make }] of changes.entries()) {
          make().then(
            () => (hasAnswered[index] = true),
            () => undefined,
          );
        }
        await releaseSteps(scene.gates, steps);
        const isOver = hasAnswered.every(Boolean);
        scene.gates.kill();
        await scene.crash();
        for (const [index, { isThere }] of changes.entries()) {
          const wasThere = await isThere();
          const name = BOARD_CHANGES[index]?.name ?? "";
          expectThat(wasThere || hasAnswered[index] !== true, `\`${name}\` was answered, and has not taken effect`);
        }
        if (isOver) return;
      }
    },
  },
];

/** A change, and a look at the store that the scene has open, which tells if it has taken effect. */
interface BoardChange {
  readonly make: () => Promise<unknown>;
  /** True if the change has taken effect. Throws if only a part of it has. */
  readonly isThere: () => Promise<boolean>;
}

type PrepareChange = (scene: Scene) => Promise<BoardChange>;

/** A write of two rows, one of which replaces another. */
async function prepareWrite(scene: Scene): Promise<BoardChange> {
  const since = await cursorOf(scene);
  const firstRow = boardRow(namedLane(scene, "one"), 1, { limit: 3 });
  await writeRows(scene, [firstRow]);
  const backoff = { probes: 1, probeAt: scene.later(9), prober: processOf(scene, "ann") };
  const nextRow = boardRow(firstRow.lane, 2, { backoff, holds: [{ endpoint: endpoint("a"), until: scene.later(9) }] });
  const rows: readonly BoardRow[] = [
    nextRow,
    boardRow(namedLane(scene, "two"), 1, { tokens: { left: 0.5, at: scene.now() } }),
  ];
  return {
    make: () => boardOf(scene).write(rows),
    isThere: async () => {
      const { rows: reported } = await readBoard(scene, { since });
      const count = rows.filter(({ lane, revision }) =>
        reported.some((row) => row.lane === lane && row.revision === revision),
      ).length;
      expectThat(count === 0 || count === rows.length, `of two rows of one write ${String(count)} is written`);
      expectLatest(reported, count > 0 ? rows : [firstRow], "a row of a write, whole or not at all");
      return count > 0;
    },
  };
}

/** A beat that announces another share, and removes a process that lives no more. */
async function prepareBeat(scene: Scene): Promise<BoardChange> {
  await beat(scene, { process: "late", now: scene.later(-20_000) });
  await beat(scene, { process: "ann", share: 0.25 });
  return {
    make: () => beat(scene, { process: "ann", share: 0.5, liveForMs: 10_000 }),
    isThere: async () => {
      const { processes } = await beat(scene);
      const ann = processes.find(({ process }) => process === processOf(scene, "ann"));
      const isRemoved = processes.every(({ process }) => process !== processOf(scene, "late"));
      expectEqual(
        ann?.share,
        isRemoved ? 0.5 : 0.25,
        "the share of a process, as it was when another was removed or not",
      );
      return isRemoved;
    },
  };
}

async function prepareLeave(scene: Scene): Promise<BoardChange> {
  await beat(scene, { process: "ann" });
  return {
    make: () => boardOf(scene).leave(processOf(scene, "ann")),
    isThere: async () => (await beat(scene)).processes.every(({ process }) => process !== processOf(scene, "ann")),
  };
}

/** The methods that change a board. */
const BOARD_CHANGES: readonly { readonly name: string; readonly prepare: PrepareChange }[] = [
  { name: "write", prepare: prepareWrite },
  { name: "beat", prepare: prepareBeat },
  { name: "leave", prepare: prepareLeave },
];

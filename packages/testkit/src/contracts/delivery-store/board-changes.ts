// One change of a board by each of its methods, made ready by a case, and whether it has taken effect. Knows no way in which a
// storage fails.

import type { BoardRow } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import {
  beat,
  boardOf,
  boardRow,
  cursorOf,
  expectLatest,
  namedLane,
  processOf,
  readBoard,
  writeRows,
} from "./board-scene.js";
import { endpoint } from "./samples.js";
import type { Scene } from "./scene.js";

/** A change, and what is to be seen of it in the store that the scene has open. */
export interface BoardChange {
  readonly make: () => Promise<unknown>;
  /** Whether it has taken effect. Throws if it has in part. */
  readonly isThere: () => Promise<boolean>;
}

export type PrepareChange = (scene: Scene) => Promise<BoardChange>;

/** A write of two rows, one of which replaces another. */
async function prepareWrite(scene: Scene): Promise<BoardChange> {
  const since = await cursorOf(scene);
  const before = boardRow(namedLane(scene, "one"), 1, { limit: 3 });
  await writeRows(scene, [before]);
  const backoff = { probes: 1, probeAt: scene.later(9), prober: processOf(scene, "ann") };
  const after = boardRow(before.lane, 2, { backoff, holds: [{ endpoint: endpoint("a"), until: scene.later(9) }] });
  const rows: readonly BoardRow[] = [
    after,
    boardRow(namedLane(scene, "two"), 1, { tokens: { left: 0.5, at: scene.now() } }),
  ];
  return {
    make: () => boardOf(scene).write(rows),
    isThere: async () => {
      const { told } = await readBoard(scene, { since });
      const count = rows.filter(({ lane, revision }) =>
        told.some((row) => row.lane === lane && row.revision === revision),
      ).length;
      expectThat(count === 0 || count === rows.length, `of two rows of one write ${String(count)} is written`);
      expectLatest(told, count > 0 ? rows : [before], "a row of a write, whole or not at all");
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
export const BOARD_CHANGES: readonly { readonly name: string; readonly prepare: PrepareChange }[] = [
  { name: "write", prepare: prepareWrite },
  { name: "beat", prepare: prepareBeat },
  { name: "leave", prepare: prepareLeave },
];

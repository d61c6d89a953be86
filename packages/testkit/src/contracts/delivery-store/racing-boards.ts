// Cases of two processes of a board at the same time: none misses what the other has announced, none is lost, no change
// of a row is skipped, and each revision is written once.

import type { BoardNews, BoardRow } from "@postrider/core";
import { expectThat, expectEqual } from "../check.js";
import {
  beat,
  boardOf,
  expectLiving,
  processOf,
  boardIn,
  boardRow,
  cursorOf,
  expectLatest,
  namedLane,
  lanesOf,
  readBoard,
  rowsInOrder,
  storedRow,
  writeRows,
} from "./board-scene.js";
import { raceCases } from "./race.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";

const BEAT_RACES: readonly StoreRace[] = [
  {
    name: "of the first beats of two processes at the same time, one sees the other",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const [ann, bob] = await together(
        () => beat(scene, { process: "ann", share: 0.25 }),
        () => beat(scene, { process: "bob", share: 0.5, store: otherStore }),
      );
      const isSeen = sees(scene, ann, "bob", 0.5) || sees(scene, bob, "ann", 0.25);
      expectThat(isSeen, "neither of the two beats tells what the other has announced");
      const news = await beat(scene, { process: "carl", share: 1 });
      expectLiving(scene, news, { ann: 0.25, bob: 0.5, carl: 1 }, "who lives after both");
    },
  },
  {
    name: "of two beats at the same time that announce other shares than before, one sees the new share of the other",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      await beat(scene, { process: "ann", share: 1 });
      await beat(scene, { process: "bob", share: 0 });
      const [ann, bob] = await together(
        () => beat(scene, { process: "ann", share: 0.5 }),
        () => beat(scene, { process: "bob", share: 0.5, store: otherStore }),
      );
      const isSeen = sees(scene, ann, "bob", 0.5) || sees(scene, bob, "ann", 0.5);
      expectThat(isSeen, "both beats tell the share that the other had before");
      const news = await beat(scene, { process: "ann", share: 0.5 });
      expectLiving(scene, news, { ann: 0.5, bob: 0.5 }, "who lives after both");
    },
  },
  {
    name: "a process that beats again while another removes it lives, with its new share",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const [now, liveForMs] = [scene.later(6_001), 6_000];
      await beat(scene, { process: "late", share: 0.25 });
      const [lateNews] = await together(
        () => beat(scene, { process: "late", share: 0.75, now, liveForMs }),
        () => beat(scene, { process: "bob", now, liveForMs, store: otherStore }),
      );
      expectThat(sees(scene, lateNews, "late", 0.75), "a beat that does not tell of the process that asks");
      const news = await beat(scene, { process: "bob", now, liveForMs });
      expectLiving(scene, news, { late: 0.75, bob: 0 }, "who lives after both");
    },
  },
  {
    name: "a process that leaves while another beats has left, and the other lives",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      await beat(scene, { process: "ann", share: 0.25 });
      await together(
        () => boardOf(scene).leave(processOf(scene, "ann")),
        () => beat(scene, { process: "bob", share: 0.5, store: otherStore }),
      );
      const news = await beat(scene, { process: "carl", share: 1 });
      expectLiving(scene, news, { bob: 0.5, carl: 1 }, "who lives after both");
    },
  },
];

function sees(scene: Scene, { processes }: BoardNews, name: string, share: number): boolean {
  return processes.some((living) => living.process === processOf(scene, name) && living.share === share);
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

const ROW_RACES: readonly StoreRace[] = [
  {
    name: "rows that are written during a beat are told by it, all or none, or by a later one from where it ended",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const since = await cursorOf(scene, otherStore);
      const rows = lanesOf(scene, 2).map((lane) => boardRow(lane, 1, { limit: 3 }));
      const [, news] = await together(
        () => writeRows(scene, rows),
        () => beat(scene, { since, store: otherStore }),
      );
      const count = news.rows.filter(({ lane }) => rows.some((row) => row.lane === lane)).length;
      const isAllowed = count === 0 || count === rows.length || news.more;
      expectThat(isAllowed, `a beat tells ${String(count)} of ${String(rows.length)} rows of one write`);
      const remainder = await readBoard(scene, { since: news.next, store: otherStore });
      expectLatest([...news.rows, ...remainder.rows], rows, "a row that was written during a beat");
    },
  },
  {
    name: "a row whose write ends after that of another row, which a beat tells, is told by a later beat from where that ended",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const since = await cursorOf(scene, otherStore);
      const [slow, quick] = [boardRow(namedLane(scene, "slow"), 1), boardRow(namedLane(scene, "quick"), 1)];
      const [, news] = await together(
        () => writeRows(scene, [slow]),
        async () => {
          await writeRows(scene, [quick], otherStore);
          return beat(scene, { since, store: otherStore });
        },
      );
      expectThat(
        news.more || news.rows.some(({ lane }) => lane === quick.lane),
        "a beat neither tells the row that was written before it, nor says that there are more",
      );
      const remainder = await readBoard(scene, { since: news.next, store: otherStore });
      expectLatest([...news.rows, ...remainder.rows], [slow, quick], "a row that was written beside another");
    },
  },
  {
    name: "rows that change while pages are read are told at last as they are",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const since = await cursorOf(scene, otherStore);
      const rows = lanesOf(scene, 3).map((lane) => boardRow(lane, 1));
      await writeRows(scene, rows);
      const changed = rows.map((row) => ({ ...row, revision: 2, limit: 9 }));
      const [, pages] = await together(
        () => writeRows(scene, changed),
        () => readBoard(scene, { since, limit: 1, store: otherStore }),
      );
      const remainder = await readBoard(scene, { since: pages.next, limit: 1, store: otherStore });
      expectLatest([...pages.rows, ...remainder.rows], changed, "a row that changed while pages were read");
    },
  },
  {
    name: "two writes of the first revision of a row at the same time: one is written, and the other is answered it",
    needs: ["board"],
    play: (scene, { otherStore, together }) =>
      expectOneWriter(scene, 1, (first, second) =>
        together(
          () => boardOf(scene).write([first]),
          () => boardIn(otherStore).write([second]),
        ),
      ),
  },
  {
    name: "two writes of a later revision of a row at the same time: one is written, and the other is answered it",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      for (const revision of [1, 2]) await writeRows(scene, [boardRow(namedLane(scene, "one"), revision)]);
      await expectOneWriter(scene, 3, (first, second) =>
        together(
          () => boardOf(scene).write([first]),
          () => boardIn(otherStore).write([second]),
        ),
      );
    },
  },
  {
    name: "two writes of the same rows in opposite orders at the same time: one writes all of them, and the other is answered these",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const rows = lanesOf(scene, 3).map((lane) => boardRow(lane, 1));
      await writeRows(scene, rows.slice(1));
      const nextRows = rows.map((row, index) => ({ ...row, revision: index === 0 ? 1 : 2 }));
      const [firstWrite, secondWrite] = [
        nextRows.map((row) => ({ ...row, limit: 1 })),
        nextRows.map((row) => ({ ...row, limit: 2 })),
      ];
      const answers = await together(
        () => boardOf(scene).write(firstWrite),
        () => boardIn(otherStore).write(secondWrite.toReversed()),
      );
      const [writtenRows, answeredRows] =
        answers[0].length === 0 ? [firstWrite, answers[1]] : [secondWrite, answers[0]];
      expectEqual(rowsInOrder(answeredRows), rowsInOrder(writtenRows), "what the writer is answered who was too late");
      expectEqual(
        Math.min(...answers.map(({ length }) => length)),
        0,
        "how many rows the writer is answered who was first",
      );
      for (const row of writtenRows) expectEqual(await storedRow(scene, row.lane), row, "a row after both");
    },
  },
  {
    name: "two writes that share one row at the same time: one of them writes it, and each writes its other rows",
    needs: ["board"],
    async play(scene, { otherStore, together }) {
      const [first, shared, last] = lanesOf(scene, 3).map((lane) => boardRow(lane, 1));
      if (first === undefined || shared === undefined || last === undefined) return;
      const [firstWrite, secondWrite] = [
        { ...shared, limit: 1 },
        { ...shared, limit: 2 },
      ];
      const answers = await together(
        () => boardOf(scene).write([first, firstWrite]),
        () => boardIn(otherStore).write([secondWrite, last]),
      );
      const winner = answers[0].length === 0 ? firstWrite : secondWrite;
      expectEqual([...answers].flat(), [winner], "what both are answered");
      for (const row of [first, winner, last]) expectEqual(await storedRow(scene, row.lane), row, "a row after both");
    },
  },
];

type WriteBoth = (first: BoardRow, second: BoardRow) => Promise<readonly [readonly BoardRow[], readonly BoardRow[]]>;

/** Expects that of two writes of a revision one takes effect, and that the other is answered the row of that one. */
async function expectOneWriter(scene: Scene, revision: number, writeBoth: WriteBoth): Promise<void> {
  const row = boardRow(namedLane(scene, "one"), revision);
  const [firstRow, secondRow] = [
    { ...row, limit: 1 },
    { ...row, limit: 2 },
  ];
  const answers = await writeBoth(firstRow, secondRow);
  const winner = answers[0].length === 0 ? firstRow : secondRow;
  expectEqual([...answers].flat(), [winner], "what both are answered");
  expectEqual(await storedRow(scene, row.lane), winner, "the row after both");
}

export const RACING_ROW_CASES: readonly StoreCase[] = raceCases(ROW_RACES);

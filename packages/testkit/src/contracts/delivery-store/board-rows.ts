// Cases of rows of a board: each is replaced whole, and only by the revision that follows it.

import {
  type BoardHold,
  type BoardRow,
  endpointId,
  epochMs,
  MAX_BOARD_HOLDS,
  MAX_URL_LENGTH,
  processId,
} from "@postrider/core";
import { expectEqual } from "../check.js";
import {
  beat,
  boardOf,
  boardRow,
  cursorOf,
  expectRows,
  namedLane,
  lanesOf,
  processOf,
  readBoard,
  rowsInOrder,
  storedRow,
  writeRows,
} from "./board-scene.js";
import { endpoint } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

export const WRITING_ROWS_CASES: readonly StoreCase[] = [
  {
    name: "a row comes back as it was written, with nothing of the row before it",
    needs: ["board"],
    async play(scene) {
      const lane = namedLane(scene, "one");
      for (const [index, sample] of samples(scene).entries()) {
        const since = await cursorOf(scene);
        const row = { ...boardRow(lane, index + 1), ...sample };
        await writeRows(scene, [row]);
        expectRows((await readBoard(scene, { since })).rows, [row], "a row as it is told");
        expectRows(await boardOf(scene).write([row]), [row], "a row as it is answered");
      }
    },
  },
  {
    name: "a row outlives a crash right after it was written, with all that it has",
    needs: ["board", "restart"],
    async play(scene) {
      const rows = samples(scene).map((sample, index) => ({
        ...boardRow(namedLane(scene, String(index)), 1),
        ...sample,
      }));
      await writeRows(scene, rows);
      await scene.crash();
      expectEqual(rowsInOrder(await boardOf(scene).write(rows)), rowsInOrder(rows), "the rows after the crash");
    },
  },
  {
    name: "a row is replaced only by its next revision; who writes any other is answered the stored one",
    needs: ["board"],
    async play(scene) {
      const lane = namedLane(scene, "one");
      const currentRow = boardRow(lane, 4, { limit: 7, holds: [{ endpoint: endpoint("a"), until: scene.later(9) }] });
      for (const revision of [1, 2, 3]) await writeRows(scene, [boardRow(lane, revision, { limit: 1 })]);
      await writeRows(scene, [currentRow]);
      for (const revision of [4, 3, 2, 1, 6, 7, 5 + 2 ** 32, Number.MAX_SAFE_INTEGER]) {
        const answer = await boardOf(scene).write([boardRow(lane, revision, { limit: 99 })]);
        expectEqual(answer, [currentRow], `the answer to who writes revision ${String(revision)} over 4`);
      }
      expectRows((await readBoard(scene)).rows, [currentRow], "the row after what was refused");
      await writeRows(scene, [boardRow(lane, 5)]);
      expectEqual(await storedRow(scene, lane), boardRow(lane, 5), "the row after its next revision");
    },
  },
  {
    name: "the first revision of a row is 1; who writes another is answered none, and there is no row",
    needs: ["board"],
    async play(scene) {
      const lane = namedLane(scene, "one");
      for (const revision of [2, 3, 1 + 2 ** 32, Number.MAX_SAFE_INTEGER])
        expectEqual(await boardOf(scene).write([boardRow(lane, revision)]), [], "the rows that are answered");
      const { rows: reported } = await readBoard(scene);
      expectEqual(
        reported.filter((row) => row.lane === lane),
        [],
        "the rows of the lane",
      );
      await writeRows(scene, [boardRow(lane, 1, { limit: 3 })]);
      expectEqual(await storedRow(scene, lane), boardRow(lane, 1, { limit: 3 }), "the first row");
    },
  },
  {
    name: "of several rows in one write each that follows is written, and exactly the others are answered as they are stored",
    needs: ["board"],
    async play(scene) {
      const [known, other, absent, fresh, last] = lanesOf(scene, 5).map((lane) => boardRow(lane, 1, { limit: 1 }));
      if (known === undefined || other === undefined || absent === undefined || fresh === undefined) return;
      if (last === undefined) return;
      await writeRows(scene, [known, other, last]);
      const since = await cursorOf(scene);
      const knownNext = { ...known, revision: 2, limit: 5 };
      const freshFirst = { ...fresh, limit: 6 };
      const lastNext = { ...last, revision: 2, limit: 7 };
      const [tooHigh, notFirst] = [
        { ...other, revision: 3, limit: 8 },
        { ...absent, revision: 2 },
      ];
      const answered = await boardOf(scene).write([tooHigh, knownNext, notFirst, freshFirst, lastNext]);
      expectEqual(answered, [other], "the rows that are answered");
      const { rows: reported } = await readBoard(scene, { since });
      expectRows(reported, [knownNext, freshFirst, lastNext], "a row that was written");
      expectEqual(
        reported.filter((row) => row.lane === absent.lane),
        [],
        "the rows of a lane that had none",
      );
      expectEqual(await storedRow(scene, other.lane), other, "the row that was not written");
      expectEqual(await boardOf(scene).write([]), [], "the answer to a write of no rows");
    },
  },
  {
    name: "a hundred rows with as many holds as they may have are written at once",
    needs: ["board"],
    async play(scene) {
      const rows = lanesOf(scene, 100).map((lane, index) => boardRow(lane, 1, { limit: index, holds: holds(scene) }));
      const since = await cursorOf(scene);
      await writeRows(scene, rows);
      expectRows((await readBoard(scene, { since, limit: 30 })).rows, rows, "one of many rows");
      expectEqual(
        rowsInOrder(await boardOf(scene).write(rows)),
        rowsInOrder(rows),
        "the rows if they are written again",
      );
    },
  },
  {
    name: "the rows of a process stay when it lives no more",
    needs: ["board"],
    async play(scene) {
      const prober = processOf(scene, "ann");
      const backoff = { probes: 1, probeAt: scene.now(), prober };
      const [leaverRow, deadRow] = [
        boardRow(namedLane(scene, "left"), 1, { backoff }),
        boardRow(namedLane(scene, "died"), 1),
      ];
      await beat(scene, { process: "ann" });
      await writeRows(scene, [leaverRow]);
      await boardOf(scene).leave(prober);
      await beat(scene, { process: "ann" });
      await writeRows(scene, [deadRow]);
      await beat(scene, { process: "bob", now: scene.later(5), liveForMs: 1 });
      expectRows(
        (await readBoard(scene, { process: "bob" })).rows,
        [leaverRow, deadRow],
        "the row of who lives no more",
      );
    },
  },
];

/** Instants in 1970, beyond 32 bits of seconds and of milliseconds, and beyond what `Date` can hold. */
const INSTANTS = [0, 1, 2 ** 31, 2 ** 32, 1_767_225_600_123, 2 ** 53 - 2].map((ms) => epochMs(ms));

/** Tokens are fractions of calls, and their rounding may be a little below 0. */
const TOKENS = [0, 1, 1 / 3, 0.1 + 0.2, 1e-9, -1e-7, 12_345.678, 2 ** 31 + 0.5, Number.MAX_SAFE_INTEGER];

const COUNTS = [0, 1, 32, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

/** Rows with the parts that a store easily loses; full and empty rows follow each other. */
function samples(scene: Scene): readonly Partial<BoardRow>[] {
  const prober = processOf(scene, "prober");
  const [at, probeAt] = [scene.now(), scene.later(500)];
  const full = { limit: 5, backoff: { probes: 3, probeAt, prober }, tokens: { left: 0.5, at }, holds: holds(scene) };
  return [
    {},
    full,
    { ...full, backoff: { probes: 3, probeAt } },
    { limit: 5, holds: full.holds.slice(1) },
    full,
    { tokens: full.tokens },
    { backoff: full.backoff },
    full,
    {},
    { backoff: { probes: 0, probeAt, prober: processId("a\u0000'\ud800") } },
    {
      holds: [{ endpoint: endpointId(`https://a.test/?\u0000'\ud800#${"x".repeat(MAX_URL_LENGTH - 30)}`), until: at }],
    },
    ...COUNTS.flatMap((count) => [{ limit: count }, { backoff: { probes: count, probeAt } }]),
    ...TOKENS.map((left) => ({ tokens: { left, at } })),
    ...INSTANTS.flatMap((instant) => [
      { backoff: { probes: 1, probeAt: instant, prober } },
      { tokens: { left: 1, at: instant }, holds: [{ endpoint: endpoint("a"), until: instant }] },
    ]),
  ];
}

/** As many holds as a row may have, two of which end at the same time. */
function holds(scene: Scene): readonly BoardHold[] {
  return Array.from({ length: MAX_BOARD_HOLDS }, (_, index) => ({
    endpoint: endpoint(`e${String(index)}`),
    until: scene.later(1_000 * Math.max(1, index)),
  }));
}

// Commands of processes: time passes, they open the storage and close it, and they use the board. For each
// cursor of the board the model knows the rows that later pages still owe; a page may report more, in any order.

import { DEDUPE_WINDOW_MS, type BeatRequest, type BoardNews, type BoardRow, type ProcessId } from "@postrider/core";
import fc from "fast-check";
import { defined } from "@postrider/core/engine";
import type { TestedStorage } from "./tested-storage.js";
import { STEP_MS, type StoreCommand, type Drawn, type Question, questionsOf } from "./command.js";
import { expectAgreement } from "./compare.js";
import { isUnfinished, type Model, type ModelBoard } from "./model.js";
import { expectEqual, expectThat } from "../../check.js";
import { boardIn, rowsInOrder } from "../board-scene.js";
import { endpoints, lanes, pageLimits, processes } from "./names.js";

type DurationIn = (model: Model, tested: TestedStorage) => number;

/** Any duration, or exactly until a delivery can be claimed, or just before that. */
const durations: fc.Arbitrary<DurationIn> = fc.oneof(
  fc.integer({ min: 1, max: 15 }).map(
    (steps): DurationIn =>
      () =>
        steps * STEP_MS,
  ),
  fc.tuple(fc.nat(9), fc.constantFrom(0, 1)).map(([place, earlyMs]): DurationIn => (model, tested) => {
    const times = model.deliveries.filter(isUnfinished).map(({ at }) => at - tested.now() - earlyMs);
    const ahead = times.filter((ms) => ms > 0);
    return ahead[place % ahead.length] ?? 1;
  }),
);

export const TIME_COMMANDS: fc.Arbitrary<StoreCommand> = durations.map((ms) =>
  happening("time passes", (model, tested) => tested.advance(ms(model, tested))),
);

export const DAY_COMMANDS: fc.Arbitrary<StoreCommand> = fc
  .constantFrom(DEDUPE_WINDOW_MS, DEDUPE_WINDOW_MS - 1, DEDUPE_WINDOW_MS / 2)
  .map((ms) => happening("most of a day passes", (_, tested) => tested.advance(ms)));

/** Three stores are enough for conflicts. */
const MAX_STORES = 3;

export const OPEN_ANOTHER_COMMANDS: fc.Arbitrary<StoreCommand> = fc.constant(
  happening("a further process opens the storage", async (_, tested) => {
    if (tested.stores().length < MAX_STORES) await tested.openAnother();
  }),
);

export const CLOSE_COMMANDS: fc.Arbitrary<StoreCommand> = fc
  .nat(5)
  .map((place) => happening("one of several processes closes its store", (_, tested) => tested.closeOne(place)));

function happening(name: string, happen: (model: Model, tested: TestedStorage) => Promise<void>): StoreCommand {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, tested): Promise<void> => {
      tested.note(name, undefined);
      await happen(model, tested);
      for (const view of await tested.lookAtAll(model)) expectAgreement(model, view);
    },
  };
}

type LivingProcess = Pick<BeatRequest, "process" | "liveForMs"> & { readonly share: number };

const livingProcesses: fc.Arbitrary<LivingProcess> = fc.record({
  process: processes,
  share: fc.constantFrom(0, 0.25, 1 / 3, 1),
  liveForMs: fc.constantFrom(100, 500, 1_000, 6_000),
});

const beats: fc.Arbitrary<Drawn<BeatRequest>> = fc
  .record({
    living: livingProcesses,
    limit: pageLimits,
    place: fc.nat(9),
    isFirst: fc.nat(9).map((draw) => draw === 0),
  })
  .map(({ living, limit, place, isFirst }) => ({ model }) => {
    const { cursors } = model.board;
    const since = isFirst ? undefined : cursors.at(-1 - (place % Math.max(1, cursors.length)))?.since;
    return { ...living, limit, ...defined({ since }) };
  });

export const BEAT_QUESTIONS: fc.Arbitrary<Question> = questionsOf<BeatRequest, BoardNews>({
  name: "board.beat",
  drawn: beats,
  subjectOf: ({ process }) => `process ${process}`,
  send: (store, request, now) => boardIn(store).beat(request, now),
  follow: ({ board }, { request, answer, now }) => {
    const { process, share, liveForMs } = request;
    const otherProcesses = board.living.filter((living) => living.process !== process);
    board.living = [...otherProcesses, { process, share, at: now }].filter(({ at }) => Math.abs(now - at) <= liveForMs);
    const living = board.living.map(({ at: _, ...announced }) => announced);
    expectEqual(byProcess(answer.processes), byProcess(living), "the processes that live");
    followPage(board, request, answer);
  },
});

/** Each row is reported as it is. A page has all rows that the cursor owes, or the next cursor owes the others, and `more` is set. */
function followPage(board: ModelBoard, { since, limit }: BeatRequest, { rows, next, more }: BoardNews): void {
  expectThat(rows.length <= limit, "a page of the board has more rows than its limit");
  const modelRows = board.rows.filter(({ lane }) => rows.some((row) => row.lane === lane));
  expectEqual(rowsInOrder(rows), rowsInOrder(modelRows), "the rows of a page");
  const cursor = board.cursors.findLast((earlier) => earlier.since === since);
  const dueRows = board.rows.filter(({ lane, revision }) => (cursor?.revisions[lane] ?? 0) < revision);
  const owedRows = dueRows.filter(({ lane }) => rows.every((row) => row.lane !== lane));
  expectThat(more || owedRows.length === 0, "a page of the board leaves out rows, and says that there are no more");
  const revisions = board.rows
    .filter((row) => !owedRows.includes(row))
    .map(({ lane, revision }) => [lane, revision] as const);
  board.cursors.push({ since: next, revisions: { ...cursor?.revisions, ...Object.fromEntries(revisions) } });
}

function byProcess<T extends { readonly process: ProcessId }>(items: readonly T[]): readonly T[] {
  return items.toSorted((first, second) => (first.process < second.process ? -1 : 1));
}

/** A row, and how far its revision is from the stored one. */
const drafts = fc.record({
  lane: lanes,
  ahead: fc.constantFrom(1, 1, 1, 1, 0, 2, -1),
  limit: fc.constantFrom(undefined, 1, 5),
  backoff: fc.constantFrom(undefined, 0, 7),
  prober: fc.option(processes, { nil: undefined }),
  tokensLeft: fc.constantFrom(undefined, 0.1, 3),
  heldEndpoints: fc.uniqueArray(endpoints, { maxLength: 3 }),
});

const writes: fc.Arbitrary<Drawn<readonly BoardRow[]>> = fc
  .uniqueArray(drafts, { selector: ({ lane }) => lane, maxLength: 3 })
  .map((rowDrafts) => ({ model, now }) => {
    return rowDrafts.map(({ lane, ahead, limit, backoff, prober, tokensLeft, heldEndpoints }) => ({
      lane,
      revision: Math.max(1, (model.board.rows.find((row) => row.lane === lane)?.revision ?? 0) + ahead),
      holds: heldEndpoints.map((endpoint) => ({ endpoint, until: now })),
      ...defined({
        limit,
        backoff: backoff === undefined ? undefined : { probes: backoff, probeAt: now, ...defined({ prober }) },
        tokens: tokensLeft === undefined ? undefined : { left: tokensLeft, at: now },
      }),
    }));
  });

export const BOARD_WRITE_QUESTIONS: fc.Arbitrary<Question> = questionsOf<readonly BoardRow[], readonly BoardRow[]>({
  name: "board.write",
  drawn: writes,
  send: (store, rows) => boardIn(store).write(rows),
  follow: ({ board }, { request: rows, answer }) => {
    const answeredRows = rows.flatMap((row) => {
      const storedRow = board.rows.find(({ lane }) => lane === row.lane);
      if (row.revision !== (storedRow?.revision ?? 0) + 1) return storedRow ?? [];
      board.rows = [...board.rows.filter(({ lane }) => lane !== row.lane), row];
      return [];
    });
    expectEqual(rowsInOrder(answer), rowsInOrder(answeredRows), "the rows that a write is answered");
  },
});

export const LEAVE_QUESTIONS: fc.Arbitrary<Question> = questionsOf<ProcessId, undefined>({
  name: "board.leave",
  drawn: processes.map((process) => () => process),
  subjectOf: (process) => `process ${process}`,
  send: async (store, request) => {
    await boardIn(store).leave(request);
    return undefined;
  },
  follow: ({ board }: Model, { request }) => {
    board.living = board.living.filter(({ process }) => process !== request);
  },
});

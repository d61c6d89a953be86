// Boards of working stores that are wrong as a whole.

import { type BoardRow, type DeliveryStore, epochMs, type LaneBoard, leaseToken, processId } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { randomUUID } from "node:crypto";
import { overOneDisk, type Storage } from "./storage.js";

/** A storage whose boards have these methods in place of those that work. */
function overBoards(change: (board: LaneBoard, store: DeliveryStore) => Partial<LaneBoard>): () => Storage {
  return () =>
    overOneDisk((store) => {
      const { board } = store;
      return board === undefined ? store : { ...store, board: { ...board, ...change(board, store) } };
    });
}

/** Keeps the board in the memory of the process. */
export const keepingBoardsInMemory: () => Storage = overBoards(() => boardOfOtherDisk());

/** Keeps who lives in the memory of the process. */
export const keepingProcessesInMemory: () => Storage = overBoards((board) => {
  const own = boardOfOtherDisk();
  return {
    beat: async (request, now) => {
      const [news, { processes }] = [await board.beat(request, now), await own.beat(request, now)];
      return { ...news, processes };
    },
    leave: (process) => own.leave(process),
  };
});

/** Takes no cursor for the present. */
export const startingAtThePresent: () => Storage = overBoards((board) => ({
  beat: (request, now) => board.beat({ since: PRESENT, ...request }, now),
}));

/** Takes a cursor of a process that has died for the present. */
export const startingCursorsAnew: () => Storage = overBoards((board) => {
  const own = `${randomUUID()}:`;
  return {
    beat: async ({ since, ...request }, now) => {
      const cursor = since?.startsWith(own) === true ? since.slice(own.length) : PRESENT;
      const news = await board.beat(since === undefined ? request : { ...request, since: cursor }, now);
      return { ...news, next: own + news.next };
    },
  };
});

/** Writes no more than 64 rows at once. */
export const cuttingWrites: () => Storage = overBoards((board) => ({
  write: (rows) => board.write(rows.slice(0, 64)),
}));

/** Writes nothing if one of the rows is refused. */
export const writingAllOrNone: () => Storage = overBoards((board) => ({
  write: async (rows) => {
    const rowsByLane = new Map((await readRows(board)).map((row) => [row.lane, row]));
    const isNext = ({ lane, revision }: BoardRow): boolean => revision === (rowsByLane.get(lane)?.revision ?? 0) + 1;
    return rows.every(isNext) ? board.write(rows) : board.write(rows.filter((row) => !isNext(row)));
  },
}));

/** Claims what is due with each beat. */
export const claimingByBeats: () => Storage = overBoards((board, store) => ({
  beat: async (request, now) => {
    const { lanes } = await store.lanes({ limit: 1_000 }, now);
    const laneClaims = lanes.map(({ lane }) => ({ lane, limit: 1_000 }));
    await store.claim({ token: leaseToken("beat"), leaseMs: 1_000, lanes: laneClaims }, now);
    return board.beat(request, now);
  },
}));

/** A cursor behind all changes: the memory store takes it for the latest. */
const PRESENT = String(Number.MAX_SAFE_INTEGER);

/** The board of a disk that no other store has. */
function boardOfOtherDisk(): LaneBoard {
  const { board } = createMemoryStore({ disk: createMemoryDisk(), shared: true });
  if (board === undefined) throw new Error("a store in memory that is shared has no board");
  return board;
}

async function readRows(board: LaneBoard): Promise<readonly BoardRow[]> {
  const request = { process: processId("rows"), share: 0, liveForMs: Number.MAX_SAFE_INTEGER, limit: 100_000 };
  const { rows } = await board.beat(request, epochMs(0));
  await board.leave(request.process);
  return rows;
}

// Finds the stored entries of a message id: a table in memory names the ranges where the id may be, and a comparison with
// the ids in the file decides. The table is built when the file is opened, and contains only committed ids.

import type { EpochMs } from "@postrider/core";
import type { IdBlocks, IdEntry } from "./blocks.js";
import { type IdHash, createIdTable } from "./id-table.js";

/** A call is identified by its source and its message id. */
export interface CallId {
  readonly source: string;
  readonly messageId: string;
}

export interface IdMatch {
  readonly id: IdEntry;
  readonly number: number;
  readonly at: EpochMs;
}

export interface IdIndex {
  /** Reads the ids that other connections have committed, and drops ids that were staged but not committed. */
  refresh(): void;
  /** The number of the last id, including staged ids. */
  lastNumber(): number;
  /** The committed entries of an id. */
  matches(id: CallId, hash: IdHash): readonly IdMatch[];
  /** Stages ids with these hashes, which the open transaction has written under the numbers that follow `lastNumber()`. */
  stage(hashes: readonly IdHash[]): void;
  /** Stages that the open transaction has removed all entries up to the number `floor`. */
  stageFloor(floor: number): void;
  /** To be called once the transaction is committed. Puts the staged ids into the table. */
  noteCommit(): void;
}

export function createIdIndex(blocks: IdBlocks): IdIndex {
  let table = createIdTable();
  let lastInTable = 0;
  let stagedHashes: IdHash[] = [];
  let floor = 0;
  let stagedFloor: number | undefined;

  function add(hash: IdHash, number: number): void {
    table.add(hash, number);
    lastInTable = number;
  }

  return {
    refresh: (): void => {
      [stagedHashes, stagedFloor] = [[], undefined];
      const lastInFile = blocks.lastNumber();
      if (lastInFile < lastInTable) [table, lastInTable] = [createIdTable(), 0];
      if (lastInFile === lastInTable) return;
      blocks.eachHash(lastInTable, add);
      lastInTable = lastInFile;
      floor = blocks.floor();
      table.forget(floor + 1);
    },
    lastNumber: () => lastInTable + stagedHashes.length,
    matches: (id, hash) => {
      const ranges = table.find(hash);
      return ranges.length === 0 ? NONE : compareIds(blocks, { id, hash, ranges });
    },
    stage: (hashes): void => {
      stagedHashes.push(...hashes);
    },
    stageFloor: (removedUpTo): void => {
      stagedFloor = removedUpTo;
    },
    noteCommit: (): void => {
      for (const hash of stagedHashes) add(hash, lastInTable + 1);
      floor = stagedFloor ?? floor;
      [stagedHashes, stagedFloor] = [[], undefined];
      table.forget(floor + 1);
    },
  };
}

const NONE: readonly IdMatch[] = [];

interface Candidates {
  readonly id: CallId;
  readonly hash: IdHash;
  readonly ranges: readonly number[];
}

function compareIds(blocks: IdBlocks, { id: { source, messageId }, hash, ranges }: Candidates): readonly IdMatch[] {
  const numbers = new Set([...new Set(ranges)].flatMap((range) => blocks.withHash(hash, range)));
  return [...numbers].flatMap((number) => {
    const entry = blocks.find(number);
    if (entry?.id.source !== source || entry.id.messageId !== messageId) return [];
    return [{ ...entry, number }];
  });
}

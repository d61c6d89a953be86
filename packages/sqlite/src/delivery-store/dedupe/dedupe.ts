// Remembers which pairs of source and message id were accepted, for 24 hours and up to a maximum; the oldest are forgotten
// first (decision: dedupe). The time is an argument of each commit. Decides which stored entry makes a call a duplicate;
// `id-index.ts` finds the entries.

import { createStoreError, DEDUPE_WINDOW_MS, type EpochMs, epochMs, plusMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { transact } from "../../file/connection.js";
import { readMaybeBytes, readSingleRow } from "../../rows/rows.js";
import { BLOCK_IDS, type IdBlocks, type DeliveryRange, type IdEntry, prepareIdBlocks } from "./blocks.js";
import { createMessageIdHash, type MessageIdHash, type IdHash } from "./id-table.js";
import { type CallId, createIdIndex, type IdIndex, type IdMatch } from "./id-index.js";

export interface Dedupe {
  /**
   * Opens dedupe for one commit. If `noteCommit` was not called after an earlier commit, the ids that the earlier commit
   * added are dropped.
   */
  open(now: EpochMs): DedupeCommit;
  /** To be called once a commit is durable. */
  noteCommit(): void;
  /** All entries that are kept of a message id under these sources. */
  find(messageId: string, sources: readonly string[]): readonly IdEntry[];
  /** The last entry of an id, if it makes a further call a duplicate. */
  recall(id: CallId, now: EpochMs): RecalledEntry | undefined;
  /** A delivery id; the entries that are kept name all deliveries with ids above it. */
  completeAfter(): number;
}

export interface RecalledEntry extends DeliveryRange {
  readonly at: EpochMs;
}

export interface DedupeCommit {
  /** True if the id was accepted within the last 24 hours, or by an `add` of this commit. */
  isDuplicate(id: CallId): boolean;
  /** Adds an id that is no duplicate, with its new deliveries. */
  add(id: CallId, deliveries: DeliveryRange): void;
  /**
   * Adds further deliveries under an id, so that the deliveries are found by the id. Such an entry does not make later
   * calls duplicates.
   */
  indexOnly(id: CallId, deliveries: DeliveryRange): void;
  /** Writes the entries that are not written yet, and removes some of the entries that are too old or too many. */
  write(): void;
}

export function prepareDedupe(database: SqliteDatabase, maxIds: number): Dedupe {
  const blocks = prepareIdBlocks(database);
  const hashId = createMessageIdHash(readIdHashKey(database));
  const index = createIdIndex(blocks);
  // Builds the table in memory now, so that no commit has to wait for this work.
  transact(database, "deferred", () => {
    index.refresh();
  });
  return {
    open: (now): DedupeCommit => {
      index.refresh();
      return openCommit({ blocks, hashId, index, maxIds }, now);
    },
    noteCommit: () => {
      index.noteCommit();
    },
    find: (messageId, sources): readonly IdEntry[] => {
      index.refresh();
      return sources.flatMap((source) =>
        index.matches({ source, messageId }, hashId(source, messageId)).map(({ id }) => id),
      );
    },
    recall: (id, now): RecalledEntry | undefined => {
      index.refresh();
      const latest = index
        .matches(id, hashId(id.source, id.messageId))
        .filter((match) => makesDuplicate(match, { lastNumber: index.lastNumber(), maxIds }, now))
        .sort((first, second) => first.number - second.number)
        .at(-1);
      return latest === undefined ? undefined : { ...latest.id, at: latest.at };
    },
    completeAfter: () => blocks.completeAfter(),
  };
}

/** Reads the key under which message ids are hashed. */
function readIdHashKey(database: SqliteDatabase): Uint8Array {
  const key = readMaybeBytes(readSingleRow(database.prepare("select key from seen_key").get()), "key");
  if (key?.length !== KEY_BYTES)
    throw createStoreError("corrupt", "SQLite: the key of message ids is not what was stored");
  return key;
}

const KEY_BYTES = 8;

interface NumberBounds {
  /** The number that was assigned last. */
  readonly lastNumber: number;
  readonly maxIds: number;
}

/** True if an entry makes a further call a duplicate: it is less than 24 hours old, and one of the newest `maxIds`. */
function makesDuplicate({ at, number }: IdMatch, { lastNumber, maxIds }: NumberBounds, now: EpochMs): boolean {
  return at > now - DEDUPE_WINDOW_MS && number > lastNumber - maxIds;
}

/**
 * The number of entries that a commit removes for each entry that it adds: more than one, so that a surplus of old
 * entries shrinks.
 */
const REMOVED_EACH = 2;
/** Entries that each commit removes in addition, so that a commit of a single call removes some too. */
const REMOVED_MORE = 16;
/** The time of an entry that makes no duplicates. */
const NEVER = epochMs(0);

interface CommitParts {
  readonly blocks: IdBlocks;
  readonly hashId: MessageIdHash;
  readonly index: IdIndex;
  readonly maxIds: number;
}

function openCommit({ blocks, hashId, index, maxIds }: CommitParts, now: EpochMs): DedupeCommit {
  const addedKeys = new Set<string>();
  let block: IdEntry[] = [];
  let hashes: IdHash[] = [];
  let writtenIds = 0;
  let lastHash: { readonly id: CallId; readonly hash: IdHash } | undefined;

  /** The last hash is cached: most ids are hashed by `isDuplicate` first, and then by `add`. */
  function hashOf(id: CallId): IdHash {
    if (lastHash?.id !== id) lastHash = { id, hash: hashId(id.source, id.messageId) };
    return lastHash.hash;
  }

  function put(id: CallId, { after, upTo }: DeliveryRange): void {
    block.push({ source: id.source, messageId: id.messageId, after, upTo });
    hashes.push(hashOf(id));
  }

  function writeBlock(at: EpochMs): void {
    if (block.length === 0) return;
    index.stage(hashes);
    blocks.add({ lastNumber: index.lastNumber(), at, hashes, ids: block });
    writtenIds += block.length;
    [block, hashes] = [[], []];
  }

  function removeOld(): void {
    const times = { after: plusMs(now, -DEDUPE_WINDOW_MS), until: plusMs(now, DEDUPE_WINDOW_MS) };
    blocks.forget({ ...times, floor: index.lastNumber() - maxIds }, REMOVED_EACH * writtenIds + REMOVED_MORE);
    index.stageFloor(blocks.floor());
  }

  return {
    isDuplicate: (id) => {
      const bounds = { lastNumber: index.lastNumber() + block.length, maxIds };
      return (
        addedKeys.has(keyOf(id)) || index.matches(id, hashOf(id)).some((match) => makesDuplicate(match, bounds, now))
      );
    },
    add: (id, deliveries): void => {
      addedKeys.add(keyOf(id));
      put(id, deliveries);
      if (block.length === BLOCK_IDS) writeBlock(now);
    },
    indexOnly: (id, deliveries): void => {
      writeBlock(now);
      put(id, deliveries);
      writeBlock(NEVER);
    },
    write: (): void => {
      writeBlock(now);
      if (writtenIds > 0) removeOld();
    },
  };
}

/**
 * A key for a source and a message id. It begins with the length of the source, since without the length two different
 * pairs could have the same key.
 */
function keyOf({ source, messageId }: CallId): string {
  return `${String(source.length)}:${source}${messageId}`;
}

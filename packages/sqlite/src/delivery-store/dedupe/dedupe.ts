// Remembers which (source, messageId) came in, for 24 hours by the time that commits bring along, and at most so many, the
// oldest out first (decision: dedupe). Ids are kept in the file in the order in which they came; where to look for one is
// said by a table in memory, which is made of the file when that is opened and holds nothing that is not committed.

import { DEDUPE_WINDOW_MS, type EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { storeError } from "../../file/name-error.js";
import { readMaybeBytes, readOnly } from "../../rows/read-row.js";
import { transact } from "../../file/transact.js";
import { BLOCK_IDS, type Blocks, prepareBlocks, type SeenId, type Stretch } from "./blocks.js";
import { createHashId, type HashId, type IdHash } from "./hash-id.js";
import { createIdTable, type IdTable } from "./id-table.js";

export interface Seen {
  /** What a commit sees and adds. What the one before added is forgotten, unless it was kept. */
  open(now: EpochMs): SeenCommit;
  /** To be told once a commit is durable. */
  keep(): void;
  /** The deliveries of an id of these sources, as far back as is known. */
  find(messageId: string, sources: readonly string[]): readonly SeenId[];
  /** The last under an id that counts as seen: a further one would be its duplicate. */
  recall(id: CallId, now: EpochMs): Recalled | undefined;
  /** All deliveries after this one are found by their message ids. */
  after(): number;
}

export interface Recalled extends Stretch {
  readonly at: EpochMs;
}

export interface SeenCommit {
  /** Whether the id was seen within 24 hours, in this commit too. */
  isDuplicate(id: CallId): boolean;
  /** Adds what is no duplicate, with the deliveries that came of it. */
  add(id: CallId, deliveries: Stretch): void;
  /** Adds an id under which deliveries are found, though it does not count as seen. */
  refer(id: CallId, deliveries: Stretch): void;
  /** Writes what is left, and forgets some of what is too old or too much. */
  write(): void;
}

export interface CallId {
  readonly source: string;
  readonly messageId: string;
}

/** Memory of a file: what is known of it, and what the commit under way adds. */
interface Memory {
  readonly blocks: Blocks;
  readonly hashId: HashId;
  readonly maxIds: number;
  table: IdTable;
  /** The last number in the table. */
  known: number;
  added: IdHash[];
  /** Below the number of every id that is left in the file. */
  floor: number;
}

export function prepareSeen(database: SqliteDatabase, maxIds: number): Seen {
  const hashId = createHashId(readKey(database));
  const memory: Memory = {
    ...{ blocks: prepareBlocks(database), hashId, maxIds },
    ...{ table: createIdTable(), known: 0, added: [], floor: 0 },
  };
  // Now, rather than when somebody waits for a commit.
  transact(database, "deferred", () => {
    refresh(memory);
  });
  return {
    open: (now): SeenCommit => {
      refresh(memory);
      return openCommit(memory, now);
    },
    keep: (): void => {
      for (const hash of memory.added) {
        memory.table.add(hash, memory.known + 1);
        memory.known += 1;
      }
      memory.added = [];
      memory.table.forget(memory.floor + 1);
    },
    find: (messageId, sources): readonly SeenId[] => {
      refresh(memory);
      return sources.flatMap((source) =>
        matches(memory, { source, messageId }, hashId(source, messageId)).map(({ id }) => id),
      );
    },
    recall: (id, now): Recalled | undefined => {
      refresh(memory);
      const counted = matches(memory, id, hashId(id.source, id.messageId))
        .filter((match) => isCounted(match, { newest: memory.known, maxIds }, now))
        .sort((one, other) => one.number - other.number)
        .at(-1);
      return counted === undefined ? undefined : { ...counted.id, at: counted.at };
    },
    after: () => memory.blocks.after(),
  };
}

/** What hashes are made under. */
export function readKey(database: SqliteDatabase): Uint8Array {
  const key = readMaybeBytes(readOnly(database.prepare("select key from seen_key").get()), "key");
  if (key?.length !== KEY_BYTES) throw storeError("corrupt", "SQLite: the key of message ids is not what was stored");
  return key;
}

const KEY_BYTES = 8;

/** Reads what others have written, and drops what was added and never committed. */
function refresh(memory: Memory): void {
  const { blocks } = memory;
  const last = blocks.last();
  memory.added = [];
  if (last < memory.known) [memory.table, memory.known] = [createIdTable(), 0];
  if (last === memory.known) return;
  blocks.eachHash(memory.known, (hash, number) => {
    memory.table.add(hash, number);
  });
  memory.known = last;
  memory.floor = blocks.floor();
  memory.table.forget(memory.floor + 1);
}

interface Match {
  readonly id: SeenId;
  readonly number: number;
  readonly at: EpochMs;
}

/** Where the table says so, the ids themselves are compared. */
function matches({ table, blocks }: Memory, { source, messageId }: CallId, hash: IdHash): readonly Match[] {
  const stretches = table.find(hash);
  if (stretches.length === 0) return NONE;
  const numbers = new Set([...new Set(stretches)].flatMap((stretch) => blocks.withHash(hash, stretch)));
  return [...numbers].flatMap((number) => {
    const found = blocks.find(number);
    if (found?.id.source !== source || found.id.messageId !== messageId) return [];
    return [{ ...found, number }];
  });
}

const NONE: readonly Match[] = [];

interface Newest {
  /** The number that was given last. */
  readonly newest: number;
  readonly maxIds: number;
}

/** Whether it was seen within 24 hours, and is one of the newest, as many as are kept. */
function isCounted({ at, number }: Match, { newest, maxIds }: Newest, now: EpochMs): boolean {
  return at > now - DEDUPE_WINDOW_MS && number > newest - maxIds;
}

/** Ids forgotten for each one added: more than one, so that what has piled up goes in time. */
const FORGET_EACH = 2;
/** And a few more, so that a lone call does its share. */
const FORGET_MORE = 16;
/** When what does not count as seen was seen. */
const NEVER = 0 as EpochMs;

function openCommit(memory: Memory, now: EpochMs): SeenCommit {
  const { blocks, hashId, maxIds } = memory;
  const own = new Set<string>();
  let block: SeenId[] = [];
  let hashes: IdHash[] = [];
  let blocksAdded = 0;
  let asked: { readonly id: CallId; readonly hash: IdHash } | undefined;

  /** What is added has mostly just been asked for. */
  function hashOf(id: CallId): IdHash {
    if (asked?.id !== id) asked = { id, hash: hashId(id.source, id.messageId) };
    return asked.hash;
  }

  function put(id: CallId, { after, upTo }: Stretch): void {
    block.push({ source: id.source, messageId: id.messageId, after, upTo });
    hashes.push(hashOf(id));
  }

  function writeBlock(at: EpochMs): void {
    if (block.length === 0) return;
    memory.added.push(...hashes);
    blocks.add({ last: memory.known + memory.added.length, at, hashes, ids: block });
    [block, hashes] = [[], []];
    blocksAdded += 1;
  }

  function forget(): void {
    const kept = { after: (now - DEDUPE_WINDOW_MS) as EpochMs, until: (now + DEDUPE_WINDOW_MS) as EpochMs };
    const floor = memory.known + memory.added.length - maxIds;
    blocks.forget({ ...kept, floor }, FORGET_EACH * memory.added.length + FORGET_MORE);
    memory.floor = blocks.floor();
  }

  function counts(match: Match): boolean {
    return isCounted(match, { newest: memory.known + memory.added.length + block.length, maxIds }, now);
  }

  return {
    isDuplicate: (id) => own.has(keyOf(id)) || matches(memory, id, hashOf(id)).some(counts),
    add: (id, deliveries): void => {
      own.add(keyOf(id));
      put(id, deliveries);
      if (block.length === BLOCK_IDS) writeBlock(now);
    },
    refer: (id, deliveries): void => {
      writeBlock(now);
      put(id, deliveries);
      writeBlock(NEVER);
    },
    write: (): void => {
      writeBlock(now);
      if (blocksAdded > 0) forget();
    },
  };
}

/** The length keeps apart what merely looks alike when written in one. */
function keyOf({ source, messageId }: CallId): string {
  return `${String(source.length)}:${source}${messageId}`;
}

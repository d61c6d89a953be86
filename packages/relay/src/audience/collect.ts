// Collects the members of a sync, in any order and with repeats, and stores them as runs: sorted sets, as few as
// bounded memory allows (decision: audiences). Members that come in order become one run. No change is sent before all
// members are collected.

import type { Member } from "@postrider/core";
import { readMember, sortMembers, setName } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { CHUNK_TEXT_LENGTH } from "../limits.js";
import type { Members, SyncFault } from "./audiences.js";
import { mergeInto, textLengthOf } from "./merge.js";
import { memoryPages } from "./pages.js";
import type { CollectTask } from "./sync-task.js";

/**
 * A sorted set of members. A list of runs is in the order in which their members were given, so that the value of the
 * later run counts when they are merged.
 */
export interface SortedRun {
  readonly set: string;
  readonly members: number;
}

/** Reads all members, and stores them as runs. */
export async function collect(task: CollectTask, members: Members): Promise<Result<readonly SortedRun[], SyncFault>> {
  const gathering = createGathering(task);
  try {
    const taken =
      Symbol.asyncIterator in members ? await takeAsync(members, gathering) : await take(members, gathering);
    if (taken.isErr()) return err(taken.error);
  } catch {
    return err({ code: "members-failed" });
  }
  return gathering.close();
}

/** Takes the members of a synchronous iterable, without a promise for each. */
async function take(members: Iterable<unknown>, gathering: Gathering): Promise<Result<void, SyncFault>> {
  for (const given of members) {
    const fault = gathering.add(given);
    if (fault !== undefined) return err(fault);
    const kept = gathering.isFull() ? await gathering.keep() : ok(undefined);
    if (kept.isErr()) return kept;
  }
  return ok(undefined);
}

async function takeAsync(members: AsyncIterable<unknown>, gathering: Gathering): Promise<Result<void, SyncFault>> {
  for await (const given of members) {
    const fault = gathering.add(given);
    if (fault !== undefined) return err(fault);
    const kept = gathering.isFull() ? await gathering.keep() : ok(undefined);
    if (kept.isErr()) return kept;
  }
  return ok(undefined);
}

interface Gathering {
  add(given: unknown): SyncFault | undefined;
  /** Whether `keep` must be called before the next `add`. */
  isFull(): boolean;
  /** Sorts the members that were added since the last `keep`, and stores a run if there are enough sorted chunks. */
  keep(): Promise<Result<void, SyncFault>>;
  close(): Promise<Result<readonly SortedRun[], SyncFault>>;
}

/** Sorts chunk by chunk, since a sort blocks the thread, and merges a number of chunks into a run. */
function createGathering(task: CollectTask): Gathering {
  const audience = task.lease.record();
  const runs: SortedRun[] = [];
  let chunk: Member[] = [];
  let text = 0;
  let chunks: (readonly Member[])[] = [];
  let given = 0;
  let last: string | undefined;

  async function keep(): Promise<Result<void, SyncFault>> {
    task.progress({ phase: "collecting", done: given });
    if (chunk.length > 0) chunks.push(sortMembers(chunk));
    chunk = [];
    text = 0;
    await task.work.yieldIfLong();
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    return chunks.length < task.bounds.runChunks ? ok(undefined) : writeRun();
  }

  async function writeRun(): Promise<Result<void, SyncFault>> {
    const { first, end } = endsOf(chunks);
    const known = last !== undefined && first !== undefined && first > last ? runs.pop() : undefined;
    const set = known?.set ?? setName({ key: audience.key, sync: audience.syncs, run: runs.length });
    const lists = chunks.map(memoryPages);
    chunks = [];
    last = end;
    const merged = await mergeInto(task, { lists, set });
    return merged.map((members) => {
      runs.push({ set, members: members + (known?.members ?? 0) });
    });
  }

  return {
    add: (one) => {
      const read = readMember(audience, one);
      given += 1;
      if (read.kind === "refused") return { code: "bad-member", index: given - 1, expected: read.expected };
      chunk.push(read.member);
      text += textLengthOf(read.member);
      return undefined;
    },
    isFull: () => chunk.length >= task.bounds.chunkMembers || text >= CHUNK_TEXT_LENGTH,
    keep,
    close: async () => {
      const kept = await keep();
      const written = kept.isOk() && chunks.length > 0 ? await writeRun() : kept;
      return written.map(() => runs);
    },
  };
}

/** The first and the last user over all of these sorted lists. */
function endsOf(chunks: readonly (readonly Member[])[]) {
  const firsts = chunks.flatMap((chunk) => chunk.slice(0, 1)).map(({ userId }) => userId);
  const lasts = chunks.flatMap((chunk) => chunk.slice(-1)).map(({ userId }) => userId);
  return { first: firsts.toSorted()[0], end: lasts.toSorted().at(-1) };
}

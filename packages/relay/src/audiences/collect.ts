// Collects the members of a sync, in any order and with repeats, as runs: sorted sets, as few as bounded memory allows.
// Then merges the runs into one set, a limited number at a time, in several passes if necessary (decision: audiences). No
// change is sent before all members are collected.

import type { Member } from "@postrider/core";
import { readMember, sortMembers, setName } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { CHUNK_TEXT_LENGTH } from "../limits.js";
import type { Members, SyncFault } from "./audiences.js";
import { memoryPages, setPages } from "./pages.js";
import { type CollectTask, type MergeTask, dropSets, type SyncLease } from "./sync-task.js";
import { mergeInto, textLengthOf, type MergeInput } from "./merge.js";

/**
 * A sorted set of members. A list of runs is in the order in which their members were given, so that the value of the
 * later run counts when they are merged.
 */
export interface SortedRun {
  readonly set: string;
  readonly memberCount: number;
}

/** Reads all members, and stores them as runs. Members that come in order become one run. */
export async function collect(task: CollectTask, members: Members): Promise<Result<readonly SortedRun[], SyncFault>> {
  const writer = createRunWriter(task);
  try {
    const outcome = Symbol.asyncIterator in members ? await takeAsync(members, writer) : await take(members, writer);
    if (outcome.isErr()) return err(outcome.error);
  } catch {
    return err({ code: "members-failed" });
  }
  return writer.close();
}

/** Takes the members of a synchronous iterable, without a promise for each. */
async function take(members: Iterable<unknown>, writer: RunWriter): Promise<Result<void, SyncFault>> {
  for (const item of members) {
    const fault = writer.add(item);
    if (fault !== undefined) return err(fault);
    const result = writer.isFull() ? await writer.endChunk() : ok(undefined);
    if (result.isErr()) return result;
  }
  return ok(undefined);
}

async function takeAsync(members: AsyncIterable<unknown>, writer: RunWriter): Promise<Result<void, SyncFault>> {
  for await (const item of members) {
    const fault = writer.add(item);
    if (fault !== undefined) return err(fault);
    const result = writer.isFull() ? await writer.endChunk() : ok(undefined);
    if (result.isErr()) return result;
  }
  return ok(undefined);
}

interface RunWriter {
  add(item: unknown): SyncFault | undefined;
  /** True if `endChunk` must be called before the next `add`. */
  isFull(): boolean;
  /** Sorts the members that were added since the last `endChunk`, and stores a run if there are enough sorted chunks. */
  endChunk(): Promise<Result<void, SyncFault>>;
  close(): Promise<Result<readonly SortedRun[], SyncFault>>;
}

/** Sorts chunk by chunk, since a sort blocks the thread, and merges a number of chunks into a run. */
function createRunWriter(task: CollectTask): RunWriter {
  const audience = task.lease.record();
  const runs: SortedRun[] = [];
  let chunk: Member[] = [];
  let textLength = 0;
  let chunks: (readonly Member[])[] = [];
  let itemCount = 0;
  /** The last user of the last run. */
  let lastUserId: string | undefined;

  async function endChunk(): Promise<Result<void, SyncFault>> {
    task.progress({ phase: "collecting", done: itemCount });
    if (chunk.length > 0) chunks.push(sortMembers(chunk));
    chunk = [];
    textLength = 0;
    await task.work.yieldIfLong();
    if (!task.work.shouldContinue()) return err({ code: "stopped" });
    return chunks.length < task.bounds.runChunks ? ok(undefined) : writeRun();
  }

  async function writeRun(): Promise<Result<void, SyncFault>> {
    const { first, last } = endsOf(chunks);
    // Members that all come after the last run are appended to it.
    const lastRun = lastUserId !== undefined && first !== undefined && first > lastUserId ? runs.pop() : undefined;
    const targetSet = lastRun?.set ?? setName({ key: audience.key, sync: audience.syncs, run: runs.length });
    const lists = chunks.map(memoryPages);
    chunks = [];
    lastUserId = last;
    const merged = await mergeInto(task, { lists, set: targetSet });
    return merged.map((memberCount) => {
      runs.push({ set: targetSet, memberCount: memberCount + (lastRun?.memberCount ?? 0) });
    });
  }

  return {
    add: (item) => {
      const parsed = readMember(audience, item);
      itemCount += 1;
      if (parsed.kind === "refused") return { code: "bad-member", index: itemCount - 1, expected: parsed.expected };
      chunk.push(parsed.member);
      textLength += textLengthOf(parsed.member);
      return undefined;
    },
    isFull: () => chunk.length >= task.bounds.chunkMembers || textLength >= CHUNK_TEXT_LENGTH,
    endChunk,
    close: async () => {
      const flushed = await endChunk();
      const outcome = flushed.isOk() && chunks.length > 0 ? await writeRun() : flushed;
      return outcome.map(() => runs);
    },
  };
}

/** The first and the last user over all of these sorted lists. */
function endsOf(chunks: readonly (readonly Member[])[]) {
  const firsts = chunks.flatMap((chunk) => chunk.slice(0, 1)).map(({ userId }) => userId);
  const lasts = chunks.flatMap((chunk) => chunk.slice(-1)).map(({ userId }) => userId);
  return { first: firsts.toSorted()[0], last: lasts.toSorted().at(-1) };
}

/**
 * Merges the runs into the set of all members. A single run already is that set. Without runs, answers a set that was
 * never written, and so is empty.
 */
export async function mergeRuns(task: CollectTask, runs: readonly SortedRun[]): Promise<Result<SortedRun, SyncFault>> {
  let remaining = runs;
  let namedRuns = runs.length;
  while (remaining.length > 1) {
    const merged = await mergePass(task, remaining, namedRuns);
    if (merged.isErr()) return err(merged.error);
    remaining = merged.value;
    namedRuns += remaining.length;
  }
  return ok(remaining[0] ?? { set: runSet(task.lease, 0), memberCount: 0 });
}

/**
 * Does one pass: merges groups of neighbouring runs, so that the order of the runs stays the order in which their
 * members were given. `namedRuns` is the number of runs that already have names.
 */
async function mergePass(
  task: CollectTask,
  runs: readonly SortedRun[],
  namedRuns: number,
): Promise<Result<readonly SortedRun[], SyncFault>> {
  const onMerged = createMergeProgress(task.progress, runs);
  const merged: SortedRun[] = [];
  const atOnce = Math.max(2, task.bounds.mergeRuns);
  for (let first = 0; first < runs.length; first += atOnce) {
    const group = runs.slice(first, first + atOnce);
    const targetSet = runSet(task.lease, namedRuns + merged.length);
    const result = group.length === 1 ? ok(group) : await mergeGroup(task, group, { set: targetSet, onMerged });
    if (result.isErr()) return err(result.error);
    merged.push(...result.value);
  }
  return ok(merged);
}

/** Drops the runs once they are merged, so that the store holds little more than two copies of the members. */
async function mergeGroup(
  task: MergeTask,
  group: readonly SortedRun[],
  into: Omit<MergeInput, "lists">,
): Promise<Result<readonly SortedRun[], SyncFault>> {
  const sets = group.map((run) => run.set);
  const merged = await mergeInto(task, { ...into, lists: sets.map((set) => setPages(task.storage, set)) });
  if (merged.isOk()) await dropSets(task, sets);
  return merged.map((memberCount) => [{ set: into.set, memberCount }]);
}

/** Returns a function that reports the progress of a pass over these runs. */
function createMergeProgress(progress: CollectTask["progress"], runs: readonly SortedRun[]): (members: number) => void {
  const total = runs.reduce((sum, run) => sum + run.memberCount, 0);
  let mergedMembers = 0;
  return (members): void => {
    mergedMembers += members;
    progress({ phase: "merging", done: mergedMembers, total });
  };
}

function runSet(lease: SyncLease, run: number): string {
  const { key, syncs } = lease.record();
  return setName({ key, sync: syncs, run });
}

// Merges sorted lists into one set, in bounded memory: one page of each list, and the members of one commit (decision:
// audiences). Core merges as far as the pages reach; this file reads the next pages and stores the result.

import type { Member } from "@postrider/core";
import { mergePages } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { APPEND_TEXT_LENGTH } from "../limits.js";
import type { SyncFault } from "./audiences.js";
import { toRelayFault } from "../fault.js";
import { createPageReader, fillAll, type ReadNextPage } from "./pages.js";
import type { MergeTask } from "./sync-task.js";

export interface MergeInput {
  readonly lists: readonly ReadNextPage[];
  /** The set that the result is appended to. */
  readonly set: string;
  /** Called with the number of further members that are merged. */
  readonly onMerged?: (members: number) => void;
}

/**
 * Merges sorted lists into a set: if a user is in several lists, the value in the last of them counts. Returns how many
 * members were appended.
 */
export async function mergeInto(
  task: MergeTask,
  { lists, set, onMerged }: MergeInput,
): Promise<Result<number, SyncFault>> {
  const readers = lists.map(createPageReader);
  const appender = createAppender(task, set);
  while (!readers.every((reader) => reader.isEnded())) {
    const filled = await fillAll(readers);
    if (filled.isErr()) return err(toRelayFault(filled.error));
    const { members, from } = mergePages(readers.map((reader) => reader.cursor()));
    for (const [list, reader] of readers.entries()) reader.advance(from[list] ?? 0);
    onMerged?.(members.length);
    const added = await appender.add(members);
    if (added.isErr()) return err(added.error);
  }
  const flushed = await appender.flush();
  return flushed.map(() => appender.count());
}

interface Appender {
  add(members: readonly Member[]): Promise<Result<void, SyncFault>>;
  flush(): Promise<Result<void, SyncFault>>;
  count(): number;
}

/** Appends members to a set, in commits of a bounded size, since other writes wait for a commit. */
function createAppender({ storage, bounds, work }: MergeTask, set: string): Appender {
  let pending: Member[] = [];
  let textLength = 0;
  let count = 0;

  async function flush(): Promise<Result<void, SyncFault>> {
    if (pending.length === 0) return ok(undefined);
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const members = pending;
    pending = [];
    textLength = 0;
    count += members.length;
    const appended = await storage.ask((audiences) => audiences.append(set, members));
    await work.yieldIfLong();
    return appended.mapErr(toRelayFault);
  }

  return {
    add: async (members) => {
      for (const member of members) {
        pending.push(member);
        textLength += textLengthOf(member);
        if (pending.length < bounds.appendMembers && textLength < APPEND_TEXT_LENGTH) continue;
        const flushed = await flush();
        if (flushed.isErr()) return flushed;
      }
      return ok(undefined);
    },
    flush,
    count: () => count,
  };
}

/** The UTF-16 units of a member, without the overhead of its object. */
export function textLengthOf({ userId, value }: Member): number {
  return userId.length + (value?.length ?? 0);
}

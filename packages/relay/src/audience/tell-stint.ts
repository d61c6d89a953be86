// One stint of a sync: compares what some destinations know with what there is now, from where they have heard it to, stores
// a bounded number of changes in commits of a bounded size, and keeps how far they have heard it then.

import {
  type DestinationId,
  knownTo,
  type MemberChange,
  reachedIn,
  type SnapshotPart,
  type SyncCounts,
  tellSync,
} from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { CHANGES_A_COMMIT } from "../limits.js";
import { createDiff, type Diff } from "./diff.js";
import type { StoreFault } from "../storage/storage.js";
import type { HoldFault } from "./hold.js";
import { snapshotPages } from "./pages.js";
import { storeChanges } from "./store-changes.js";
import type { SendingTask } from "./sync-task.js";

type StintFault = HoldFault | { readonly code: "stopped" };

/** What came of a stint, for each of its destinations. */
interface Stint extends SyncCounts {
  /** They have heard all changes up to this user; null: to the end. */
  readonly upTo: string | null;
}

/** The destinations all know the same. */
export async function tellStint(
  task: SendingTask,
  destinations: readonly DestinationId[],
): Promise<Result<void, StintFault>> {
  const record = task.hold.record();
  const { running } = record;
  const [first] = destinations;
  if (running?.kind !== "sending" || first === undefined) return ok(undefined);
  const stint = await tellChanges(task, destinations, diffFor(task, knownTo(record, first).parts, running.set));
  if (stint.isErr()) return err(stint.error);
  const { upTo } = stint.value;
  const counts = addCounts(running, stint.value, destinations.length);
  const kept = await task.hold.change((found) => tellSync(found, { destinations, upTo, counts }));
  return kept.map(() => undefined);
}

/** What is known against what there is, from where the sync has been heard to. */
function diffFor({ storage }: SendingTask, parts: readonly SnapshotPart[], set: string): Diff {
  const after = reachedIn(parts, set)?.upTo ?? undefined;
  return createDiff(snapshotPages(storage, parts, after), snapshotPages(storage, [{ set, upTo: null }], after));
}

async function tellChanges(
  task: SendingTask,
  destinations: readonly DestinationId[],
  diff: Diff,
): Promise<Result<Stint, StintFault>> {
  const outbox = createOutbox(task, destinations);
  for (;;) {
    if (!task.mayGoOn()) return err({ code: "stopped" });
    const step = await diff(outbox.room());
    if (step.isErr()) return err(step.error);
    const { changes, compared, isEnd } = step.value;
    task.onCompared(compared * destinations.length);
    outbox.add(changes);
    const isOver = isEnd || outbox.isLast();
    const sent = isOver || outbox.isFull() ? await outbox.send() : ok(undefined);
    if (sent.isErr()) return err(sent.error);
    if (isOver) return ok({ ...outbox.counts, upTo: isEnd ? null : outbox.reached() });
    await task.breathe();
  }
}

/** The changes of a stint, gathered for commits. */
interface Outbox {
  /** What it has been given in all. */
  readonly counts: SyncCounts;
  /** How many more it takes before `send`, or in all. */
  room(): number;
  isFull(): boolean;
  isLast(): boolean;
  add(changes: readonly MemberChange[]): void;
  send(): Promise<Result<void, StoreFault>>;
  /** The user whose change was sent last. */
  reached(): string | null;
}

function createOutbox(task: SendingTask, destinations: readonly DestinationId[]): Outbox {
  const atOnce = Math.max(1, Math.floor(CHANGES_A_COMMIT / destinations.length));
  const counts = { entered: 0, departed: 0, changed: 0 };
  let gathered: MemberChange[] = [];
  let left = task.bounds.stintChanges;
  let reached: string | null = null;
  return {
    counts,
    room: () => Math.min(atOnce - gathered.length, left),
    isFull: () => gathered.length >= atOnce,
    isLast: () => left <= 0,
    add: (changes): void => {
      for (const change of changes) {
        counts[change.kind] += 1;
        gathered.push(change);
      }
      left -= changes.length;
    },
    send: async () => {
      const changes = gathered;
      gathered = [];
      reached = changes.at(-1)?.userId ?? reached;
      return changes.length === 0 ? ok(undefined) : storeChanges(task, { destinations, changes });
    },
    reached: () => reached,
  };
}

function addCounts(before: SyncCounts, { entered, departed, changed }: SyncCounts, times: number): SyncCounts {
  return {
    entered: before.entered + entered * times,
    departed: before.departed + departed * times,
    changed: before.changed + changed * times,
  };
}

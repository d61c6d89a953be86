// The moves of the cases of an outbox: calls with names, walks to its end, and transactions that add calls. All cases share one outbox,
// so each begins by emptying it.

import type { Outbox, OutboxCall, OutboxEntry, OutboxQuery, RunStatement, SourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectPresent, expectThat } from "../check.js";
import type { Scene } from "./scene.js";

/** The outbox of the store that is open. */
export function outboxOf(scene: Pick<Scene, "store">): Outbox {
  return expectPresent(scene.store().outbox, "the outbox of a store that supports `outbox`");
}

/** A call with a name, of this scene's source unless another is named. */
export function callOf({ source: usual }: Pick<Scene, "source">, name: string, source: SourceId = usual): OutboxCall {
  const fields = { type: "track", messageId: name, timestamp: "2026-01-01T00:00:00.000Z", event: "Paid", userId: "u1" };
  return { source, call: JSON.stringify(fields) };
}

/** The name of a call that `callOf` has made. */
export function nameOfCall({ call }: Pick<OutboxCall, "call">): string {
  return (JSON.parse(call) as { readonly messageId: string }).messageId;
}

/** The names of all calls, sorted. */
export async function namesIn(scene: Scene, query: WalkQuery = {}): Promise<readonly string[]> {
  return (await walkOutbox(scene, query)).map(nameOfCall).toSorted();
}

type WalkQuery = Partial<Pick<OutboxQuery, "limit" | "except">>;

/** More pages than any case fills. */
const MAX_PAGES = 1_000;

/** All entries, page by page, until a page has fewer than its limit. */
export async function walkOutbox(scene: Pick<Scene, "store">, query: WalkQuery = {}): Promise<readonly OutboxEntry[]> {
  const { limit = 100 } = query;
  const entries: OutboxEntry[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await outboxOf(scene).read({ ...query, limit, ...defined({ after: entries.at(-1)?.id }) });
    expectThat(page.length <= limit, `a page of ${String(limit)} has ${String(page.length)} entries`);
    entries.push(...page);
    if (page.length < limit) return entries;
  }
  throw new Error(`an outbox does not end after ${String(MAX_PAGES)} pages`);
}

/** Removes what other cases have left. */
export async function emptyOutbox(scene: Pick<Scene, "store">): Promise<void> {
  await outboxOf(scene).remove((await walkOutbox(scene)).map(({ id }) => id));
}

/** Adds calls in one transaction, and commits it. */
export async function addAll(scene: Scene, calls: readonly OutboxCall[]): Promise<void> {
  const { run, commit } = await scene.beginTransaction();
  for (const call of calls) await outboxOf(scene).add(call, run);
  await commit();
}

/** Adds calls of these names. */
export function addCalls(scene: Scene, names: readonly string[], source: SourceId = scene.source): Promise<void> {
  return addAll(
    scene,
    names.map((name) => callOf(scene, name, source)),
  );
}

export function withoutId({ source, call }: OutboxEntry): OutboxCall {
  return { source, call };
}

/** Sorted by their texts. */
export function inOrder(calls: readonly OutboxCall[]): readonly OutboxCall[] {
  return calls.toSorted((one, other) => (one.call < other.call ? -1 : 1));
}

/** Runs statements one after the other, for hosts whose library has no queue of them. */
export function inTurn(run: RunStatement): RunStatement {
  let last: Promise<unknown> = Promise.resolve();
  return (sql, values) => (last = last.then(() => run(sql, values)));
}

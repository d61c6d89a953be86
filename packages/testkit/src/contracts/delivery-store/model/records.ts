// Commands about records: few keys of two kinds, put at the revision that follows or at a wrong one. The model learns the order of
// a list from the lists that it has seen: a store chooses it, and never changes it.

import type { RecordKind, RecordQuery, StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import { expectEqual, expectThat } from "../../check.js";
import { recordsIn } from "../../record-store/scene.js";
import { type Drawn, type Question, questionsOf } from "./command.js";
import type { Model } from "./model.js";
import { pageLimits } from "./names.js";

const KINDS: readonly RecordKind[] = ["replay-job", "audience"];

const kinds = fc.constantFrom(...KINDS);

const keys = fc.constantFrom("r", "r", "s", "R", "r\u0000", "");

const tags = fc.constantFrom(undefined, "running", "done");

/** A record that is named by its kind and its key. */
type RecordName = Pick<StoredRecord, "kind" | "key">;

function nameOf({ kind, key }: RecordName): string {
  return `${kind} ${key}`;
}

const recordNames: fc.Arbitrary<RecordName> = fc.record({ kind: kinds, key: keys });

function recordIn({ records }: Model, { kind, key }: RecordName): StoredRecord | undefined {
  return records.find((record) => record.kind === kind && record.key === key);
}

function recordsWithout({ records }: Model, { kind, key }: RecordName): StoredRecord[] {
  return records.filter((record) => record.kind !== kind || record.key !== key);
}

const drafts: fc.Arbitrary<Drawn<StoredRecord>> = fc
  .record({
    name: recordNames,
    ahead: fc.constantFrom(1, 1, 1, 1, 0, 2),
    text: fc.constantFrom("", "a", "b\n"),
    tag: tags,
  })
  .map(({ name: { kind, key }, ahead, text, tag }) => ({ model }) => {
    const revision = Math.max(1, (recordIn(model, { kind, key })?.revision ?? 0) + ahead);
    return { kind, key, revision, text, ...defined({ tag }) };
  });

const PUT_QUESTIONS: fc.Arbitrary<Question> = questionsOf<StoredRecord, boolean>({
  name: "records.put",
  drawn: drafts,
  subjectOf: nameOf,
  send: (store, request) => recordsIn(store).put(request),
  follow: (model, { request, answer }) => {
    const isNext = (recordIn(model, request)?.revision ?? 0) === request.revision - 1;
    expectEqual(answer, isNext, "the answer to a record");
    if (isNext) model.records = [...recordsWithout(model, request), request];
  },
});

const REMOVE_QUESTIONS: fc.Arbitrary<Question> = questionsOf<RecordName, undefined>({
  name: "records.remove",
  drawn: recordNames.map((request) => () => request),
  subjectOf: nameOf,
  send: async (store, { kind, key }) => {
    await recordsIn(store).remove(kind, key);
    return undefined;
  },
  follow: (model, { request }) => {
    model.records = recordsWithout(model, request);
  },
});

interface Search extends RecordName {
  readonly above?: number;
}

const searches: fc.Arbitrary<Drawn<Search>> = fc
  .record({ name: recordNames, behind: fc.constantFrom(undefined, 0, 0, 1, 2) })
  .map(({ name, behind }) => ({ model }) => {
    const { revision } = recordIn(model, name) ?? { revision: 0 };
    return { ...name, ...defined({ above: behind === undefined ? undefined : Math.max(0, revision - behind) }) };
  });

const FIND_QUESTIONS: fc.Arbitrary<Question> = questionsOf<Search, StoredRecord | undefined>({
  name: "records.find",
  isRead: true,
  drawn: searches,
  send: (store, { kind, key, above }) => recordsIn(store).find(kind, key, above),
  follow: (model, { request, answer }) => {
    const record = recordIn(model, request);
    const isHigher = record !== undefined && record.revision > (request.above ?? 0);
    expectEqual(answer, isHigher ? record : undefined, "the record that is found");
  },
});

const queries: fc.Arbitrary<Drawn<RecordQuery>> = fc
  .record({
    kind: kinds,
    tag: tags,
    after: fc.option(keys, { nil: undefined }),
    limit: fc.oneof(pageLimits, fc.constant(0)),
  })
  .map(({ kind, tag, after, limit }) => () => ({ kind, limit, ...defined({ tag, after }) }));

const LIST_QUESTIONS: fc.Arbitrary<Question> = questionsOf<RecordQuery, readonly StoredRecord[]>({
  name: "records.list",
  isRead: true,
  drawn: queries,
  send: (store, request) => recordsIn(store).list(request),
  follow: (model, { request: { kind, tag, after, limit }, answer }) => {
    const candidates = model.records.filter(
      (record) => record.kind === kind && (tag === undefined || record.tag === tag),
    );
    const listed = candidates.filter(({ key }) => answer.some((record) => record.key === key));
    expectEqual(answer.toSorted(byKey), listed.toSorted(byKey), "the records of a page");
    expectThat(answer.length <= limit, "a page of records has more than its limit");
    const omittedKeys = candidates
      .filter((record) => !listed.includes(record) && record.key !== after)
      .map(({ key }) => key);
    expectThat(
      after !== undefined || answer.length === limit || omittedKeys.length === 0,
      "a page of records is short",
    );
    const order = [...(after === undefined ? [] : [after]), ...answer.map(({ key }) => key)];
    for (const [place, second] of order.entries())
      for (const first of order.slice(0, place)) learnOrder(model, kind, [first, second]);
    // A page that is not full ends the list: all others come before it.
    if (after !== undefined && answer.length < limit)
      for (const first of omittedKeys) learnOrder(model, kind, [first, after]);
  },
});

function byKey(first: StoredRecord, second: StoredRecord): number {
  return first.key < second.key ? -1 : 1;
}

/** Notes that one key comes before another; throws if a list had them the other way round. */
function learnOrder({ recordOrder }: Model, kind: RecordKind, [first, second]: readonly [string, string]): void {
  const isKnown = (firstKey: string, secondKey: string): boolean =>
    recordOrder.some((pair) => pair.kind === kind && pair.first === firstKey && pair.second === secondKey);
  const names = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
  expectThat(
    first !== second && !isKnown(second, first),
    `the keys ${names} are listed in the other order than before`,
  );
  if (!isKnown(first, second)) recordOrder.push({ kind, first, second });
}

/** Each of the commands about records, as often as it is drawn. */
export const RECORD_QUESTIONS: readonly fc.Arbitrary<Question>[] = [
  PUT_QUESTIONS,
  PUT_QUESTIONS,
  REMOVE_QUESTIONS,
  FIND_QUESTIONS,
  LIST_QUESTIONS,
];

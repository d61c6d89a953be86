// Commands that are sent in the same turn, and commits under way when the process dies: the model accepts any order in
// which it gives the same answers. A command without an answer may have taken effect (decision: overlapping reads).

import type { DeliveryStore, StoreError } from "@postrider/core";
import fc from "fast-check";
import type { FollowUp, PosedQuestion, Question, StoreCommand } from "./command.js";
import type { Model } from "./model.js";
import type { TestedStorage } from "./tested-storage.js";
import { expectAgreement } from "./compare.js";
import type { Snapshot } from "./snapshot.js";

/** A question, and the store that it goes to. */
interface StoreQuestion {
  readonly question: Question;
  readonly place: number;
}

/** The most commands that are sent together: there are at most 6 orders of them. */
const MAX_TOGETHER = 3;

/** Draws groups of commands that are sent together. */
export function groupsOf(questions: fc.Arbitrary<Question>, minLength: number): fc.Arbitrary<readonly StoreQuestion[]> {
  return fc.array(fc.record({ question: questions, place: fc.nat(5) }), { minLength, maxLength: MAX_TOGETHER });
}

/** Sends the commands of a group together, and waits for all answers. */
export function togetherCommands(
  groups: fc.Arbitrary<readonly StoreQuestion[]>,
  hasUsers: boolean,
): fc.Arbitrary<StoreCommand> {
  return groups.map((group) => ({
    check: () => true,
    toString: () => `together: ${namesOf(group)}`,
    run: async (model, tested): Promise<void> => {
      const ends = await Promise.all(sendAll({ group, model, tested, hasUsers }, "together: ").map(({ end }) => end));
      await adopt(
        model,
        tested,
        ends.flatMap((end) => partsOf(end, false)),
      );
    },
  }));
}

/** Sends the commits of a group, and opens the storage again at once. */
export function crashCommands(
  groups: fc.Arbitrary<readonly StoreQuestion[]>,
  hasUsers: boolean,
): fc.Arbitrary<StoreCommand> {
  return groups.map((group) => ({
    check: () => true,
    toString: () => `the process dies: ${namesOf(group)}`,
    run: async (model, tested): Promise<void> => {
      const sentCommands = sendAll({ group, model, tested, hasUsers }, "under way: ");
      tested.note("the process dies, and another opens the storage", undefined);
      await tested.crash();
      const ends = await Promise.all(sentCommands.map(({ end }) => end));
      await adopt(
        model,
        tested,
        ends.flatMap((end) => partsOf(end, true)),
      );
    },
  }));
}

function namesOf(group: readonly StoreQuestion[]): string {
  return group.length === 0 ? "idle" : group.map(({ question }) => question.name).join(", ");
}

interface Sending {
  readonly group: readonly StoreQuestion[];
  readonly model: Model;
  readonly tested: TestedStorage;
  readonly hasUsers: boolean;
}

/** The outcome of a question: its answer, or an error. */
interface End {
  readonly posed: PosedQuestion;
  readonly followUp?: FollowUp;
  readonly error?: unknown;
}

interface SentQuestion {
  readonly posed: PosedQuestion;
  readonly end: Promise<End>;
}

function sendAll({ group, model, tested, hasUsers }: Sending, note: string): readonly SentQuestion[] {
  const there = { model, now: tested.now(), attemptKeys: new Set<string>(), isShared: true, hasUsers };
  const posedQuestions = group.map(({ question, place }) => ({
    question: question.pose(there),
    store: tested.storeAt(place),
  }));
  // Of several changes of one subject only the first is sent (see `subjectOf`).
  const sentQuestions = posedQuestions.filter(({ question: { subject } }, place) => {
    return subject === undefined || posedQuestions.findIndex(({ question }) => question.subject === subject) === place;
  });
  for (const { question } of sentQuestions) tested.note(`${note}${question.name}`, question.request);
  return sentQuestions.map(({ question, store }) => ({ posed: question, end: send(question, store) }));
}

function send(posed: PosedQuestion, store: DeliveryStore): Promise<End> {
  return posed.send(store).then(
    (followUp) => ({ posed, followUp }),
    (error: unknown) => ({ posed, error }),
  );
}

/** None if the command rejected as `busy`. Throws its error otherwise, but for `unavailable` after the death of the process. */
function partsOf({ posed, followUp, error }: End, hasDied: boolean): readonly Part[] {
  const { name, isRead, unanswered } = posed;
  if (followUp !== undefined) return [{ name, followUp, isSure: true, isRead }];
  const { code } = error as Partial<StoreError>;
  if (code === "busy") return [];
  if (hasDied && code === "unavailable") return [{ name, followUp: unanswered, isSure: false, isRead }];
  throw error;
}

async function adopt(model: Model, tested: TestedStorage, parts: readonly Part[]): Promise<void> {
  const views = await tested.lookAtAll(model);
  const [explanation] = findOrders(model, parts, { views, isAlone: tested.isAlone() });
  Object.assign(model, explanation?.model);
}

/** The outcome of one of the commands. */
interface Part {
  readonly name: string;
  readonly followUp: FollowUp;
  /** True if it must have taken effect; if not, it may have. */
  readonly isSure: boolean;
  /** True if it changes nothing. */
  readonly isRead: boolean;
}

interface StateAfter {
  readonly views: readonly [Snapshot, ...Snapshot[]];
  readonly isAlone: boolean;
}

/** One way in which commands may have taken effect, and the model after it. */
interface ExplainingOrder {
  readonly order: readonly Part[];
  readonly model: Model;
}

/** Every order that explains the answers and the state. Throws with the first difference of the first order if none does. */
function findOrders(model: Model, parts: readonly Part[], state: StateAfter): readonly ExplainingOrder[] {
  const explanations: ExplainingOrder[] = [];
  const reasons: string[] = [];
  const reads = parts.filter(({ isRead }) => isRead);
  for (const order of ordersOf(parts.filter(({ isRead }) => !isRead))) {
    const copy = structuredClone(model);
    const difference = differenceIn(copy, order, state) ?? unexplainedRead(model, { reads, order, state });
    if (difference === undefined) explanations.push({ order, model: copy });
    else reasons.push(`as ${order.map(({ name }) => name).join(", then ")}: ${difference}`);
  }
  if (explanations.length > 0) return explanations;
  throw new Error(`no order of the commands explains the answers and the state\n${reasons[0] ?? ""}`);
}

function differenceIn(model: Model, order: readonly Part[], state: StateAfter): string | undefined {
  return messageOf(() => {
    followAll(model, order, state);
    for (const view of state.views) expectAgreement(model, view);
  });
}

interface Reading {
  readonly reads: readonly Part[];
  /** The changes, as they took effect. */
  readonly order: readonly Part[];
  readonly state: StateAfter;
}

/** The difference of the first read that is explained by no part of the changes, be it none of them, some or all. */
function unexplainedRead(model: Model, { reads, order, state }: Reading): string | undefined {
  for (const answeredRead of reads) {
    const differences = sequencesOf(order).map((parts) =>
      messageOf(() => {
        followAll(structuredClone(model), [...parts, answeredRead], state);
      }),
    );
    if (!differences.includes(undefined)) return `${answeredRead.name}: ${differences[0] ?? ""}`;
  }
  return undefined;
}

function followAll(model: Model, order: readonly Part[], { views, isAlone }: StateAfter): void {
  const since = model.deliveries.length;
  for (const { followUp } of order) followUp(model, { seen: views[0], isAlone, since });
}

function messageOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** All orders of all subsets, the whole in its order first. */
function sequencesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const subsets = items.reduce<readonly (readonly T[])[]>(
    (smaller, item) => [...smaller, ...smaller.map((subset) => [...subset, item])],
    [[]],
  );
  return subsets.toReversed().flatMap(permutations);
}

/** All orders of the parts: those with a part that is not sure come before those without it. */
function ordersOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const unsure = parts.find(({ isSure }) => !isSure);
  if (unsure === undefined) return permutations(parts);
  const asSure = parts.map((part) => (part === unsure ? { ...part, isSure: true } : part));
  return [...ordersOf(asSure), ...ordersOf(parts.filter((part) => part !== unsure))];
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, place) => permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}

// Commands that are sent in the same turn, to one store or to several: the model accepts any order of them. And commits that
// are under way when the process dies: one that was answered is there, another is there whole or not at all.

import type { DeliveryStore, StoreError } from "@postrider/core";
import fc from "fast-check";
import type { FollowUp, PosedQuestion, Question, StoreCommand } from "./command.js";
import { findOrders, type Part } from "./find-orders.js";
import type { Model } from "./model.js";
import type { TestedStorage } from "./tested-storage.js";

/** A question, and the store that it goes to. */
export interface Sent {
  readonly question: Question;
  readonly place: number;
}

/** So that there are at most 6 orders. */
const MAX_TOGETHER = 3;

/** Draws groups of commands that are sent together. */
export function groupsOf(questions: fc.Arbitrary<Question>, minLength: number): fc.Arbitrary<readonly Sent[]> {
  return fc.array(fc.record({ question: questions, place: fc.nat(5) }), { minLength, maxLength: MAX_TOGETHER });
}

/** Sends the commands of a group together, and waits for all answers. */
export function togetherCommands(groups: fc.Arbitrary<readonly Sent[]>, hasUsers: boolean): fc.Arbitrary<StoreCommand> {
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
export function crashCommands(groups: fc.Arbitrary<readonly Sent[]>, hasUsers: boolean): fc.Arbitrary<StoreCommand> {
  return groups.map((group) => ({
    check: () => true,
    toString: () => `the process dies: ${namesOf(group)}`,
    run: async (model, tested): Promise<void> => {
      const sent = sendAll({ group, model, tested, hasUsers }, "under way: ");
      tested.note("the process dies, and another opens the storage", undefined);
      await tested.crash();
      const ends = await Promise.all(sent.map(({ end }) => end));
      await adopt(
        model,
        tested,
        ends.flatMap((end) => partsOf(end, true)),
      );
    },
  }));
}

function namesOf(group: readonly Sent[]): string {
  return group.length === 0 ? "idle" : group.map(({ question }) => question.name).join(", ");
}

interface Sending {
  readonly group: readonly Sent[];
  readonly model: Model;
  readonly tested: TestedStorage;
  readonly hasUsers: boolean;
}

/** What came of a question: its answer, or an error. */
interface End {
  readonly posed: PosedQuestion;
  readonly followUp?: FollowUp;
  readonly error?: unknown;
}

interface Underway {
  readonly posed: PosedQuestion;
  readonly end: Promise<End>;
}

function sendAll({ group, model, tested, hasUsers }: Sending, note: string): readonly Underway[] {
  const there = { model, now: tested.now(), attemptKeys: new Set<string>(), isShared: true, hasUsers };
  const posed = group.map(({ question, place }) => ({ question: question.pose(there), store: tested.storeAt(place) }));
  for (const { question } of posed) tested.note(`${note}${question.name}`, question.asked);
  return posed.map(({ question, store }) => ({ posed: question, end: send(question, store) }));
}

function send(posed: PosedQuestion, store: DeliveryStore): Promise<End> {
  return posed.send(store).then(
    (followUp) => ({ posed, followUp }),
    (error: unknown) => ({ posed, error }),
  );
}

/** Throws an error that does not say whether the command took effect, unless the process died meanwhile. */
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

// One command of a run: its request is made from drawn data and the current deliveries, is sent to one of the open
// stores, and the model checks the answer. Then the whole state is compared.

import { type DeliveryId, deliveryId, type DeliveryStore, type EpochMs, plusMs } from "@postrider/core";
import fc from "fast-check";
import type { TestedStorage } from "./tested-storage.js";
import { compareWithModel } from "./compare.js";
import { isUnfinished, type Model, type ModelDelivery } from "./model.js";

export type StoreCommand = fc.AsyncCommand<Model, TestedStorage>;

/** The state in which a command runs. */
export interface DrawContext {
  readonly model: Model;
  readonly now: EpochMs;
}

/** A drawn value that becomes definite when its command runs: a position becomes a delivery, a distance an instant. */
export type Drawn<T> = (there: DrawContext) => T;

export interface CommandSpec<Asked, Answer> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn<Asked>>;
  readonly send: (store: DeliveryStore, asked: Asked, now: EpochMs) => Promise<Answer>;
  /** Throws on an answer that the port does not allow; otherwise updates the model. */
  readonly checkAnswer: (model: Model, request: AnsweredRequest<Asked, Answer>) => void | Promise<void>;
}

export interface AnsweredRequest<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly now: EpochMs;
  readonly store: DeliveryStore;
}

export function commandsOf<Asked, Answer>(spec: CommandSpec<Asked, Answer>): fc.Arbitrary<StoreCommand> {
  const { name, drawn, send, checkAnswer } = spec;
  return fc.tuple(drawn, fc.boolean()).map(([draw, takesLast]) => ({
    check: () => true,
    toString: () => name,
    run: async (model, tested): Promise<void> => {
      const now = tested.now();
      const asked = draw({ model, now });
      tested.note(name, asked);
      const store = takesLast ? (tested.stores().at(-1) ?? tested.stores()[0]) : tested.stores()[0];
      await checkAnswer(model, { asked, answer: await send(store, asked, now), now, store });
      await compareWithModel(model, tested);
    },
  }));
}

/** Instants are on a grid, so that many are equal: stores often fail at boundaries. */
export const STEP_MS = 100;

/** An instant from `minMs` to `maxMs` after the start of the command. */
export function nearbyInstants(minMs: number, maxMs: number): fc.Arbitrary<Drawn<EpochMs>> {
  const steps = fc.integer({ min: minMs / STEP_MS, max: maxMs / STEP_MS });
  return steps.map(
    (step) =>
      ({ now }) =>
        plusMs(now, step * STEP_MS),
  );
}

/** The kinds of deliveries to draw from. A kind that is named twice is drawn twice as often. */
export type DeliveryKinds = readonly (keyof typeof IS_OF_KIND)[];

const IS_OF_KIND = {
  claimed: ({ state }: ModelDelivery): boolean => state === "claimed",
  finished: (delivery: ModelDelivery): boolean => !isUnfinished(delivery),
  all: (): boolean => true,
};

/** A delivery that exists at the time of the command, swept ones included; undefined if there is none. */
export function drawnDeliveries(...among: DeliveryKinds): fc.Arbitrary<Drawn<ModelDelivery | undefined>> {
  return fc.tuple(fc.constantFrom(...among), fc.nat(99)).map(([meant, place]) => ({ model }) => {
    const there = model.deliveries.filter(IS_OF_KIND[meant]);
    return there[place % there.length];
  });
}

/** The id of the delivery; if there is none, an id that no delivery has. */
export function idOrUnknown(delivery: ModelDelivery | undefined): DeliveryId {
  return delivery?.id ?? deliveryId("no such delivery");
}

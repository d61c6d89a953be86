// One command of a run: what it asks is made of what was drawn and of what there is by then, is asked of one of the open
// stores, and its answer judged by the model. Then all that can be seen is compared.

import { type DeliveryId, deliveryId, type DeliveryStore, type EpochMs, plusMs } from "@postrider/core";
import fc from "fast-check";
import type { Bench } from "./rig.js";
import { compare } from "./compare.js";
import { isUnfinished, type Model, type ModelDelivery } from "./model.js";

export type StoreCommand = fc.AsyncCommand<Model, Bench>;

/** What a command finds when its turn comes. */
export interface There {
  readonly model: Model;
  readonly now: EpochMs;
}

/** A value that is drawn before it is known what it names: deliveries by their place, instants by their distance. */
export type Drawn<T> = (there: There) => T;

export interface Question<Asked, Answer> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn<Asked>>;
  readonly put: (store: DeliveryStore, asked: Asked, now: EpochMs) => Promise<Answer>;
  /** Throws at an answer that the port does not allow, and has the model follow one that it does. */
  readonly judge: (model: Model, put: Put<Asked, Answer>) => void | Promise<void>;
}

export interface Put<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly now: EpochMs;
  readonly store: DeliveryStore;
}

export function commandsOf<Asked, Answer>(question: Question<Asked, Answer>): fc.Arbitrary<StoreCommand> {
  const { name, drawn, put, judge } = question;
  return fc.tuple(drawn, fc.boolean()).map(([draw, takesLast]) => ({
    check: () => true,
    toString: () => name,
    run: async (model, bench): Promise<void> => {
      const now = bench.now();
      const asked = draw({ model, now });
      bench.note(name, asked);
      const store = takesLast ? (bench.stores().at(-1) ?? bench.stores()[0]) : bench.stores()[0];
      await judge(model, { asked, answer: await put(store, asked, now), now, store });
      await compare(model, bench);
    },
  }));
}

/** Instants lie on a grid, so that they often coincide: edges are where stores are wrong. */
export const STEP_MS = 100;

/** An instant within so many milliseconds from when its turn comes. */
export function instants(minMs: number, maxMs: number): fc.Arbitrary<Drawn<EpochMs>> {
  const steps = fc.integer({ min: minMs / STEP_MS, max: maxMs / STEP_MS });
  return steps.map(
    (step) =>
      ({ now }) =>
        plusMs(now, step * STEP_MS),
  );
}

/** Which deliveries are meant, and how often; none may be there. */
export type Among = readonly (keyof typeof AMONG)[];

const AMONG = {
  claimed: ({ state }: ModelDelivery): boolean => state === "claimed",
  finished: (delivery: ModelDelivery): boolean => !isUnfinished(delivery),
  all: (): boolean => true,
};

/** A delivery out of those there are when its turn comes, swept ones included; undefined when there is none. */
export function deliveries(...among: Among): fc.Arbitrary<Drawn<ModelDelivery | undefined>> {
  return fc.tuple(fc.constantFrom(...among), fc.nat(99)).map(([meant, place]) => ({ model }) => {
    const there = model.deliveries.filter(AMONG[meant]);
    return there[place % there.length];
  });
}

/** The id of one of those, or of one that never was. */
export function idOf(delivery: ModelDelivery | undefined): DeliveryId {
  return delivery?.id ?? deliveryId("no such delivery");
}

// Events around a store: time passes, further processes open the same storage, and close it.

import { DEDUPE_WINDOW_MS } from "@postrider/core";
import fc from "fast-check";
import type { TestedStorage } from "./tested-storage.js";
import { STEP_MS, type StoreCommand } from "./command.js";
import { expectAgreement } from "./compare.js";
import { isUnfinished, type Model } from "./model.js";

type While = (model: Model, tested: TestedStorage) => number;

/** Any duration, or exactly until a delivery can be claimed, or just before that. */
const whiles: fc.Arbitrary<While> = fc.oneof(
  fc.integer({ min: 1, max: 15 }).map(
    (steps): While =>
      () =>
        steps * STEP_MS,
  ),
  fc.tuple(fc.nat(9), fc.constantFrom(0, 1)).map(([place, earlyMs]): While => (model, tested) => {
    const times = model.deliveries.filter(isUnfinished).map(({ at }) => at - tested.now() - earlyMs);
    const ahead = times.filter((ms) => ms > 0);
    return ahead[place % ahead.length] ?? 1;
  }),
);

export const TIME_COMMANDS: fc.Arbitrary<StoreCommand> = whiles.map((ms) =>
  happening("time passes", (model, tested) => tested.advance(ms(model, tested))),
);

export const DAY_COMMANDS: fc.Arbitrary<StoreCommand> = fc
  .constantFrom(DEDUPE_WINDOW_MS, DEDUPE_WINDOW_MS - 1, DEDUPE_WINDOW_MS / 2)
  .map((ms) => happening("most of a day passes", (_, tested) => tested.advance(ms)));

/** Three stores are enough for conflicts. */
const MAX_STORES = 3;

export const OPEN_ANOTHER_COMMANDS: fc.Arbitrary<StoreCommand> = fc.constant(
  happening("a further process opens the storage", async (_, tested) => {
    if (tested.stores().length < MAX_STORES) await tested.openAnother();
  }),
);

export const CLOSE_COMMANDS: fc.Arbitrary<StoreCommand> = fc
  .nat(5)
  .map((place) => happening("one of several processes closes its store", (_, tested) => tested.closeOne(place)));

function happening(name: string, happen: (model: Model, tested: TestedStorage) => Promise<void>): StoreCommand {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, tested): Promise<void> => {
      tested.note(name, undefined);
      await happen(model, tested);
      for (const view of await tested.lookAtAll(model)) expectAgreement(model, view);
    },
  };
}

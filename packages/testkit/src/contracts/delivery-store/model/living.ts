// Events around a store: time passes, the process crashes and starts again, another process opens the same storage.

import { DEDUPE_WINDOW_MS } from "@postrider/core";
import fc from "fast-check";
import type { Bench } from "./rig.js";
import { STEP_MS, type StoreCommand } from "./command.js";
import { compare } from "./compare.js";
import { isUnfinished, type Model } from "./model.js";

type While = (model: Model, bench: Bench) => number;

/** Any duration, or exactly until a delivery can be claimed, or just before that. */
const whiles: fc.Arbitrary<While> = fc.oneof(
  fc.integer({ min: 1, max: 15 }).map(
    (steps): While =>
      () =>
        steps * STEP_MS,
  ),
  fc.tuple(fc.nat(9), fc.constantFrom(0, 1)).map(([place, earlyMs]): While => (model, bench) => {
    const times = model.deliveries.filter(isUnfinished).map(({ at }) => at - bench.now() - earlyMs);
    const ahead = times.filter((ms) => ms > 0);
    return ahead[place % ahead.length] ?? 1;
  }),
);

export const PASSING: fc.Arbitrary<StoreCommand> = whiles.map((ms) =>
  happening("time passes", (model, bench) => bench.advance(ms(model, bench))),
);

export const PASSING_DAYS: fc.Arbitrary<StoreCommand> = fc
  .constantFrom(DEDUPE_WINDOW_MS, DEDUPE_WINDOW_MS - 1, DEDUPE_WINDOW_MS / 2)
  .map((ms) => happening("most of a day passes", (_, bench) => bench.advance(ms)));

export const CRASHING: fc.Arbitrary<StoreCommand> = fc.constant(
  happening("the process dies, and another opens the storage", (_, bench) => bench.crash()),
);

/** Two stores are enough for conflicts. */
const MOST_STORES = 2;

export const OPENING: fc.Arbitrary<StoreCommand> = fc.constant(
  happening("a second process opens the storage", async (_, bench) => {
    if (bench.stores().length < MOST_STORES) await bench.openAnother();
  }),
);

function happening(name: string, happen: (model: Model, bench: Bench) => Promise<void>): StoreCommand {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, bench): Promise<void> => {
      bench.note(name, undefined);
      await happen(model, bench);
      await compare(model, bench);
    },
  };
}

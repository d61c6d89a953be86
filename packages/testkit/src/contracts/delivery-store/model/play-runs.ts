// Plays random commands on storages, each new and empty, and on the model. The first difference is shrunk to the fewest
// commands that cause it, and reported with them.

import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import type { DeliveryStoreHarness } from "../harness.js";
import { openRig } from "./rig.js";
import { CLAIMING } from "./claiming.js";
import type { StoreCommand } from "./command.js";
import { COMMITTING } from "./committing.js";
import { CRASHING, OPENING, PASSING, PASSING_DAYS } from "./living.js";
import { LISTING, SEEING, VISITING } from "./looking.js";
import { emptyModel } from "./model.js";
import { ENDING, PULLING_IN, SWEEPING } from "./tending.js";

export type ModelTrouble = "none" | "crashes" | "two processes" | "days";

export interface Runs {
  readonly create: () => DeliveryStoreHarness;
  readonly trouble: ModelTrouble;
  readonly runs?: number;
  readonly seed?: number;
}

/** Rejects with the commands of a run in which the store differed from the model. */
export async function playRuns({ create, trouble, runs, seed }: Runs): Promise<void> {
  const property = fc.asyncProperty(runsOf(trouble), (commands) => play(create(), commands));
  const { failed, errorInstance, ...told } = await fc.check(property, {
    // fast-check would begin with the shortest runs, which test little.
    unbiased: true,
    ...defined({ numRuns: runs, seed }),
  });
  if (!failed) return;
  const count = `run ${String(told.numRuns)}, shrunk ${String(told.numShrinks)} times`;
  throw new Error(
    `the store departs from the model (seed ${String(told.seed)}, ${count}):\n${messageOf(errorInstance)}`,
    {
      cause: errorInstance,
    },
  );
}

const MAX_COMMANDS = 70;

const EVERYDAY = [
  ...[COMMITTING, COMMITTING, COMMITTING, CLAIMING, CLAIMING, PASSING, PASSING],
  ...[LISTING, LISTING, VISITING, SEEING, ENDING, ENDING, PULLING_IN, SWEEPING],
];

const TROUBLES: Readonly<Record<ModelTrouble, readonly fc.Arbitrary<StoreCommand>[]>> = {
  none: [],
  crashes: [CRASHING, CRASHING],
  "two processes": [OPENING, OPENING],
  days: [PASSING_DAYS, PASSING_DAYS],
};

function runsOf(trouble: ModelTrouble): fc.Arbitrary<Iterable<StoreCommand>> {
  return fc.commands([...EVERYDAY, ...TROUBLES[trouble]], { maxCommands: MAX_COMMANDS, size: "max" });
}

async function play(harness: DeliveryStoreHarness, commands: Iterable<StoreCommand>): Promise<void> {
  const rig = await openRig(harness);
  try {
    await fc.asyncModelRun(() => ({ model: emptyModel(), real: rig }), commands);
  } catch (error) {
    throw new Error(`${rig.story()}\n${messageOf(error)}`, { cause: error });
  } finally {
    await rig.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Plays random commands on storages, each new and empty, and on the model. The first difference is shrunk to the fewest
// commands that cause it, and reported with them.

import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import type { DeliveryStoreHarness } from "../harness.js";
import { openTestedStorage } from "./tested-storage.js";
import { CLAIM_COMMANDS } from "./claiming.js";
import type { StoreCommand } from "./command.js";
import { COMMIT_COMMANDS } from "./committing.js";
import { CRASH_COMMANDS, OPEN_ANOTHER_COMMANDS, TIME_COMMANDS, DAY_COMMANDS } from "./living.js";
import { LIST_COMMANDS, SEEN_COMMANDS, LANES_COMMANDS } from "./looking.js";
import { emptyModel } from "./model.js";
import { END_COMMANDS, PULL_IN_COMMANDS, SWEEP_COMMANDS } from "./tending.js";

export type ModelTrouble = "none" | "crashes" | "two processes" | "days";

export interface RunOptions {
  readonly create: () => DeliveryStoreHarness;
  readonly trouble: ModelTrouble;
  readonly runs?: number;
  readonly seed?: number;
}

/** Rejects with the commands of a run in which the store differed from the model. */
export async function playRuns({ create, trouble, runs, seed }: RunOptions): Promise<void> {
  const property = fc.asyncProperty(runsOf(trouble), (commands) => play(create(), commands));
  const { failed, errorInstance, ...told } = await fc.check(property, {
    // fast-check would begin with the shortest runs, which test little.
    unbiased: true,
    ...defined({ numRuns: runs, seed }),
  });
  if (!failed) return;
  const count = `run ${String(told.numRuns)}, shrunk ${String(told.numShrinks)} times`;
  throw new Error(
    `the store differs from the model (seed ${String(told.seed)}, ${count}):\n${messageOf(errorInstance)}`,
    {
      cause: errorInstance,
    },
  );
}

const MAX_COMMANDS = 70;

const EVERYDAY = [
  ...[COMMIT_COMMANDS, COMMIT_COMMANDS, COMMIT_COMMANDS, CLAIM_COMMANDS, CLAIM_COMMANDS, TIME_COMMANDS, TIME_COMMANDS],
  ...[
    LIST_COMMANDS,
    LIST_COMMANDS,
    LANES_COMMANDS,
    SEEN_COMMANDS,
    END_COMMANDS,
    END_COMMANDS,
    PULL_IN_COMMANDS,
    SWEEP_COMMANDS,
  ],
];

const TROUBLES: Readonly<Record<ModelTrouble, readonly fc.Arbitrary<StoreCommand>[]>> = {
  none: [],
  crashes: [CRASH_COMMANDS, CRASH_COMMANDS],
  "two processes": [OPEN_ANOTHER_COMMANDS, OPEN_ANOTHER_COMMANDS],
  days: [DAY_COMMANDS, DAY_COMMANDS],
};

function runsOf(trouble: ModelTrouble): fc.Arbitrary<Iterable<StoreCommand>> {
  return fc.commands([...EVERYDAY, ...TROUBLES[trouble]], { maxCommands: MAX_COMMANDS, size: "max" });
}

async function play(harness: DeliveryStoreHarness, commands: Iterable<StoreCommand>): Promise<void> {
  const tested = await openTestedStorage(harness);
  try {
    await fc.asyncModelRun(() => ({ model: emptyModel(), real: tested }), commands);
  } catch (error) {
    throw new Error(`${tested.story()}\n${messageOf(error)}`, { cause: error });
  } finally {
    await tested.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

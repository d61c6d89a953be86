// Plays random commands on storages, each new and empty, and on the model. The first difference is shrunk to the fewest
// commands that cause it, and reported with them.

import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import type { DeliveryStoreHarness } from "../harness.js";
import { openTestedStorage } from "./tested-storage.js";
import type { StoreCommand } from "./command.js";
import { commandsFor, type RunKind } from "./mixtures.js";
import { emptyModel } from "./model.js";

export interface RunOptions extends RunKind {
  readonly create: () => DeliveryStoreHarness;
  readonly runs?: number;
  readonly seed?: number;
}

/** Rejects with the commands of a run in which the store differed from the model. */
export async function playRuns({ create, runs, seed, ...kind }: RunOptions): Promise<void> {
  const property = fc.asyncProperty(runsOf(kind), (commands) => play(create(), commands));
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

function runsOf(kind: RunKind): fc.Arbitrary<Iterable<StoreCommand>> {
  return fc.commands(commandsFor(kind), { maxCommands: MAX_COMMANDS, size: "max" });
}

async function play(harness: DeliveryStoreHarness, commands: Iterable<StoreCommand>): Promise<void> {
  const tested = await openTestedStorage(harness);
  try {
    await fc.asyncModelRun(() => ({ model: emptyModel(), real: tested }), commands).finally(() => tested.close());
    tested.expectStoreErrors();
  } catch (error) {
    throw new Error(`${tested.story()}\n${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Plays random commands on storages, each new and empty, and on the model, and decides how often each command is drawn.
// The first difference is shrunk to the fewest commands that cause it.

import fc from "fast-check";
import { defined } from "@postrider/core/engine";
import {
  BEAT_QUESTIONS,
  BOARD_WRITE_QUESTIONS,
  LEAVE_QUESTIONS,
  CLOSE_COMMANDS,
  DAY_COMMANDS,
  OPEN_ANOTHER_COMMANDS,
  TIME_COMMANDS,
} from "./processes.js";
import { CLAIM_QUESTIONS } from "./claim.js";
import { commandsOf, type Question, inARow, type StoreCommand } from "./command.js";
import { commitQuestions, lateAttemptQuestions } from "./commit.js";
import {
  FINISH_QUESTIONS,
  OPEN_QUESTIONS,
  PURGE_QUESTIONS,
  REQUESTS_QUESTIONS,
  SUPPRESSED_QUESTIONS,
} from "./deletions.js";
import { RECORD_QUESTIONS } from "./records.js";
import { COUNTS_QUESTIONS, LANES_QUESTIONS, LIST_QUESTIONS, SEEN_QUESTIONS } from "./reads.js";
import { END_QUESTIONS, PULL_IN_QUESTIONS, sweepQuestions } from "./maintenance.js";
import { crashCommands, groupsOf, togetherCommands } from "./together.js";
import type { DeliveryStoreHarness } from "../harness.js";
import { openTestedStorage } from "./tested-storage.js";
import { emptyModel } from "./model.js";

/** Trouble that a store meets besides commands. */
export type ModelTrouble = "none" | "crashes" | "several processes" | "days";

export interface RunKind {
  readonly trouble: ModelTrouble;
  /** True if the commands concern users too. */
  readonly hasUsers: boolean;
  /** True if the commands concern the board too. */
  readonly hasBoard: boolean;
  /** True if the commands concern records too. */
  readonly hasRecords: boolean;
  /** True if a sweep removes every delivery that it may, up to its limit. */
  readonly sweepsExactly: boolean;
}

/** The share of draws that are rare commands in a row. With it each two of these follow each other within 30 runs. */
const SHARE_OF_ROWS = 0.25;

/** The commands of runs of a kind. `fc.commands` draws each arbitrary equally often: one that is there twice, twice as often. */
export function commandsFor({ trouble, ...kind }: RunKind): fc.Arbitrary<StoreCommand>[] {
  const { hasUsers, hasBoard, hasRecords, sweepsExactly } = kind;
  const commits = commitQuestions(hasUsers);
  const questions = [
    ...times(6, commits),
    ...times(4, CLAIM_QUESTIONS),
    ...times(2, END_QUESTIONS),
    LIST_QUESTIONS,
    LANES_QUESTIONS,
    PULL_IN_QUESTIONS,
    sweepQuestions(sweepsExactly),
    ...(hasUsers ? ABOUT_USERS : [LIST_QUESTIONS, SEEN_QUESTIONS]),
    ...(hasBoard ? ABOUT_BOARD : []),
    ...(hasRecords ? RECORD_QUESTIONS : []),
  ];
  const together = overlapping(commits, kind);
  const troubles: Readonly<Record<ModelTrouble, readonly fc.Arbitrary<StoreCommand>[]>> = {
    none: [],
    crashes: times(3, crashCommands(groupsOf(commits, 0), hasUsers)),
    "several processes": [...times(3, OPEN_ANOTHER_COMMANDS), CLOSE_COMMANDS, ...times(3, together)],
    days: times(4, DAY_COMMANDS),
  };
  const commands = [
    ...questions.map(commandsOf),
    ...times(3, TIME_COMMANDS),
    ...times(3, together),
    ...troubles[trouble],
  ];
  const rare = [
    ...[sweepQuestions(sweepsExactly), CLAIM_QUESTIONS, END_QUESTIONS, PULL_IN_QUESTIONS, lateAttemptQuestions()],
    ...(hasUsers ? [PURGE_QUESTIONS] : []),
  ];
  const rows = inARow([...rare.map(commandsOf), ...RARE_TROUBLES[trouble](commits, hasUsers)]);
  return [...commands, ...times(Math.ceil(commands.length * SHARE_OF_ROWS), rows)];
}

type TroubleCommands = (commits: fc.Arbitrary<Question>, hasUsers: boolean) => readonly fc.Arbitrary<StoreCommand>[];

/** The trouble that may follow a rare command, or come before one. */
const RARE_TROUBLES: Readonly<Record<ModelTrouble, TroubleCommands>> = {
  none: () => [],
  crashes: (commits, hasUsers) => [crashCommands(groupsOf(commits, 0), hasUsers)],
  "several processes": () => [CLOSE_COMMANDS],
  days: () => [DAY_COMMANDS],
};

const ABOUT_USERS: readonly fc.Arbitrary<Question>[] = [
  ...times(4, OPEN_QUESTIONS),
  ...times(4, PURGE_QUESTIONS),
  ...times(5, FINISH_QUESTIONS),
  END_QUESTIONS,
  ...times(5, REQUESTS_QUESTIONS),
  ...times(2, SUPPRESSED_QUESTIONS),
];

const ABOUT_BOARD: readonly fc.Arbitrary<Question>[] = [
  ...times(3, BEAT_QUESTIONS),
  ...times(3, BOARD_WRITE_QUESTIONS),
  LEAVE_QUESTIONS,
];

/** Commands whose effects are known from their answers and the state afterwards, in whichever order they took place. */
function overlapping(
  commits: fc.Arbitrary<Question>,
  { hasUsers, hasBoard, hasRecords, sweepsExactly }: Omit<RunKind, "trouble">,
): fc.Arbitrary<StoreCommand> {
  const questions = [
    ...times(6, commits),
    ...times(4, CLAIM_QUESTIONS),
    END_QUESTIONS,
    PULL_IN_QUESTIONS,
    LIST_QUESTIONS,
    LANES_QUESTIONS,
    COUNTS_QUESTIONS,
    SEEN_QUESTIONS,
    ...(hasBoard ? ABOUT_BOARD : []),
    ...(hasRecords ? RECORD_QUESTIONS : []),
  ];
  const withSweeps = groupsOf(fc.oneof(...questions, sweepQuestions(sweepsExactly)), 2);
  if (!hasUsers) return togetherCommands(withSweeps, hasUsers);
  // A purge is not sent with a sweep: it could not be told what a swept message had been before.
  const aboutUsers = [...times(2, OPEN_QUESTIONS), PURGE_QUESTIONS, SUPPRESSED_QUESTIONS];
  return togetherCommands(fc.oneof(withSweeps, groupsOf(fc.oneof(...questions, ...aboutUsers), 2)), hasUsers);
}

function times<T>(count: number, item: T): readonly T[] {
  return Array.from({ length: count }, () => item);
}

/** The number of runs, fast-check's default if absent, and their seed. */
export interface RunLength {
  readonly runs?: number;
  readonly seed?: number;
}

export interface RunOptions extends RunKind, RunLength {
  readonly create: () => DeliveryStoreHarness;
}

/** Rejects with the commands of a run in which the store differed from the model. */
export async function playRuns({ create, runs, seed, ...kind }: RunOptions): Promise<void> {
  const property = fc.asyncProperty(runsOf(kind), (commands) => play(create(), commands));
  await checkRuns(property, defined({ runs, seed }));
}

/** Checks a property in runs of their usual length, and rejects with the shortest run that it found to fail. */
export async function checkRuns<T>(property: fc.IAsyncProperty<[T]>, { runs, seed }: RunLength): Promise<void> {
  const { failed, errorInstance, ...report } = await fc.check(property, {
    // fast-check would begin with the shortest runs, which test little.
    unbiased: true,
    ...defined({ numRuns: runs, seed }),
  });
  if (!failed) return;
  const count = `run ${String(report.numRuns)}, shrunk ${String(report.numShrinks)} times`;
  throw new Error(
    `the store differs from the model (seed ${String(report.seed)}, ${count}):\n${messageOf(errorInstance)}`,
    {
      cause: errorInstance,
    },
  );
}

const MAX_COMMANDS = 70;

export function runsOf(kind: RunKind): fc.Arbitrary<Iterable<StoreCommand>> {
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

// Which commands the runs of a case consist of, and how often each is drawn.

import fc from "fast-check";
import { BEAT_QUESTIONS, BOARD_WRITE_QUESTIONS, LEAVE_QUESTIONS } from "./board.js";
import { CLAIM_QUESTIONS } from "./claiming.js";
import { commandsOf, type Question, type StoreCommand } from "./command.js";
import { commitQuestions } from "./committing.js";
import {
  FINISH_QUESTIONS,
  OPEN_QUESTIONS,
  PURGE_QUESTIONS,
  REQUESTS_QUESTIONS,
  SUPPRESSED_QUESTIONS,
} from "./deleting.js";
import { CLOSE_COMMANDS, DAY_COMMANDS, OPEN_ANOTHER_COMMANDS, TIME_COMMANDS } from "./living.js";
import { COUNTS_QUESTIONS, LANES_QUESTIONS, LIST_QUESTIONS, SEEN_QUESTIONS } from "./looking.js";
import { END_QUESTIONS, PULL_IN_QUESTIONS, sweepQuestions } from "./tending.js";
import { crashCommands, groupsOf, togetherCommands } from "./together.js";

/** What happens to a store besides commands. */
export type ModelTrouble = "none" | "crashes" | "several processes" | "days";

export interface RunKind {
  readonly trouble: ModelTrouble;
  /** Whether the commands concern users too. */
  readonly hasUsers: boolean;
  /** Whether the commands concern the board too. */
  readonly hasBoard: boolean;
  /** Whether sweeps remove all that they are asked to, up to their limit. */
  readonly sweepsExactly: boolean;
}

/** The commands of runs of a kind. `fc.commands` draws each of its arbitraries equally often. */
export function commandsFor({ trouble, ...kind }: RunKind): fc.Arbitrary<StoreCommand>[] {
  const { hasUsers, hasBoard, sweepsExactly } = kind;
  const commits = commitQuestions(hasUsers);
  const questions = [
    ...[times(6, commits), times(4, CLAIM_QUESTIONS), times(2, END_QUESTIONS), LIST_QUESTIONS].flat(),
    ...[LANES_QUESTIONS, PULL_IN_QUESTIONS, sweepQuestions(sweepsExactly)],
    ...(hasUsers ? ABOUT_USERS : [LIST_QUESTIONS, SEEN_QUESTIONS]),
    ...(hasBoard ? ABOUT_BOARD : []),
  ];
  const together = overlapping(commits, kind);
  const troubles: Readonly<Record<ModelTrouble, readonly fc.Arbitrary<StoreCommand>[]>> = {
    none: [],
    crashes: times(3, crashCommands(groupsOf(commits, 0), hasUsers)),
    "several processes": [...times(3, OPEN_ANOTHER_COMMANDS), CLOSE_COMMANDS, ...times(3, together)],
    days: times(4, DAY_COMMANDS),
  };
  return [...questions.map(commandsOf), ...times(3, TIME_COMMANDS), ...times(2, together), ...troubles[trouble]];
}

const ABOUT_USERS: readonly fc.Arbitrary<Question>[] = [
  ...[times(4, OPEN_QUESTIONS), times(4, PURGE_QUESTIONS), times(5, FINISH_QUESTIONS)].flat(),
  ...[END_QUESTIONS, times(5, REQUESTS_QUESTIONS), times(2, SUPPRESSED_QUESTIONS)].flat(),
];

const ABOUT_BOARD: readonly fc.Arbitrary<Question>[] = [
  ...[times(3, BEAT_QUESTIONS), times(3, BOARD_WRITE_QUESTIONS), LEAVE_QUESTIONS].flat(),
];

/** Commands whose effects are known from their answers and the state afterwards, in whichever order they took place. */
function overlapping(
  commits: fc.Arbitrary<Question>,
  { hasUsers, hasBoard, sweepsExactly }: Omit<RunKind, "trouble">,
): fc.Arbitrary<StoreCommand> {
  const always = [
    ...[times(6, commits), times(4, CLAIM_QUESTIONS)].flat(),
    ...[END_QUESTIONS, PULL_IN_QUESTIONS, LIST_QUESTIONS, LANES_QUESTIONS, COUNTS_QUESTIONS, SEEN_QUESTIONS],
    ...(hasBoard ? ABOUT_BOARD : []),
  ];
  const sweeping = groupsOf(fc.oneof(...always, sweepQuestions(sweepsExactly)), 2);
  if (!hasUsers) return togetherCommands(sweeping, hasUsers);
  // A purge is not sent with a sweep: it could not be told what a swept message had been before.
  const aboutUsers = [...times(2, OPEN_QUESTIONS), PURGE_QUESTIONS, SUPPRESSED_QUESTIONS];
  return togetherCommands(fc.oneof(sweeping, groupsOf(fc.oneof(...always, ...aboutUsers), 2)), hasUsers);
}

function times<T>(count: number, item: T): readonly T[] {
  return Array.from({ length: count }, () => item);
}

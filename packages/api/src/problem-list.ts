// The problems of a config or of a document of settings in an answer: the first of them, and how many more there are.

import type { Problem } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import { listSchema, objectSchema, type SchemaOf, textSchema } from "./contract/json-schema.js";
import { type ApiCode, docsOf } from "./refuse.js";

/** Like `Problem`, also with the codes of a file that cannot be read. No value of the settings is in it. */
export interface ReloadProblem extends Omit<Problem, "code"> {
  readonly code: string;
}

/** At most this number of problems is answered; `more` is the number of the others. */
const MAX_PROBLEMS = 200;

export const PROBLEMS: SchemaOf<readonly ReloadProblem[]> = listSchema(
  objectSchema({ code: textSchema(), path: textSchema(), expected: textSchema() }),
);

/** Problems as they are answered. */
export function showProblems(problems: readonly ReloadProblem[]): readonly ReloadProblem[] {
  return problems.map(({ code, path, expected }) => ({ code, path, expected }));
}

export interface ProblemRefusal {
  readonly code: ApiCode;
  /** The message, which says `amount`, such as "2 problems". */
  readonly say: (amount: string) => string;
  /** What is answered after the problems. */
  readonly beside?: object;
}

/** 422 with the first problems, and the number of the others as `more`. */
export function refuseProblems(all: readonly ReloadProblem[], { code, say, beside }: ProblemRefusal): Answer {
  const message = say(all.length === 1 ? "1 problem" : `${String(all.length)} problems`);
  const error = { code, message, docs: docsOf(code) };
  const problems = showProblems(all.slice(0, MAX_PROBLEMS));
  const more = all.length - problems.length;
  return jsonAnswer(422, { success: false, code, message, error, problems, more, ...beside });
}

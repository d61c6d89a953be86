// Asks a schedule of the host, and finds its mistakes. In production the numbers of the policy decide in the place of a schedule that
// fails; a test, which would see those, watches the schedule, and gets each mistake with its question and its answer (decision: own schedules).

import type { RetryPolicy } from "./retry-policy.js";
import type { RetrySchedule, ScheduleFault, ScheduleInput } from "./retry-schedule.js";

/** The answer of a schedule. `cause` of a fault: the error that it threw, or its answer. */
export type ScheduleAnswer =
  | { readonly kind: "delay"; readonly delayMs: number }
  | { readonly kind: "give-up" }
  | { readonly kind: "fault"; readonly fault: ScheduleFault; readonly cause: unknown };

/** Never throws. The delay is finite; it may be negative. */
export function askSchedule(schedule: RetrySchedule, input: ScheduleInput): ScheduleAnswer {
  try {
    const attempts = input.attempts.map(({ endpoint, verdict, result }) => ({
      endpoint,
      verdict,
      result: { ...result },
    }));
    return readAnswer(schedule.next({ ...input, attempts }));
  } catch (error) {
    return { kind: "fault", fault: "threw", cause: error };
  }
}

function readAnswer(answer: unknown): ScheduleAnswer {
  if (answer === "give-up") return { kind: "give-up" };
  if (typeof answer === "number" && Number.isFinite(answer)) return { kind: "delay", delayMs: answer };
  // The promise of an async function, of any realm, may be rejected later, which would end a Node process.
  (answer as Partial<Promise<unknown>> | null | undefined)?.catch?.(() => undefined);
  return { kind: "fault", fault: "no-number", cause: answer };
}

/** A mistake of a schedule: it failed, or it answered the same question in two ways. */
export interface ScheduleMistake {
  readonly kind: ScheduleFault | "unsteady";
  /** The mistake with its question and its answer, as a sentence without a full stop. */
  readonly text: string;
}

/**
 * A schedule that answers as the given one, and asks it each question twice, since another process may ask it again after a crash. Calls
 * `onMistake` with each mistake before it answers.
 */
export function watchSchedule(schedule: RetrySchedule, onMistake: (mistake: ScheduleMistake) => void): RetrySchedule {
  return {
    name: schedule.name,
    next: (input) => {
      const answer = askSchedule(schedule, input);
      const mistake = mistakeIn(answer, askSchedule(schedule, input));
      if (mistake !== undefined) {
        const question = JSON.stringify(input);
        onMistake({ kind: mistake.kind, text: `the schedule ${schedule.name} ${mistake.did}, asked with ${question}` });
      }
      if (answer.kind !== "fault") return valueOf(answer);
      // eslint-disable-next-line no-restricted-syntax -- the error of the host, as it was thrown
      if (answer.fault === "threw") throw answer.cause;
      return answer.cause as number;
    },
  };
}

/** The policy, with its schedule watched if it has one. */
export function watchPolicy<Policy extends RetryPolicy>(
  policy: Policy,
  onMistake: (mistake: ScheduleMistake) => void,
): Policy {
  return policy.schedule === undefined ? policy : { ...policy, schedule: watchSchedule(policy.schedule, onMistake) };
}

interface Mistake extends Pick<ScheduleMistake, "kind"> {
  /** The predicate of its sentence. */
  readonly did: string;
}

function mistakeIn(first: ScheduleAnswer, second: ScheduleAnswer): Mistake | undefined {
  if (first.kind === "fault") return failureIn(first);
  if (second.kind === "fault") return failureIn(second);
  const [firstValue, secondValue] = [valueOf(first), valueOf(second)];
  if (firstValue === secondValue) return undefined;
  return { kind: "unsteady", did: `answered ${String(firstValue)} and then ${String(secondValue)}` };
}

function failureIn({ fault, cause }: Extract<ScheduleAnswer, { readonly kind: "fault" }>): Mistake {
  return { kind: fault, did: `${fault === "threw" ? "threw" : "answered"} ${inWords(cause)}` };
}

function valueOf(answer: Exclude<ScheduleAnswer, { readonly kind: "fault" }>): number | "give-up" {
  return answer.kind === "delay" ? answer.delayMs : answer.kind;
}

/** An error by its name and message, a plain value as it is written, any other value by its type. */
function inWords(cause: unknown): string {
  if (cause instanceof Error) return `${cause.name}: ${cause.message}`;
  if (typeof cause === "string") return JSON.stringify(cause);
  const isPlain = cause === null || cause === undefined || typeof cause === "number" || typeof cause === "boolean";
  return isPlain ? String(cause) : `a value of type ${typeof cause}`;
}

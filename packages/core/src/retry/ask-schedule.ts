// Asks a schedule of the host. Its code is unknown: it may throw, answer anything, and change its argument, which is
// therefore a copy (decision: own schedules). Must not know the bounds of the policy.

import type { RetrySchedule, ScheduleFault, ScheduleInput } from "./retry-schedule.js";

/** The answer of a schedule. */
export type ScheduleAnswer =
  | { readonly kind: "delay"; readonly delayMs: number }
  | { readonly kind: "give-up" }
  | { readonly kind: "fault"; readonly fault: ScheduleFault };

/** Never throws. The delay is finite; it may be negative. */
export function askSchedule(schedule: RetrySchedule, input: ScheduleInput): ScheduleAnswer {
  try {
    const attempts = input.attempts.map(({ endpoint, verdict, result }) => ({
      endpoint,
      verdict,
      result: { ...result },
    }));
    return readAnswer(schedule.next({ ...input, attempts }));
  } catch {
    return { kind: "fault", fault: "threw" };
  }
}

function readAnswer(answer: unknown): ScheduleAnswer {
  if (answer === "give-up") return { kind: "give-up" };
  if (typeof answer === "number" && Number.isFinite(answer)) return { kind: "delay", delayMs: answer };
  // The promise of an async function, of whatever realm, may be rejected later, which would end a Node process.
  (answer as Partial<Promise<unknown>> | null | undefined)?.catch?.(() => undefined);
  return { kind: "fault", fault: "no-number" };
}

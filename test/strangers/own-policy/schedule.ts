// Our schedule: a busy receiver gets a steady minute, any other one longer and longer pauses.

import type { RetrySchedule } from "@postrider/core";

export const ourSchedule: RetrySchedule = {
  name: "ours",
  next: ({ rounds, attempts, draw }) => {
    if (rounds > 5) return "give-up";
    const isBusy = attempts.some(({ result }) => result.kind === "answered" && result.status === 429);
    return (isBusy ? 60_000 : Math.min(900_000, 5_000 * 3 ** (rounds - 1))) * (1 + draw / 2);
  },
};

// What waits for answers of a store, and since when: the oldest that waits, and the last answer to any of its kind. Decides nothing.

import type { Clock, MonoMs } from "@postrider/core";

export interface AnswerLine {
  /** Records that something begins to wait. The returned function must be called when it ends. */
  begin(): (hasAnswered: boolean) => void;
  isEmpty(): boolean;
  /** When what has waited longest began; undefined if nothing waits. */
  oldestAt(): MonoMs | undefined;
  /** Since when something waits and nothing was answered; undefined if nothing waits. */
  silentSince(): MonoMs | undefined;
}

export function createAnswerLine(clock: Pick<Clock, "monotonic">): AnswerLine {
  /** The oldest first. */
  const waiting = new Set<{ readonly at: MonoMs }>();
  let answeredAt: MonoMs | undefined;

  function oldestAt(): MonoMs | undefined {
    const [oldest] = waiting;
    return oldest?.at;
  }

  return {
    begin: () => {
      const one = { at: clock.monotonic() };
      waiting.add(one);
      return (hasAnswered) => {
        waiting.delete(one);
        if (hasAnswered) answeredAt = clock.monotonic();
      };
    },
    isEmpty: () => waiting.size === 0,
    oldestAt,
    silentSince: () => {
      const oldest = oldestAt();
      return oldest !== undefined && answeredAt !== undefined && answeredAt > oldest ? answeredAt : oldest;
    },
  };
}

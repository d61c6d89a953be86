// Max-min fairness: the reference for the shares of lanes.

import { MAX_IN_FLIGHT } from "@postrider/core/engine";

/** The shares if the slots that are left are divided equally, repeatedly, among the lanes that want more. */
export function maxMinShares(wants: readonly number[]): readonly number[] {
  let [left, open] = [MAX_IN_FLIGHT, wants.length];
  const shares = new Map<number, number>();
  for (const [lane, want] of [...wants.entries()].sort(([, one], [, other]) => one - other)) {
    const share = Math.min(want, left / open);
    shares.set(lane, share);
    left -= share;
    open -= 1;
  }
  return wants.map((_, lane) => shares.get(lane) ?? 0);
}

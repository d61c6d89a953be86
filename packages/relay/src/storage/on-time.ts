// Has requests of a host wait until the clock of the relay is set by the store's: what they store depends on it.

import type { ResultAsync } from "neverthrow";
import type { StoreClock } from "../state/store-clock.js";
import type { FollowTime } from "./follow-time.js";
import type { OrStalled } from "./or-stalled.js";
import { toRelayFault } from "./relay-fault.js";

export interface OnTimeContext {
  readonly clock: Pick<StoreClock, "isSet">;
  /** Undefined if the store has no clock: then nothing waits. */
  readonly followTime: FollowTime | undefined;
}

export function onTime(orStalled: OrStalled, { clock, followTime }: OnTimeContext): OrStalled {
  if (followTime === undefined) return orStalled;
  return <T, E>(work: () => ResultAsync<T, E>) =>
    clock.isSet() ? orStalled(work) : orStalled(() => followTime().mapErr(toRelayFault).andThen(work));
}

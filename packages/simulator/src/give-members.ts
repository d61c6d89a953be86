// Gives a relay the members of a sync as hosts do: in any order, some of them twice, at once or slowly, and now and then not
// to the end.

import type { Clock, Member, Random } from "@postrider/core";
import type { KnownMembers } from "./ledger/known-audience.js";
import type { SimulatedAudience } from "./simulated-audience.js";

/** The share of members that are given twice, and of lists that fail in the middle. */
const TWICE = 0.1;
const FAILING = 0.04;
/** After this many members, a slow host pauses. */
const MEMBERS_AT_ONCE = 10;

export interface GivingHost {
  /** The clock of the process that is given the members: it sets no timer once that process is dead. */
  readonly clock: Clock;
  readonly random: Random;
  readonly audience: SimulatedAudience;
  /** Called when the relay begins to read. */
  readonly onBegin: () => void;
}

export function giveMembers(
  host: GivingHost,
  members: KnownMembers,
): Iterable<Member | string> | AsyncIterable<Member | string> {
  const { random, audience } = host;
  const list = listOf(members, random).map(([userId, value]) =>
    audience.kind === "trait" ? { userId, value } : userId,
  );
  const failsAt = random.unit() < FAILING ? Math.floor(random.unit() * list.length) : Infinity;
  return (audience.givesWithinMs ?? 0) > 0 ? giveSlowly(host, list, failsAt) : giveAtOnce(host, list, failsAt);
}

/** The members in any order. Of those that are given twice, the first value is another one. */
function listOf(members: KnownMembers, random: Random): readonly (readonly [string, string])[] {
  const all = [...members].map((entry) => ({ entry, place: random.unit() }));
  const twice = all.filter(() => random.unit() < TWICE);
  const first = twice.map(({ entry: [userId], place }) => ({ entry: [userId, "9"] as const, place: place / 2 }));
  return [...all, ...first].sort((one, other) => one.place - other.place).map(({ entry }) => entry);
}

function* giveAtOnce({ onBegin }: GivingHost, list: readonly (Member | string)[], failsAt: number) {
  onBegin();
  for (const [index, member] of list.entries()) {
    if (index === failsAt) throw new Error("the list of members breaks off");
    yield member;
  }
}

async function* giveSlowly(
  { onBegin, clock, random, audience: { givesWithinMs = 0 } }: GivingHost,
  list: readonly (Member | string)[],
  failsAt: number,
) {
  onBegin();
  for (const [index, member] of list.entries()) {
    if (index === failsAt) throw new Error("the list of members breaks off");
    if (index % MEMBERS_AT_ONCE === 0) await pause(clock, Math.floor(random.unit() * (givesWithinMs + 1)));
    yield member;
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

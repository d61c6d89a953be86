// The hosts of the audiences of a simulation: each creates its audience, and gives its members again and again as hosts
// do, in any order, some twice, now and then not to the end. Each sync is asked for until it is answered.

import type { DestinationId, Random, Clock, Member } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { askUntilDone, type Asking, no, yes } from "./operators.js";
import type { KnownAudience, KnownMembers } from "./ledger/known.js";
import type { Ledger } from "./ledger/ledger.js";
import { addKnownAudience, observeSyncBegin, observeUpload, observeSyncEnd } from "./ledger/syncs.js";
import type { Process } from "./machine/process.js";
import { type SimulatedAudience, userOf, type SimulationOptions } from "./simulation.js";

export interface AudienceHosts {
  /** True if each sync was answered, and each request about users was made and is finished. */
  areDone(): boolean;
}

interface AudienceHostsOptions extends Asking {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly options: Pick<SimulationOptions, "audiences" | "deletions">;
}

export function startAudienceHosts({ options, ...parts }: AudienceHostsOptions): AudienceHosts {
  const { clock, ledger } = parts;
  const { audiences = {}, deletions = [] } = options;
  let openCount = deletions.length + Object.keys(audiences).length;
  const onDone = (): void => {
    openCount -= 1;
  };
  for (const [key, audience] of Object.entries(audiences)) {
    const knownAudience = addKnownAudience(ledger, key, audience);
    clock.after(audience.firstAtMs, () => hostAudience({ ...parts, audience, knownAudience }, onDone));
  }
  for (const { atMs, regulation, users } of deletions) {
    const request = { regulation, userIds: users.map(userOf) };
    const ask = ({ relay }: Process): Promise<boolean> => relay.requestDeletion(request).match(yes, no);
    clock.after(atMs, () => askUntilDone(parts, ask, onDone));
  }
  return { areDone: () => openCount === 0 && ledger.users.unfinished.size === 0 };
}

interface AudienceHost extends Asking {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly audience: SimulatedAudience;
  readonly knownAudience: KnownAudience;
}

function hostAudience(host: AudienceHost, onDone: () => void): void {
  const { clock, audience, knownAudience } = host;
  const { kind, sendsAs, syncs, everyMs } = audience;
  const destinations = audience.destinations as readonly DestinationId[];

  function create({ relay }: Process): Promise<boolean> {
    const created = relay.createAudience({ name: knownAudience.key, kind, sendsAs, destinations });
    // A request whose answer was lost may have created it.
    return created.match(yes, ({ code }) => code === "key-taken");
  }

  function syncNext(): void {
    if (knownAudience.syncs === syncs) {
      onDone();
      return;
    }
    const beganAt = clock.monotonic();
    syncOnce(host, () => clock.after(Math.max(0, beganAt + everyMs - clock.monotonic()), syncNext));
  }

  askUntilDone(host, create, syncNext);
}

/** Asks for one sync until it is answered, always with the same members. */
function syncOnce(host: AudienceHost, onDone: () => void): void {
  const { ledger, knownAudience, random, audience } = host;
  const members = changeMembers(knownAudience.latest, audience, random);
  let confirmRemove: number | undefined;
  let tries = 0;
  let isOver = false;
  observeSyncBegin(ledger, knownAudience, members);

  function ask({ relay, ports }: Process): Promise<boolean> {
    tries += 1;
    const nth = tries;
    const givingHost: GivingHost = {
      clock: ports.clock,
      random,
      audience,
      onBegin: () => observeUpload(knownAudience),
      hasLeft: () => nth !== tries || isOver,
    };
    const memberList = giveMembers(givingHost, members);
    const options = confirmRemove === undefined ? {} : { confirmRemove };
    return relay.syncAudience(knownAudience.key, memberList, options).match(yes, (fault) => {
      confirmRemove = fault.code === "would-remove" ? fault.departed : confirmRemove;
      return false;
    });
  }

  askUntilDone(host, ask, () => {
    isOver = true;
    observeSyncEnd(ledger, knownAudience);
    onDone();
  });
}

/** The members of the next sync. */
function changeMembers(
  earlierMembers: KnownMembers,
  { kind, users, turnover }: SimulatedAudience,
  random: Random,
): KnownMembers {
  const share = earlierMembers.size === 0 ? 0.5 : turnover;
  const members = new Map(earlierMembers);
  for (let number = 0; number < users; number += 1) {
    if (random.unit() >= share) continue;
    const user = userOf(number);
    const isNewValue = kind === "trait" && random.unit() < 0.5;
    if (members.has(user) && !isNewValue) members.delete(user);
    else members.set(user, kind === "trait" ? String(Math.floor(random.unit() * 3)) : "true");
  }
  return members;
}

/** The share of members that are given twice. */
const TWICE_SHARE = 0.1;

/** The share of lists that fail in the middle. */
const FAILING_SHARE = 0.04;

/** After this many members, a slow host pauses. */
const MEMBERS_AT_ONCE = 10;

interface GivingHost {
  /** The clock of the process that is given the members: it sets no timer once that process is dead. */
  readonly clock: Clock;
  readonly random: Random;
  readonly audience: SimulatedAudience;
  /** Called when the relay begins to read. */
  readonly onBegin: () => void;
  /** True once the host has given this process up, and asked another: its connection has broken off. */
  readonly hasLeft: () => boolean;
}

function giveMembers(
  host: GivingHost,
  members: KnownMembers,
): Iterable<Member | string> | AsyncIterable<Member | string> {
  const { random, audience } = host;
  const list = listOf(members, random).map(([userId, value]) =>
    audience.kind === "trait" ? { userId, value } : userId,
  );
  const failsAt = random.unit() < FAILING_SHARE ? Math.floor(random.unit() * list.length) : Infinity;
  return (audience.givesWithinMs ?? 0) > 0 ? giveSlowly(host, list, failsAt) : giveAtOnce(host, list, failsAt);
}

/** The members in any order. Of those that are given twice, the first value is another one. */
function listOf(members: KnownMembers, random: Random): readonly (readonly [string, string])[] {
  const entries = [...members].map((entry) => ({ entry, place: random.unit() }));
  const repeated = entries.filter(() => random.unit() < TWICE_SHARE);
  const firstEntries = repeated.map(({ entry: [userId], place }) => ({
    entry: [userId, "9"] as const,
    place: place / 2,
  }));
  return [...entries, ...firstEntries].sort((first, second) => first.place - second.place).map(({ entry }) => entry);
}

function* giveAtOnce({ onBegin, hasLeft }: GivingHost, list: readonly (Member | string)[], failsAt: number) {
  onBegin();
  for (const [index, member] of list.entries()) {
    if (index === failsAt || hasLeft()) throw new Error("the list of members breaks off");
    yield member;
  }
}

async function* giveSlowly(
  { onBegin, hasLeft, clock, random, audience: { givesWithinMs = 0 } }: GivingHost,
  list: readonly (Member | string)[],
  failsAt: number,
) {
  onBegin();
  for (const [index, member] of list.entries()) {
    if (index === failsAt || hasLeft()) throw new Error("the list of members breaks off");
    if (index % MEMBERS_AT_ONCE === 0) await pause(clock, Math.floor(random.unit() * (givesWithinMs + 1)));
    yield member;
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

// The hosts of the audiences of a simulation: each creates its audience, and replaces its members again and again. Members
// enter, leave and change by chance; each sync is asked for until it is answered.

import { type DestinationId, type Random } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { askUntilDone, type Asking } from "./ask-until-done.js";
import { giveMembers } from "./give-members.js";
import type { KnownAudience, KnownMembers } from "./ledger/known-audience.js";
import type { Ledger } from "./ledger/ledger.js";
import { addKnownAudience, observeSyncBegin, observeUpload, observeSyncEnd } from "./ledger/syncs.js";
import type { Process } from "./machine/process.js";
import { type SimulatedAudience, userOf } from "./simulated-audience.js";
import type { SimulationOptions } from "./simulation.js";

export interface AudienceHosts {
  /** Whether each sync was answered, and each request about users was made and is finished. */
  areDone(): boolean;
}

export interface AudienceHostsOptions extends Asking {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly options: Pick<SimulationOptions, "audiences" | "deletions">;
}

export function startAudienceHosts({ options, ...parts }: AudienceHostsOptions): AudienceHosts {
  const { clock, ledger } = parts;
  const { audiences = {}, deletions = [] } = options;
  let left = deletions.length + Object.keys(audiences).length;
  const onDone = (): void => {
    left -= 1;
  };
  for (const [key, audience] of Object.entries(audiences)) {
    const known = addKnownAudience(ledger, key, audience);
    clock.after(audience.firstAtMs, () => hostAudience({ ...parts, audience, known }, onDone));
  }
  for (const { atMs, regulation, users } of deletions) {
    const request = { regulation, userIds: users.map(userOf) };
    const ask = ({ relay }: Process): Promise<boolean> => relay.requestDeletion(request).match(yes, no);
    clock.after(atMs, () => askUntilDone(parts, ask, onDone));
  }
  return { areDone: () => left === 0 && ledger.users.unfinished.size === 0 };
}

interface AudienceHost extends Asking {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly audience: SimulatedAudience;
  readonly known: KnownAudience;
}

function hostAudience(host: AudienceHost, onDone: () => void): void {
  const { clock, audience, known } = host;
  const { kind, sendsAs, syncs, everyMs } = audience;
  const destinations = audience.destinations as readonly DestinationId[];

  function create({ relay }: Process): Promise<boolean> {
    const created = relay.createAudience({ name: known.key, kind, sendsAs, destinations });
    // A request whose answer was lost may have created it.
    return created.match(yes, ({ code }) => code === "key-taken");
  }

  function next(): void {
    if (known.syncs === syncs) {
      onDone();
      return;
    }
    const beganAt = clock.monotonic();
    syncOnce(host, () => clock.after(Math.max(0, beganAt + everyMs - clock.monotonic()), next));
  }

  askUntilDone(host, create, next);
}

/** Asks for one sync until it is answered, always with the same members. */
function syncOnce(host: AudienceHost, onDone: () => void): void {
  const { ledger, known, random, audience } = host;
  const members = changeMembers(known.latest, audience, random);
  let confirmRemove: number | undefined;
  observeSyncBegin(ledger, known, members);

  function ask({ relay, ports }: Process): Promise<boolean> {
    const given = giveMembers({ clock: ports.clock, random, audience, onBegin: () => observeUpload(known) }, members);
    const options = confirmRemove === undefined ? {} : { confirmRemove };
    return relay.syncAudience(known.key, given, options).match(yes, (fault) => {
      confirmRemove = fault.code === "would-remove" ? fault.departed : confirmRemove;
      return false;
    });
  }

  askUntilDone(host, ask, () => {
    observeSyncEnd(ledger, known);
    onDone();
  });
}

/** The members of the next sync. */
function changeMembers(
  before: KnownMembers,
  { kind, users, turnover }: SimulatedAudience,
  random: Random,
): KnownMembers {
  const share = before.size === 0 ? 0.5 : turnover;
  const members = new Map(before);
  for (let number = 0; number < users; number += 1) {
    if (random.unit() >= share) continue;
    const user = userOf(number);
    const stays = kind === "trait" && random.unit() < 0.5;
    if (members.has(user) && !stays) members.delete(user);
    else members.set(user, kind === "trait" ? String(Math.floor(random.unit() * 3)) : "true");
  }
  return members;
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}

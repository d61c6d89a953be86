// Decides from the ledger which reasons the explanation of a delivery that has not ended must have, and which it must not have. What
// a process cannot know yet, such as the pause that another has answered, may be missing.

import type { DeliveryReason, Destination, Workspace } from "@postrider/core";
import { areOthers, isSame } from "./same-attempt.js";
import { type KnownDelivery, laneOf, type Ledger } from "./ledger.js";
import { urlsOf } from "./urls-of.js";

export interface OpenExplanation {
  readonly known: KnownDelivery;
  readonly reasons: readonly DeliveryReason[];
  /** The process that tells them. */
  readonly process: number;
  readonly settings: Workspace;
}

type Kind = DeliveryReason["kind"];

/** What is wrong with the reasons; undefined if nothing is. */
export function expectOpen(ledger: Ledger, explanation: OpenExplanation): string | undefined {
  const { known, reasons } = explanation;
  const now = ledger.clock.wall();
  const kinds = new Set<Kind>(reasons.map(({ kind }) => kind));
  if (known.state === "claimed" && known.leaseUntil > now)
    return kinds.size === 1 && kinds.has("in-flight") ? undefined : "it is under a lease";
  if (kinds.has("lease-ended") !== (known.state === "claimed")) return "its lease has not ended, or is not told";
  return (
    wrongClosure(ledger, explanation, kinds) ?? wrongLane(ledger, explanation, kinds) ?? wrongTime(ledger, explanation)
  );
}

function wrongClosure(ledger: Ledger, { known, process, settings }: OpenExplanation, kinds: ReadonlySet<Kind>) {
  const destination = destinationOf(known, settings);
  if (destination === undefined) return kinds.has("not-in-settings") ? undefined : "the settings do not have it";
  if (kinds.has("off") === destination.enabled) return `its destination is ${destination.enabled ? "on" : "off"}`;
  // A process that has just started learns of the pauses by its first poll, and says nothing of them before.
  const mustBe = destination.paused || ledger.pauses.get(known.lane)?.answeredBy === process;
  const mayBe = mustBe || ledger.everPaused.has(known.lane);
  if (kinds.has("paused") ? mayBe : !mustBe) return undefined;
  return `its destination is ${mustBe ? "" : "not "}paused`;
}

const HELD: readonly Kind[] = ["held", "refusing", "blocked"];

function wrongLane(ledger: Ledger, { known, process, settings }: OpenExplanation, kinds: ReadonlySet<Kind>) {
  const isHeld = laneOf(ledger, known.lane).heldBy.has(process);
  if (HELD.some((kind) => kinds.has(kind)) !== isHeld) return `its lane is ${isHeld ? "" : "not "}held`;
  const { event } = known;
  const urls = urlsOf(destinationOf(known, settings));
  const open = urls.filter((url) => !event.final.has(url));
  const untils = open.map((url) => ledger.holds.get(`${String(process)} ${url}`));
  const mustBe = open.length > 0 && untils.every((until) => until !== undefined && until > ledger.clock.monotonic());
  const mayBe = untils.every((until) => until !== undefined);
  if (kinds.has("endpoint-holds") ? mayBe : !mustBe) return undefined;
  return `its endpoints have ${mustBe ? "" : "not "}asked for a pause`;
}

/** What it waits for by itself: the time of its next round, or its turn. */
function wrongTime(ledger: Ledger, { known, reasons, settings }: OpenExplanation): string | undefined {
  const isDue = known.state === "claimed" || known.dueAt <= ledger.clock.wall();
  const own = reasons.find((reason) => reason.kind === "backoff" || reason.kind === "not-due");
  if (isDue !== (own === undefined)) return isDue ? "it is due" : "it is not due";
  if (own !== undefined) return wrongWait(known, own);
  const hasRate = destinationOf(known, settings)?.rateLimit !== undefined;
  return reasons.some(({ kind }) => kind === "rate-limit") && !hasRate ? "there is no rate limit" : undefined;
}

type Wait = Extract<DeliveryReason, { readonly kind: "backoff" | "not-due" }>;

function wrongWait({ event }: KnownDelivery, own: Wait): string | undefined {
  if (own.kind === "not-due") return event.lastRound.length === 0 ? undefined : "a round of it has failed";
  if (!event.lastRound.some((one) => isSame(one, own.attempt))) return "another round failed last";
  return areOthers(event.latest.values(), own.attempt, own.others) ? undefined : "its other endpoints failed otherwise";
}

function destinationOf({ lane }: KnownDelivery, { destinations }: Workspace): Destination | undefined {
  return destinations.find(({ id }) => id === lane);
}

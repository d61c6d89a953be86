// Writes a reason as one or two English sentences: the state of the delivery, its attempts, its lane and its lapses, and
// where there is something to do, the remedy. Shows no value of a query of a URL, which is often a key.

import type { EpochMs, EndpointId } from "../ids.js";
import { maskEndpoint } from "../settings/endpoint-url.js";
import { formatDuration } from "../time/format-duration.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import type { DeliveryReason, LaneClosure } from "./delivery-reason.js";
import type { LaneBackoff, PausedBy } from "./lane-status.js";
import type { AttemptRecord, Lapses } from "../delivery/delivery.js";
import { describeResult } from "../round/judge-reply.js";

type ReasonOf<Kind extends DeliveryReason["kind"]> = Extract<DeliveryReason, { readonly kind: Kind }>;

/** A reason in words; `now` decides how far off an instant is. */
export function reasonInWords(reason: DeliveryReason, now: EpochMs): string {
  switch (reason.kind) {
    case "delivered":
      return reason.attempt === undefined
        ? "It was delivered."
        : `It was delivered: ${attemptInWords(reason.attempt)}.`;
    case "expired":
      return expiredInWords(reason);
    case "refused":
      return refusedInWords(reason);
    case "never-allowed":
      return "It is dead: our own address policy refused every endpoint of the destination for a whole retry window. Allow the range in network.allow, or change the URL; then replay it.";
    case "lane-full":
      return `It is dead: the destination had as many unfinished deliveries as a lane may have.${closureInWords(reason.closedNow)} Replay it once the destination has caught up.`;
    case "purged":
      return "It is dead: a request deleted or suppressed a user of the call.";
    case "destination-removed":
      return "It is dead: its destination was removed from the settings.";
    case "not-in-settings":
      return `It waits: its destination is not in the settings. Put it back, or it ends at ${formatTimestamp(reason.endsAt)}.`;
    case "off":
      return 'It waits: its destination is off. Set "enabled" to true.';
    case "paused":
      return `It waits: its destination is paused ${pausedInWords(reason.by)}.`;
    case "blocked":
      return `It waits: our own address policy refuses every endpoint of the destination${probeInWords(reason.backoff, now)}. Allow the range in network.allow, or change the URL; postrider check --deep says where its name leads.`;
    case "held":
      return heldInWords(reason, "nearly all recent attempts failed", now);
    case "refusing":
      return heldInWords(reason, "its receiver refuses whatever it gets", now);
    case "endpoint-holds":
      return `It waits: every endpoint asked by Retry-After for a pause; the first ends ${atInWords(reason.until, now)}.`;
    case "backoff":
      return backoffInWords(reason, now);
    case "not-due":
      return `It waits: it is due ${atInWords(reason.dueAt, now)}.`;
    case "rate-limit":
      return `It waits for the rate limit of its destination: the next may start ${atInWords(reason.nextAt, now)}.`;
    case "lane-busy":
      return `It is due, and waits for its turn: ${String(reason.deliveries)} deliveries wait for the destination, which gets ${String(reason.limit)} at once.`;
    case "due":
      return "It is due, and goes next.";
    case "in-flight":
      return `It is under way: a process has claimed it until ${formatTimestamp(reason.leaseUntil)}.`;
    case "lease-ended":
      return `A process claimed it until ${formatTimestamp(reason.leaseUntil)} and did not tell how it ended, as after a crash: it is sent again.`;
  }
}

function backoffInWords({ attempt, others, leftOut, holds, dueAt }: ReasonOf<"backoff">, now: EpochMs): string {
  const pauses = holds.map(
    ({ endpoint, until }) =>
      `; ${maskEndpoint(endpoint)} asked by Retry-After for a pause until ${formatTimestamp(until)}`,
  );
  const failures = [attempt, ...others];
  const isAskedAgain = failures.some(({ endpoint, verdict }) => verdict === "refused" && !leftOut.includes(endpoint));
  const further = isAskedAgain ? " A further refusal is final if the endpoint takes other messages meanwhile." : "";
  return `It waits: ${failuresInWords(failures, leftOut)}${pauses.join("")}; the next round is due ${atInWords(dueAt, now)}.${further}`;
}

function expiredInWords({ attempt, others, windowEndsAt, isCutShort, closedNow }: ReasonOf<"expired">): string {
  const lastFailures = attempt === undefined ? "" : `; the last: ${failuresInWords([attempt, ...others])}`;
  const end = windowEndsAt === undefined ? "" : ` ended at ${formatTimestamp(windowEndsAt)}`;
  const ending = isCutShort
    ? ` None was made at the end of the window: the destination was held or closed, no process ran then, this machine had a fault, or the schedule gave up.${closureInWords(closedNow)}`
    : "";
  return `It is dead: no attempt succeeded within its retry window${end && `, which${end}`}${lastFailures}.${ending}`;
}

function refusedInWords({ attempts, isFinal }: ReasonOf<"refused">): string {
  const refusals = attempts.length === 0 ? "every endpoint refused it" : attempts.map(attemptInWords).join("; ");
  const why = isFinal
    ? `${attempts.length === 1 ? "This refusal is" : "These refusals are"} final`
    : "It was still refused when its retry window ended, or the schedule gave up";
  return `It is dead: ${refusals}. ${why}: replay it once the receiver takes it.`;
}

function heldInWords({ backoff }: ReasonOf<"held" | "refusing">, why: string, now: EpochMs): string {
  const since = backoff.since === undefined ? "" : ` since ${formatTimestamp(backoff.since)}`;
  const lastResult = backoff.detail === undefined ? "" : `, the last with ${backoff.detail}`;
  return `It waits: its destination is held${since}, since ${why}${lastResult}${probeInWords(backoff, now)}.`;
}

function probeInWords({ nextProbeAt }: LaneBackoff, now: EpochMs): string {
  return `; the next probe is ${nextProbeAt > now ? atInWords(nextProbeAt, now) : "due now"}`;
}

function atInWords(at: EpochMs, now: EpochMs): string {
  return `at ${formatTimestamp(at)} (in ${formatDuration(Math.max(0, at - now))})`;
}

/** `https://example.com/hook answered 503 at 2026-01-01T00:00:00.000Z`. */
function attemptInWords({ endpoint, result, startedAt }: AttemptRecord): string {
  const how =
    result.kind === "answered" ? `answered ${String(result.status)}` : `failed with ${describeResult(result)}`;
  return `${maskEndpoint(endpoint)} ${how} at ${formatTimestamp(startedAt)}`;
}

/**
 * `https://a.example/ answered 503 at … (round 2); https://b.example/ answered 404 at … (round 1), which is a refusal`. That of
 * an endpoint in `leftOut` is final.
 */
function failuresInWords(attempts: readonly AttemptRecord[], leftOut: readonly EndpointId[] = []): string {
  const texts = attempts.map(
    (failure) => `${attemptInWords(failure)} (round ${String(failure.round)})${refusalInWords(failure, leftOut)}`,
  );
  return texts.join("; ");
}

function refusalInWords({ endpoint, verdict }: AttemptRecord, leftOut: readonly EndpointId[]): string {
  if (verdict !== "refused") return "";
  return leftOut.includes(endpoint) ? ", which is a final refusal: it gets no further attempt" : ", which is a refusal";
}

/** The reason for which the lane does not send now. The one at the end of the window is not recorded. */
function closureInWords(closed: LaneClosure | undefined): string {
  if (closed === undefined) return "";
  switch (closed.mode) {
    case "held":
      return " It is held now, since nearly all recent attempts failed.";
    case "refusing":
      return " It is held now, since its receiver refuses whatever it gets.";
    case "blocked":
      return " It is blocked now: our own address policy refuses every endpoint.";
    case "paused":
      return ` It is paused now ${pausedInWords(closed.pausedBy)}.`;
    case "off":
      return ' It is off now ("enabled" is false).';
    case "gone":
      return " It is not in the settings now.";
  }
}

/** The origin of a pause, and the way to end it. */
function pausedInWords(by: readonly PausedBy[]): string {
  const places = by.map((origin) =>
    origin === "settings" ? 'in the settings ("paused")' : "by an operator (postrider resume)",
  );
  return places.join(" and ");
}

/**
 * Two sentences: the number of rounds and the process of the claim; then the process that claimed the delivery again, and the reason that
 * this suggests.
 */
export function lapsesInWords(lapses: Lapses): string {
  const { count, process, leaseUntil } = lapses;
  const rounds = count === 1 ? "One round" : `${String(count)} rounds`;
  const until = formatTimestamp(leaseUntil);
  const lastRound = count === 1 ? "it" : "the last of them";
  return `${rounds} may have been sent without a record: process ${process} had claimed the delivery until ${until} and did not store how ${lastRound} ended. ${takenInWords(lapses)}`;
}

function takenInWords({ process, takenAt, takenBy }: Lapses): string {
  const at = formatTimestamp(takenAt);
  if (takenBy === undefined) return `The delivery became dead at ${at} without a further round.`;
  return takenBy === process
    ? `The same process claimed it again at ${at}: its store had failed, or the machine had stood still.`
    : `Process ${takenBy} claimed it again at ${at}: the other one had been ended, stood still, or had lost its store.`;
}

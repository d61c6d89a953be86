// Writes a reason as one or two English sentences: what holds, and where there is something to do, what. Shows no value of a
// query of a URL, which often is a key. Decides nothing.

import type { EpochMs } from "../ids.js";
import { maskEndpoint } from "../settings/mask-endpoint.js";
import { formatDuration } from "../time/format-duration.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import { attemptInWords, failuresInWords } from "./attempts-in-words.js";
import { closureInWords, pausedInWords } from "./closure-in-words.js";
import type { DeliveryReason } from "./delivery-reason.js";
import type { LaneBackoff } from "./lane-status.js";

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
  const paused = holds.map(
    ({ endpoint, until }) =>
      `; ${maskEndpoint(endpoint)} asked by Retry-After for a pause until ${formatTimestamp(until)}`,
  );
  const failed = [attempt, ...others];
  const isAskedAgain = failed.some(({ endpoint, verdict }) => verdict === "refused" && !leftOut.includes(endpoint));
  const further = isAskedAgain ? " A further refusal is final if the endpoint takes other messages meanwhile." : "";
  return `It waits: ${failuresInWords(failed, leftOut)}${paused.join("")}; the next round is due ${atInWords(dueAt, now)}.${further}`;
}

function expiredInWords({ attempt, others, windowEndsAt, isCutShort, closedNow }: ReasonOf<"expired">): string {
  const last = attempt === undefined ? "" : `; the last: ${failuresInWords([attempt, ...others])}`;
  const end = windowEndsAt === undefined ? "" : ` ended at ${formatTimestamp(windowEndsAt)}`;
  const cut = isCutShort
    ? ` None was made at the end of the window: the destination was held or closed, no process ran then, this machine had a fault, or the schedule gave up.${closureInWords(closedNow)}`
    : "";
  return `It is dead: no attempt succeeded within its retry window${end && `, which${end}`}${last}.${cut}`;
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
  const last = backoff.detail === undefined ? "" : `, the last with ${backoff.detail}`;
  return `It waits: its destination is held${since}, since ${why}${last}${probeInWords(backoff, now)}.`;
}

function probeInWords({ nextProbeAt }: LaneBackoff, now: EpochMs): string {
  return `; the next probe is ${nextProbeAt > now ? atInWords(nextProbeAt, now) : "due now"}`;
}

function atInWords(at: EpochMs, now: EpochMs): string {
  return `at ${formatTimestamp(at)} (in ${formatDuration(Math.max(0, at - now))})`;
}

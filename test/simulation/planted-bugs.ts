// Typical bugs, each a small edit of the build. The simulator must find every one of them. An edit whose `from` is not
// exactly once in its file fails: then the code has changed, and the edit must be adapted.

import { AUDIENCE_BUGS } from "./audience-bugs.js";
import { EXPLAIN_BUGS } from "./explain-bugs.js";
import { REQUEST_BUGS } from "./request-bugs.js";

export interface PlantedBug {
  readonly name: string;
  /** What happens with it, for the table. */
  readonly what: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** Below `packages/`, as built. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "ack before commit",
    what: "The caller hears 200 while the commit is still on its way.",
    edits: [
      edit(
        "relay/dist/intake/receipts.js",
        "    const results = await context.queue.enqueue(drafts);\n",
        `    void context.queue.enqueue(drafts);
    const results = ok(drafts.map(() => ({ kind: "stored", deliveries: [] })));\n`,
      ),
    ],
  },
  {
    name: "settle without token",
    what: "A settlement needs no lease: the id of its delivery is enough.",
    edits: [
      edit(
        "memory/dist/delivery-store/settle.js",
        "if (delivery?.token !== settlement.token)",
        "if (delivery === undefined)",
      ),
    ],
  },
  {
    name: "window counted from the claim",
    what: "The window begins when a delivery is claimed, tried or not.",
    edits: [
      edit(
        "memory/dist/delivery-store/claim.js",
        "delivery.token = lease.token;",
        "delivery.token = lease.token;\n        delivery.firstAttemptAt ??= now;",
      ),
    ],
  },
  {
    name: "attempt after success",
    what: "An endpoint that failed late gets a separate try, although a sibling took the message.",
    edits: [
      edit(
        "relay/dist/dispatch/run-round.js",
        "    else\n        append(context, round, attempt);\n",
        `    else {
        append(context, round, attempt);
        const again = { inForce: round.sending.inForce, endpoint: attempt.endpoint, startedAt: context.clock.wall() };
        if (judgeReply(attempt.reply) === "retry")
            runAttempt(context, round.claim.delivery, again, () => undefined);
    }
`,
      ),
    ],
  },
  {
    name: "lost wake-up",
    what: "A settlement does not wake the dispatcher.",
    edits: [
      edit(
        "relay/dist/dispatch/rounds.js",
        "        advance(lane);\n        onFreeSlot();\n",
        "        advance(lane);\n",
      ),
    ],
  },
  {
    name: "same lease twice",
    what: "What is stored as claimed can be claimed again at once.",
    edits: [
      edit(
        "memory/dist/delivery-store/commit.js",
        'state: "claimed", at: plusMs(now, lease.leaseMs)',
        'state: "claimed", at: now',
      ),
    ],
  },
  {
    name: "edge of the window off by one",
    what: "A round may begin one millisecond after the window.",
    edits: [
      edit(
        "core/dist/round/plan-round.js",
        "now > windowEnd(policy, firstAttemptAt)",
        "now > windowEnd(policy, firstAttemptAt) + 1",
      ),
    ],
  },
  {
    name: "expired a quarter of the window early",
    what: "A round that begins in the last quarter of the window is taken for the last.",
    edits: [
      edit(
        "core/dist/retry/schedule.js",
        "history.roundStartedAt >= slot.from",
        "history.roundStartedAt >= slot.from - policy.retryWindowMs / 4",
      ),
    ],
  },
  {
    name: "ended by half the window",
    what: "What waits in a lane that is closed or held is ended after half of its window.",
    edits: [
      edit(
        "relay/dist/maintenance/maintenance.js",
        "plusMs(now, -delivery.retryWindowMs)",
        "plusMs(now, -delivery.retryWindowMs / 2)",
      ),
    ],
  },
  {
    name: "Retry-After ignored",
    what: "A receiver that asks to be left alone is tried again as always.",
    edits: [
      edit(
        "relay/dist/dispatch/attempt.js",
        "endpoints.hold(destination, endpoint, until);",
        "endpoints.hold(destination, endpoint, clock.wall());",
      ),
    ],
  },
  {
    name: "body stringified again",
    what: "Each attempt writes the body anew from what was parsed, its keys in another order.",
    edits: [
      edit(
        "relay/dist/dispatch/attempt.js",
        "body: delivery.body,",
        `body: new TextEncoder().encode(JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(new TextDecoder().decode(delivery.body))).sort()))),`,
      ),
    ],
  },
  {
    name: "settlements dropped on stop",
    what: "A stop does not wait for the rounds under way.",
    edits: [
      edit(
        "relay/dist/dispatch/dispatcher.js",
        "            await stopped;\n            await rounds.ended();\n",
        "            await stopped;\n",
      ),
    ],
  },
  {
    name: "counters in another commit",
    what: "What a commit adds to a state is counted with the next commit.",
    edits: [
      edit(
        "memory/dist/delivery-store/move.js",
        "countsOf(contents, message.source)[state] += 1;",
        "(contents.later ??= []).push(() => (countsOf(contents, message.source)[state] += 1));",
      ),
      edit(
        "memory/dist/delivery-store/commit.js",
        "    const duplicates = findDuplicates(",
        "    for (const count of contents.later?.splice(0) ?? [])\n        count();\n    const duplicates = findDuplicates(",
      ),
    ],
  },
  {
    name: "a switched-off lane claimed",
    what: "A destination that is off is served like any other.",
    edits: [
      edit(
        "relay/dist/settings-in-force.js",
        "destination !== undefined && destination.enabled && !destination.paused",
        "destination !== undefined && !destination.paused",
      ),
    ],
  },
  {
    name: "a refused address ends the delivery",
    what: "A delivery whose destination the address policy refuses is dead at once, although other settings may allow it.",
    edits: [edit("core/dist/round/settle-round.js", "hasWaited ? dead", "true ? dead")],
  },
  {
    name: "a paused destination taken for a removed one",
    what: "What waits untried in a lane that is closed is dead once it is older than dead deliveries become.",
    edits: [
      edit(
        "relay/dist/maintenance/maintenance.js",
        "expired.isErr() || context.settings.destination(lane) !== undefined",
        "expired.isErr()",
      ),
    ],
  },
  {
    name: "stored work seen a minute late",
    what: "What a poll finds in the store is claimed a minute after it is due.",
    edits: [edit("relay/dist/lanes/lanes.js", "due(lane, row.nextDueAt);", "due(lane, row.nextDueAt + 60_000);")],
  },
  {
    name: "a burst without a bound",
    what: "A lane saves up the rate limit of its idle time.",
    edits: [
      edit(
        "core/dist/lanes/tokens.js",
        "Math.max(0, Math.min(limit.burst, refilled(limit, tokens, now) - count))",
        "Math.max(0, refilled(limit, tokens, now) - count)",
      ),
      edit(
        "core/dist/lanes/tokens.js",
        "refill(limit, tokens.left, now - tokens.at)",
        "tokens.left + ((now - tokens.at) * limit.perSecond) / 1_000",
      ),
    ],
  },
  {
    name: "a pause that takes effect at the next poll",
    what: "A pause is stored, and its lane goes on until the store is polled.",
    edits: [edit("relay/dist/lanes/lane-requests.js", "pauses.add(id);", "")],
  },
  {
    name: "a pause in memory only",
    what: "A pause ends with its process.",
    edits: [
      edit("relay/dist/lanes/lane-requests.js", "stored.put({ lane: id, pausedAt: clock.wall() })", "okAsync(true)"),
    ],
  },
  {
    name: "a pause without end",
    what: "The end of a pause is answered, and the store keeps the pause.",
    edits: [edit("relay/dist/lanes/lane-requests.js", "stored.remove(id)", "okAsync(undefined)")],
  },
  {
    name: "a refusal is for good at once",
    what: "A delivery is dead once each endpoint has refused it, whatever becomes of others.",
    edits: [
      edit(
        "core/dist/round/settle-round.js",
        "isRefused && (isConfirmed || isOfOneMessage(reply))",
        "isRefused || isOfOneMessage(reply)",
      ),
    ],
  },
  {
    name: "refusals forgotten at the end",
    what: "A delivery that was refused until its window ended is dead as expired.",
    edits: [
      edit(
        "core/dist/round/settle-round.js",
        'dead(isRefused ? "refused" : "expired", detail)',
        'dead("expired", detail)',
      ),
    ],
  },
  {
    name: "never held for refusals",
    what: "A receiver that refuses whatever it gets is sent everything as fast as it answers.",
    edits: [
      edit(
        "core/dist/lanes/after-round.js",
        'return backOff(pace, { reason: "refusing", probes: 0 }, now);',
        "return pace;",
      ),
    ],
  },
  {
    name: "a repeat uncounted",
    what: "A claim that was not settled leaves no trace once the delivery is claimed again.",
    edits: [edit("memory/dist/delivery-store/claim.js", "noteLapse(delivery, now, lease.token);", "")],
  },
  ...AUDIENCE_BUGS,
  ...EXPLAIN_BUGS,
  ...REQUEST_BUGS,
];

function edit(file: string, from: string, to: string): Edit {
  return { file, from, to };
}

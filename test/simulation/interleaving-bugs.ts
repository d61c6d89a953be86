// Bugs that need an interleaving: one process dies, stands still or waits for the store while another goes on, or a clock
// steps in the midst. Each is a small edit of the build, as in planted-bugs.ts. `npm run soak -- planted` plays them.

import type { Edit, PlantedBug } from "./planted-bugs.js";

interface InterleavingBug extends PlantedBug {
  /** The needs of a simulation that would find it; absent if a seed does. */
  readonly needs?: string;
}

export const INTERLEAVING_BUGS: readonly InterleavingBug[] = [
  {
    name: "a claim's lease from its answer",
    what: "The lease of a claim is counted from the answer of the store, not from the request.",
    edits: [relay("dispatch/dispatcher.js", "heldLease(lease, askedAt)", "heldLease(lease, instantOf(context.clock))")],
  },
  {
    name: "a commit's lease from its answer",
    what: "The lease of what a commit stores as claimed is counted from the answer of the store.",
    edits: [relay("commits/storage.js", "ok({ committed, askedAt })", "ok({ committed, askedAt: instantOf(clock) })")],
  },
  {
    name: "a lease by the wall clock alone",
    what: "A process holds its lease for longer if its wall clock is set back.",
    edits: [relay("commits/lease.js", "Math.min(until - machine, endsAt - monotonic)", "(until - machine)")],
  },
  {
    name: "a lease by the monotonic clock alone",
    what: "A process holds its lease although its wall clock, by which the store ends it, was set forward.",
    edits: [relay("commits/lease.js", "Math.min(until - machine, endsAt - monotonic)", "(endsAt - monotonic)")],
  },
  {
    name: "a round with its lease almost over",
    what: "A round begins while its lease lasts, although not as long as the receiver may take.",
    edits: [core("round/plan-round.js", "now < policy.timeoutMs + LEASE_SLACK_MS", "now < 0")],
  },
  {
    name: "pulled in once",
    what: "After a clock was set back, due times that a commit under way stores are not brought forward.",
    needs: "a clock that is set back while a commit asked for before is under way, in a lane that gets nothing later",
    edits: [
      relay(
        "maintenance/maintenance.js",
        "wasSetBack ? nowMs + context.settings.workspace().delivery.leaseMs : Infinity",
        "Infinity",
      ),
    ],
  },
  {
    name: "a failed pull-in forgotten",
    what: "Due times are brought forward once, whether or not the store does it.",
    edits: [
      relay(
        "maintenance/maintenance.js",
        "if (isDone)\n            owedPullIn = undefined;",
        "owedPullIn = undefined;",
      ),
    ],
  },
  {
    name: "leases pulled in to now",
    what: "A lease that a set-back clock has lengthened ends at once, although its process goes on.",
    edits: [relay("maintenance/maintenance.js", "dueAt: leaseEnd(context), limit", "dueAt: nowMs, limit")],
  },
  {
    name: "an older list of pauses wins",
    what: "A poll that began before an operator paused a lane opens it again.",
    edits: [relay("settings-in-force.js", "isSame || changesAtAsk !== changes", "isSame")],
  },
  {
    name: "open until the pauses are read",
    what: "A process that starts serves all lanes until it has read which of them an operator has paused.",
    edits: [relay("settings-in-force.js", "!isKnown || paused.has(lane)", "paused.has(lane)")],
  },
  {
    name: "a late attempt after a stale settlement",
    what: "An attempt that ends after a settlement without effect is recorded.",
    edits: [relay("dispatch/run-round.js", 'round.state === "stale" || ', "")],
  },
  {
    name: "stale under a new lease given up",
    what: "A round whose delivery got a new lease meanwhile is given up when its settlement names the old one.",
    edits: [relay("dispatch/settle.js", "if (claim.lease === lease)", "if (true)")],
  },
  {
    name: "stale during a claim given up",
    what: "A stale settlement gives its round up although a claim under way may have taken the delivery again.",
    edits: [relay("lanes/slots.js", "afterClaims === undefined)", "afterClaims !== null)")],
  },
  {
    name: "a second round at the same time",
    what: "A delivery whose lease ends during its round, and that its process claims again, gets a round beside the first.",
    edits: [relay("dispatch/dispatcher.js", "openClaim?.delivery.rounds === delivery.rounds", "false")],
  },
  {
    name: "an old round goes on",
    what: "A round goes on under a new lease although another process has recorded a round meanwhile.",
    edits: [
      relay("dispatch/dispatcher.js", "openClaim?.delivery.rounds === delivery.rounds", "openClaim !== undefined"),
    ],
  },
  {
    name: "closed meanwhile and sent",
    what: "A claim is sent although its destination was closed after it was made.",
    edits: [relay("dispatch/attempt.js", " || !context.settings.isOpen(delivery.lane)", "")],
  },
  {
    name: "sent while its lane rests",
    what: "A claim is sent although its lane was blocked or held after it was made.",
    edits: [relay("dispatch/rounds.js", "isClosed || context.lanes.isResting(claim.delivery.lane)", "isClosed")],
  },
  {
    name: "a round from before a block ends it",
    what: "A round that began before its lane was blocked opens the lane.",
    needs: "a block that begins while requests to its receiver are open",
    edits: [core("lanes/blocked.js", "    if (now < backoff.probeAt)\n        return pace;\n", "")],
  },
  {
    name: "an unknown commit repeated",
    what: "A commit that may have been made is made again.",
    edits: [
      relay(
        "commits/storage.js",
        'result.isOk() || result.error.code !== "busy"',
        'result.isOk() || !["busy", "unavailable"].includes(result.error.code)',
      ),
    ],
  },
  {
    name: "due meanwhile and forgotten",
    what: "What falls due in a lane while a claim of it is under way waits for the next poll.",
    edits: [relay("lanes/slots.js", "earlier(nextDueAt.get(id), lane.dueMeanwhile)", "nextDueAt.get(id)")],
  },
  {
    name: "a failed claim keeps its slots",
    what: "The slots of a claim that the store did not answer stay taken.",
    edits: [
      relay(
        "lanes/slots.js",
        "            takeSlots(lane, -limit);\n",
        "            if (nextDueAt !== undefined)\n                takeSlots(lane, -limit);\n",
      ),
    ],
  },
  {
    name: "a lost wake-up in a turn",
    what: "A loop that is woken in the midst of a turn does not take another one.",
    edits: [
      relay(
        "loop.js",
        "            isWanted = false;\n            delayMs = await turn();",
        "            delayMs = await turn();\n            isWanted = false;",
      ),
    ],
  },
  {
    name: "a stop forgets a claim under way",
    what: "A stop does not wait for the releases of what a claim brings that was under way.",
    needs: "more stops that begin while a claim that brings deliveries is under way",
    edits: [
      relay(
        "dispatch/dispatcher.js",
        "            await stopped;\n            await rounds.ended();\n",
        "            await rounds.ended();\n            await stopped;\n",
      ),
    ],
  },
  {
    name: "a hold by the wall clock",
    what: "What a Retry-After asks for is over once the wall clock is set forward.",
    edits: [
      relay(
        "lanes/endpoints.js",
        "plusMs(clock.monotonic(), until - clock.wall()));\n            onHold",
        "until);\n            onHold",
      ),
      relay("lanes/endpoints.js", "until > clock.monotonic()", "until > clock.wall()"),
      relay("lanes/endpoints.js", "epochMs(Math.ceil(until + offsetMs))", "until"),
    ],
  },
  {
    name: "standings outlast a step of the clock",
    what: "When an endpoint last took a message is compared with a refusal, although the clock has stepped in between.",
    edits: [relay("lanes/endpoints.js", "standings.clear();", "")],
  },
  {
    name: "a lost race taken for won",
    what: "A process whose row of the board was refused has the probe and the tokens in it nevertheless.",
    edits: [
      relay(
        "fleet/lane-sync.js",
        "            learnRow(context, row);\n    }",
        "            learnRow(context, row), context.shared.grant(draft.lane, draft.grant);\n    }",
      ),
    ],
  },
  {
    name: "a refused row taken for written",
    what: "A process whose row of the board was refused, since another one was quicker, goes on as if it were written.",
    edits: [
      relay(
        "fleet/lane-sync.js",
        "        if (row === undefined)\n            confirm(context, draft);",
        "        if (true)\n            confirm(context, draft);",
      ),
    ],
  },
  {
    name: "a part before the others make room",
    what: "A process that joins uses whole limits at once, although the others still use theirs.",
    edits: [core("board/share.js", "granted: fits ? share.announced : share.granted", "granted: 1, fair: 1")],
  },
  {
    name: "tokens kept beyond their time",
    what: "A process uses tokens that it took from the board long ago.",
    edits: [core("board/slice.js", "now < until ? Math.max(0, left) : 0", "Math.max(0, left)")],
  },
  {
    name: "a change while the board is written",
    what: "A backoff that changes while the board is written is taken for told.",
    needs: "a receiver that answers one server while another one writes that it fails",
    edits: [
      core(
        "board/merge-board.js",
        "    if (pace.backoff !== announced.backoff)\n        return { ...view, row };\n",
        "",
      ),
    ],
  },
  {
    name: "the end of an older claim forgets the newer",
    what: "A round that another process has overtaken takes the newer claim of its delivery with it when it ends.",
    needs: "a clock that is set forward after a frozen process has claimed again what another one tried",
    edits: [relay("dispatch/rounds.js", "if (underWay.get(id) === claim)\n            underWay", "underWay")],
  },
];

function relay(file: string, from: string, to: string): Edit {
  return { file: `relay/dist/${file}`, from, to };
}

function core(file: string, from: string, to: string): Edit {
  return { file: `core/dist/${file}`, from, to };
}

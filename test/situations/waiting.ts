// Situations in which the delivery of the call waits: one for each thing that it may wait for.

import { answering, FORBIDDEN, type Stage, stageOf, to } from "./stage.js";
import type { Situation } from "./situation.js";

/** Failures of other calls after which a lane is held. */
const FAILURES = 60;
/** Calls that a lane has under way at once, and some more. */
const CROWD = 80;

export const WAITING: readonly Situation[] = [
  {
    name: "backoff",
    causes: ["the receiver answered 503, and the next round is not due yet"],
    facts: ["crm: backoff"],
    says: [/crm: waiting[^]*It waits: \S+ answered 503 at \S+ \(round 1\); the next round is due at/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(503))] });
      await stage.call();
      return untilTried(stage);
    },
  },
  {
    name: "Retry-After",
    causes: ["the receiver answered 429 with a Retry-After of an hour"],
    facts: ["crm: backoff", "crm: endpoint-holds"],
    says: [/every endpoint asked by Retry-After for a pause[^]*answered 429/],
    prepare: async () => {
      const url = await answering({ status: 429, retryAfter: "3600" });
      const stage = await stageOf({ destinations: [to("crm", url)] });
      await stage.call();
      return untilTried(stage);
    },
  },
  {
    name: "held",
    causes: ["the receiver fails for nearly all deliveries, so that the destination is held and only probes are sent"],
    facts: ["crm: held"],
    says: [/its destination is held since \S+, since nearly all recent attempts failed, the last with 500/],
    prepare: async () => prepareHeld(await stageOf({ destinations: [to("crm", await answering(500))] })),
  },
  {
    name: "refused once",
    causes: ["the receiver refused it with 404, and is asked once more"],
    facts: ["crm: backoff"],
    says: [
      /crm: waiting[^]*It waits: \S+ answered 404 at \S+ \(round 1\), which is a refusal; the next round is due at/,
      /A further refusal is final if the endpoint takes other messages meanwhile/,
      /crm has failed for .*: its last answer is 404/,
    ],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(404))], delivery: RARE });
      await stage.call();
      return untilTried(stage);
    },
  },
  {
    name: "a receiver that refuses everything",
    causes: ["the receiver refuses every message with 404, so that all of them wait, and only probes are sent"],
    facts: ["crm: backoff", "crm: refusing"],
    says: [
      /crm is held: its receiver refuses whatever it gets, the last with 404, so that only probes are sent/,
      /is held since \S+, since its receiver refuses whatever it gets, the last with 404/,
      /It waits: \S+ answered 404 at \S+ \(round 1\), which is a refusal/,
      /^crm +refusing +61 /m,
    ],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(404))], delivery: RARE });
      await stage.call();
      await untilTried(stage);
      await makeCalls(stage, FAILURES);
      return untilMode(stage, "refusing");
    },
  },
  {
    name: "blocked",
    causes: ["our own address policy refuses the only endpoint: its address is private"],
    facts: ["crm: blocked"],
    says: [/our own address policy refuses every endpoint of the destination.*Allow the range in network\.allow/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", FORBIDDEN)] });
      await stage.call();
      return untilMode(stage, "blocked");
    },
  },
  {
    name: "paused by an operator",
    causes: ["an operator has paused the destination"],
    facts: ["crm: paused"],
    says: [/its destination is paused by an operator \(postrider resume\)/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.run(["pause", "crm"]);
      await stage.call();
      return stage;
    },
  },
  {
    name: "paused in the settings",
    causes: ["the config pauses the destination"],
    facts: ["crm: paused"],
    says: [/its destination is paused in the settings \("paused"\)/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200), { paused: true })] });
      await stage.call();
      return stage;
    },
  },
  {
    name: "off",
    causes: ["the destination was switched off after the call was accepted"],
    facts: ["crm: off"],
    says: [/its destination is off\. Set "enabled" to true/],
    prepare: async () => {
      const url = await answering(200);
      const stage = await stageOf({ destinations: [to("crm", url, { paused: true })] });
      await stage.call();
      stage.configure({ destinations: [to("crm", url, { enabled: false })] });
      return stage;
    },
  },
  {
    name: "not in the settings",
    causes: ["the destination is not in the settings any more"],
    facts: ["crm: not-in-settings"],
    says: [/its destination is not in the settings\. Put it back, or it ends at/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200), { paused: true })] });
      await stage.call();
      stage.configure({ destinations: [to("mail", await answering(200))] });
      return stage;
    },
  },
  {
    name: "rate limit",
    causes: ["the rate limit of the destination is used up"],
    facts: ["crm: rate-limit"],
    says: [/It waits for the rate limit of its destination/],
    prepare: async () => {
      const rateLimit = { perSecond: 0.01, burst: 1 };
      const stage = await stageOf({ destinations: [to("crm", await answering(200), { rateLimit })] });
      await stage.call({ messageId: "m0" });
      await stage.call();
      return stage;
    },
  },
  {
    name: "lane busy",
    causes: ["the receiver is slow: as many deliveries as the destination gets at once are under way, and others wait"],
    facts: ["crm: lane-busy"],
    says: [/waits for its turn: \d+ deliveries wait for the destination, which gets \d+ at once/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering("nothing"))], delivery: SLOW });
      await makeCalls(stage, CROWD);
      await stage.call();
      return stage;
    },
  },
  {
    name: "in flight",
    causes: ["its round is under way: the receiver has not answered yet"],
    facts: ["crm: in-flight"],
    says: [/It is under way: a process has claimed it until/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering("nothing"))], delivery: SLOW });
      await stage.call();
      await stage.until(async () => (await stage.states())["crm"] === "claimed");
      return stage;
    },
  },
];

/** No retry comes while a situation lasts. */
const RARE = { firstRetryMs: 600_000, maxRetryMs: 3_600_000 };

/** Receivers may be silent for as long as a situation lasts. */
export const SLOW = { timeoutMs: 60_000, leaseMs: 90_000 };

/** Other calls than m1. */
export async function makeCalls(stage: Stage, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => stage.call({ messageId: `other-${String(index)}` })));
}

/** Resolves once the delivery to `destination` was tried, and waits again. */
export async function untilTried<One extends Stage>(stage: One, destination = "crm"): Promise<One> {
  await stage.until(async () => {
    const { out } = await stage.run(["deliveries", "--message-id", "m1", "--destination", destination, "--json"]);
    return out.some((line) => /"state":"waiting".*"attemptCount":[1-9]/.test(line));
  });
  return stage;
}

/** Resolves once the lane of crm is in this mode. */
export async function untilMode<One extends Stage>(stage: One, mode: string): Promise<One> {
  await stage.until(async () => {
    const { out } = await stage.run(["lanes", "--json"]);
    return out.some((line) => line.includes('"destination":"crm"') && line.includes(`"mode":"${mode}"`));
  });
  return stage;
}

/** Other calls fail until the lane is held; then comes the call. */
export async function prepareHeld<One extends Stage>(stage: One): Promise<One> {
  await makeCalls(stage, FAILURES);
  await untilMode(stage, "held");
  await stage.call();
  return stage;
}

// Situations in which the delivery of the call has ended: one for each reason for which a delivery may be dead.

import { destinationId, epochMs } from "@postrider/core";
import { tempFolder } from "../postrider/config-file.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { answering, FORBIDDEN, SHORT, type Stage, stageOf, stageOnStore, to } from "./stage.js";
import type { Situation } from "./situation.js";
import { untilTried } from "./waiting.js";

const POLL_MS = 1_000;

export const ENDED: readonly Situation[] = [
  {
    name: "expired after failures",
    causes: ["every attempt failed with 503 until the retry window ended"],
    facts: ["crm: expired"],
    says: [/crm: dead[^]*no attempt succeeded within its retry window.*answered 503/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(503))], delivery: SHORT });
      await stage.call();
      return untilDead(stage, 10_000);
    },
  },
  {
    name: "expired, since no process ran",
    causes: ["the first attempt failed with 503, and nothing was tried at the end of the retry window"],
    facts: ["crm: expired"],
    says: [/answered 503.*None was made at the end of the window.*no process ran/],
    prepare: async () => {
      const clock = createSkippingClock();
      const settings = {
        destinations: [to("crm", await answering(503))],
        delivery: SHORT,
        store: `sqlite:${tempFolder()}/store.db`,
      };
      const first = await stageOf(settings, clock);
      await first.call();
      await first.until(async () =>
        (await first.run(["deliveries", "--json"])).out.join().includes('"attemptCount":1'),
      );
      await first.server.stop();
      clock.skip(2 * SHORT.retryWindowMs);
      return untilDead(await stageOf(settings, clock));
    },
  },
  {
    name: "refused for its body",
    causes: ["the receiver refused it with 422, which speaks of this message alone"],
    facts: ["crm: refused"],
    says: [/crm: dead[^]*answered 422.*This refusal is final: replay it once the receiver takes it/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(422))] });
      await stage.call();
      return untilDead(stage);
    },
  },
  {
    name: "refused while others are taken",
    causes: ["the receiver refused it with 404, twice, and took another message in between"],
    facts: ["crm: refused"],
    says: [/crm: dead[^]*answered 404.*This refusal is final/, /1 delivery has arrived/],
    prepare: async () => {
      const url = await answering((messageId) => (messageId === "m1" ? 404 : 200));
      const stage = await stageOf({ destinations: [to("crm", url)], delivery: SHORT });
      await stage.call();
      await untilTried(stage);
      await stage.call({ messageId: "m2" });
      await stage.until(
        async () => (await stage.run(["deliveries", "--state", "delivered", "--json"])).out.length === 1,
      );
      return untilDead(stage, 10_000);
    },
  },
  {
    name: "refused for the whole window",
    causes: ["the receiver refused it with 404 until the retry window ended, and took no other message"],
    facts: ["crm: refused"],
    says: [/crm: dead[^]*answered 404.*It was still refused when its retry window ended/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(404))], delivery: SHORT });
      await stage.call();
      return untilDead(stage, 10_000);
    },
  },
  {
    name: "never allowed",
    causes: ["our own address policy refused every endpoint for one retry window"],
    facts: ["crm: never-allowed"],
    says: [/crm: dead[^]*our own address policy refused every endpoint/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", FORBIDDEN)], delivery: SHORT });
      await stage.call();
      return untilDead(stage, 10_000);
    },
  },
  {
    name: "lane full",
    causes: ["the destination had as many unfinished deliveries as a lane may have"],
    facts: ["crm: lane-full"],
    says: [/crm: dead[^]*as many unfinished deliveries as a lane may have/],
    prepare: async () => {
      const full = { lane: destinationId("crm"), deliveries: 1_000_000, bytes: 400_000_000, nextDueAt: epochMs(0) };
      const stage = await stageOnStore({ destinations: [to("crm", await answering(200))] }, (store) => ({
        ...store,
        lanes: () => Promise.resolve({ lanes: [full], more: false }),
      }));
      await stage.until(async () => (await stage.run(["lanes"])).out.join().includes("1000000"));
      await stage.call();
      return untilDead(stage);
    },
  },
  {
    name: "purged",
    causes: ["a request deleted the user of the call"],
    facts: ["crm: purged"],
    says: [/crm: dead[^]*a request deleted or suppressed a user of the call/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(503))] });
      await stage.call();
      await stage.until(async () => (await stage.states())["crm"] === "waiting");
      await stage.run(["delete-user", "u1", "--wait"]);
      await stage.until(async () => (await stage.states())["crm"] === "dead");
      return stage;
    },
  },
  {
    name: "destination removed",
    causes: ["the destination was removed from the settings, and an operator ended what waited for it"],
    facts: ["crm: destination-removed"],
    says: [/crm: dead[^]*its destination was removed from the settings/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200), { paused: true })] });
      await stage.call();
      stage.configure({ destinations: [to("mail", await answering(200))] });
      await stage.run(["forget", "crm", "--yes"]);
      return untilDead(stage);
    },
  },
];

/** Resolves once the delivery to crm is dead. */
export async function untilDead<One extends Stage>(stage: One, stepMs = 0): Promise<One> {
  await stage.until(async () => (await stage.states())["crm"] === "dead", stepMs);
  // The lanes are read again with each poll.
  stage.clock.skip(POLL_MS);
  await stage.until(async () => !(await stage.run(["lanes", "--json"])).out.join().includes('"deliveries":1,'));
  return stage;
}

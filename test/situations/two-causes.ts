// Situations with two causes at once: the output has to name both.

import { createStoreError } from "@postrider/core";
import { SHOP_KEY } from "../canary.js";
import { tempFolder } from "../postrider/config-file.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { untilDead } from "./ended.js";
import { answering, FORBIDDEN, SHORT, stageOf, stageOnStore, to } from "./stage.js";
import { prepareHeld, SLOW, untilMode, untilTried } from "./waiting.js";
import type { Situation } from "./situation.js";

export const TWO_CAUSES: readonly Situation[] = [
  {
    name: "held and paused by an operator",
    causes: ["an operator has paused the destination", "its receiver fails with 500, so that it is held"],
    facts: ["crm: held", "crm: paused"],
    says: [/paused by an operator \(postrider resume\)/, /is held since \S+, since nearly all recent attempts failed/],
    prepare: async () => {
      const stage = await prepareHeld(await stageOf({ destinations: [to("crm", await answering(500))] }));
      await stage.run(["pause", "crm"]);
      return stage;
    },
  },
  {
    name: "blocked and paused in the settings",
    causes: ["our own address policy refuses the endpoint", "the settings pause the destination"],
    facts: ["crm: blocked", "crm: paused"],
    says: [/our own address policy refuses every endpoint/, /paused in the settings \("paused"\)/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", FORBIDDEN)] });
      await stage.call();
      await untilMode(stage, "blocked");
      stage.configure({ destinations: [to("crm", FORBIDDEN, { paused: true })] });
      return stage;
    },
  },
  {
    name: "off and over its rate limit",
    causes: ["the destination is off", "its rate limit is used up"],
    facts: ["crm: off", "crm: rate-limit"],
    says: [/destination is off\. Set "enabled" to true/, /waits for the rate limit of its destination/],
    prepare: async () => {
      const rateLimit = { perSecond: 0.01, burst: 1 };
      const url = await answering(200);
      const stage = await stageOf({ destinations: [to("crm", url, { rateLimit })] });
      await stage.call({ messageId: "m0" });
      await stage.call();
      stage.configure({ destinations: [to("crm", url, { rateLimit, enabled: false })] });
      return stage;
    },
  },
  {
    name: "expired while an operator had paused it",
    causes: ["the first attempt failed with 503", "an operator has paused the destination, so that its window ended"],
    facts: ["crm: expired"],
    says: [/answered 503/, /None was made at the end of the window.*It is paused now by an operator/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(503))], delivery: SHORT });
      await stage.call();
      await untilTried(stage);
      await stage.run(["pause", "crm"]);
      return untilDead(stage, 30_000);
    },
  },
  {
    name: "filtered for one destination, dead for the other",
    causes: ['the "integrations" of the call switch CRM off', "the receiver of mail refused it with 422"],
    facts: ["crm: filtered, integrations", "mail: refused"],
    says: [/no delivery to crm: the "integrations" of the call switched it off/, /mail: dead[^]*answered 422/],
    prepare: async () => {
      const stage = await stageOf({
        destinations: [to("crm", await answering(200)), to("mail", await answering(422))],
      });
      await stage.call({ integrations: { CRM: false } });
      await stage.until(async () => (await stage.states())["mail"] === "dead");
      return stage;
    },
  },
  {
    name: "one endpoint refused it, the other times out",
    causes: ["one endpoint refused it with 413, for good", "the other endpoint does not answer in time"],
    facts: ["crm: backoff"],
    says: [/failed with timeout/, /answered 413 at \S+ \(round 1\), which is a final refusal: it gets no further/],
    prepare: async () => {
      const urls = [await answering(413), await answering("nothing")];
      const stage = await stageOf({ destinations: [to("crm", urls)] });
      await stage.call();
      await stage.until(async () => (await stage.states())["crm"] === "claimed");
      await stage.until(
        async () => (await stage.run(["show", "1", "--json"])).out.join().includes('"fault":"timeout"'),
        1_000,
      );
      return untilTried(stage);
    },
  },
  {
    name: "dead, after one endpoint refused it and the other failed",
    causes: ["one endpoint refused it with 410", "the other failed with 500, both until the window ended"],
    facts: ["crm: expired"],
    says: [/answered 500/, /answered 410 at \S+ \(round \d+\), which is a refusal/],
    prepare: async () => {
      const urls = [await answering(410), await answering(500)];
      const stage = await stageOf({ destinations: [to("crm", urls)], delivery: SHORT });
      await stage.call();
      return untilDead(stage, 10_000);
    },
  },
  {
    name: "duplicate of a filtered call",
    causes: ["the destination was off when the call came in", "the call made again was a duplicate"],
    facts: ["call: duplicate", "crm: filtered, destination-off"],
    says: [/crm: it was off \("enabled" was false\)/, /further call with it was a duplicate/],
    prepare: async () => {
      const url = await answering(200);
      const stage = await stageOf({ destinations: [to("crm", url, { enabled: false })] });
      await stage.call();
      stage.configure({ destinations: [to("crm", url)] });
      await stage.call();
      return stage;
    },
  },
  {
    name: "Retry-After of one endpoint, 500 of the other",
    causes: ["one endpoint asked for a pause by Retry-After", "the other answered 500"],
    facts: ["crm: backoff"],
    says: [/asked by Retry-After for a pause until/, /answered 500/],
    prepare: async () => {
      const urls = [await answering({ status: 429, retryAfter: "3600" }), await answering(500)];
      const stage = await stageOf({ destinations: [to("crm", urls)] });
      await stage.call();
      return untilTried(stage);
    },
  },
  {
    name: "paused by an operator and in the settings",
    causes: ["an operator has paused the destination", "the settings pause it too"],
    facts: ["crm: paused"],
    says: [/is paused in the settings \("paused"\) and by an operator/, /paused by settings and operator/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200), { paused: true })] });
      await stage.run(["pause", "crm"]);
      await stage.call();
      return stage;
    },
  },
  {
    name: "its process died, and it is paused now",
    causes: ["the process died while the round was under way", "the settings pause the destination now"],
    facts: ["crm: lease-ended", "crm: paused"],
    says: [/did not tell how it ended, as after a crash/, /paused in the settings \("paused"\)/],
    prepare: async () => {
      const clock = createSkippingClock();
      const url = await answering("nothing");
      const settings = { delivery: SLOW, store: `sqlite:${tempFolder()}/store.db` };
      const first = await stageOf({ ...settings, destinations: [to("crm", url)] }, clock);
      await first.call();
      await first.until(async () => (await first.states())["crm"] === "claimed");
      await first.server.abandon();
      clock.skip(2 * SLOW.leaseMs);
      return stageOf({ ...settings, destinations: [to("crm", url, { paused: true })] }, clock);
    },
  },
  {
    name: "two destinations, one fails and one is paused",
    causes: ["the receiver of crm answers 503", "an operator has paused mail"],
    facts: ["crm: backoff", "mail: paused"],
    says: [/crm: waiting[^]*answered 503/, /mail: waiting[^]*paused by an operator/],
    prepare: async () => {
      const stage = await stageOf({
        destinations: [to("crm", await answering(503)), to("mail", await answering(200))],
      });
      await stage.run(["pause", "mail"]);
      await stage.call();
      return untilTried(stage);
    },
  },
  {
    name: "Retry-After and a pause",
    causes: ["the receiver asked for a pause by Retry-After", "the settings pause the destination"],
    facts: ["crm: backoff", "crm: endpoint-holds", "crm: paused"],
    says: [/every endpoint asked by Retry-After for a pause/, /paused in the settings/],
    prepare: async () => {
      const url = await answering({ status: 503, retryAfter: "3600" });
      const stage = await stageOf({ destinations: [to("crm", url)] });
      await stage.call();
      await untilTried(stage);
      stage.configure({ destinations: [to("crm", url, { paused: true })] });
      return stage;
    },
  },
  {
    name: "refused at first, and of a suppressed user then",
    causes: ["the call was refused at first, since it has no event", "its user is suppressed since then"],
    facts: ["call: refused, no-event", "call: suppressed"],
    says: [/was refused: no-event at event/, /was not stored: its user is suppressed/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.call({ event: undefined });
      await stage.run(["suppress", "u1"]);
      await stage.call();
      return stage;
    },
  },
  {
    name: "a wrong key at a full server",
    causes: ["the caller shows a write key that no source has", "the disk of the store is full"],
    facts: ["call: shed", "call: unknown-key"],
    says: [/the write key is not known/, /is not healthy: full, the disk of its store has no room/],
    prepare: async () => {
      const stage = await stageOnStore({ destinations: [to("crm", await answering(200))] }, (store) => ({
        ...store,
        commit: () => Promise.reject(createStoreError("full", "as prepared")),
      }));
      await stage.call({ messageId: "m0" });
      await stage.call({}, SHOP_KEY);
      return { ...stage, env: { POSTRIDER_WRITE_KEY: SHOP_KEY } };
    },
  },
];

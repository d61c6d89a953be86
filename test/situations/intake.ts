// Situations in which the call has no delivery: it was filtered, refused or never stored, or the server cannot be asked.

import { createStoreError } from "@postrider/core";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { SHOP_KEY } from "../canary.js";
import { close, listen, portForRestarts } from "../loopback.js";
import { answering, type Stage, stageOf, stageOnStore, to } from "./stage.js";
import type { Situation } from "./situation.js";

export const INTAKE: readonly Situation[] = [
  filtered("its integrations", {
    causes: ['the call has "integrations" that switch the destination CRM off'],
    reason: "integrations",
    says: /crm: the "integrations" of the call switched it off/,
    fields: { integrations: { CRM: false } },
  }),
  filtered("All is false", {
    causes: ['the call has "integrations" that switch the destination off, by All'],
    reason: "integrations",
    says: /crm: the "integrations" of the call switched it off/,
    fields: { integrations: { All: false } },
  }),
  filtered("historical", {
    causes: ["the call is historical, older than a day, and the destination does not accept such calls"],
    reason: "historical",
    says: /crm: the call is historical, older than delivery\.historicalAfterMs, and it does not accept such calls/,
    fields: { timestamp: "2020-01-01T00:00:00.000Z" },
    destination: { acceptsHistorical: false },
  }),
  filtered("the destination is off", {
    causes: ["the destination was off when the call came in"],
    reason: "destination-off",
    says: /crm: it was off \("enabled" was false\)/,
    destination: { enabled: false },
  }),
  {
    name: "no destination",
    causes: ["no destination is connected to the source of the call"],
    facts: ["call: filtered, no-destination"],
    says: [/no destination is connected to (?:its source|website)/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [] });
      await stage.call();
      return stage;
    },
  },
  refused("no ids", { code: "no-ids", fields: { userId: undefined } }),
  refused("too large", { code: "too-large", fields: { properties: { text: "x".repeat(40_000) } } }),
  refused("a bad type", { code: "not-an-object", fields: { properties: "none" } }),
  refused("no event", { code: "no-event", fields: { event: undefined } }),
  {
    name: "duplicate",
    causes: ["the call is a duplicate: its messageId was accepted and delivered before"],
    facts: ["call: duplicate", "crm: delivered"],
    says: [/further call with it was a duplicate/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.call();
      await stage.until(async () => (await stage.states())["crm"] === "delivered");
      await stage.call();
      return stage;
    },
  },
  {
    name: "suppressed",
    causes: ["the user of the call is suppressed"],
    facts: ["call: suppressed"],
    says: [/was not stored: its user is suppressed/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.run(["suppress", "u1"]);
      await stage.call();
      return stage;
    },
  },
  {
    name: "unknown key",
    causes: ["the caller shows a write key that no source has"],
    facts: ["call: unknown-key"],
    says: [/write key is not known/, /showed no write key, or one that no source of the config has/],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.call({}, SHOP_KEY);
      return { ...stage, env: { POSTRIDER_WRITE_KEY: SHOP_KEY } };
    },
  },
  {
    name: "wrong port",
    causes: ["nothing listens at the port that is asked"],
    facts: [],
    says: [/nothing listens there; start the server, or correct --url or POSTRIDER_URL/],
    prepare: async () => ({
      ...(await idle()),
      env: { POSTRIDER_URL: `http://127.0.0.1:${String(await portForRestarts())}` },
    }),
  },
  {
    name: "another program",
    causes: ["another program listens at the port that is asked"],
    facts: [],
    says: [/another program than Postrider answered/],
    prepare: async () => {
      const other = createServer((_, response) => response.writeHead(404).end("not here"));
      const port = await listen(other);
      onTestFinished(() => close(other));
      return { ...(await idle()), env: { POSTRIDER_URL: `http://127.0.0.1:${String(port)}` } };
    },
  },
  {
    name: "store full",
    causes: ["the disk of the store is full"],
    facts: ["call: shed"],
    says: [/is not healthy: full, the disk of its store has no room: no call is accepted/],
    prepare: () => shedBy("full"),
  },
  {
    name: "store unavailable",
    causes: ["the store cannot be written"],
    facts: [],
    says: [/is not healthy: unavailable, its store cannot be read or written/],
    prepare: () => shedBy("unavailable"),
  },
];

interface Filtered extends Pick<Situation, "causes"> {
  readonly reason: string;
  readonly says: RegExp;
  readonly fields?: object;
  readonly destination?: object;
}

function filtered(name: string, { causes, reason, says, fields, destination }: Filtered): Situation {
  return {
    name: `filtered: ${name}`,
    causes,
    facts: [`crm: filtered, ${reason}`],
    says: [says],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200), destination)] });
      await stage.call(fields);
      return stage;
    },
  };
}

function refused(name: string, { code, fields }: { readonly code: string; readonly fields: object }): Situation {
  return {
    name: `refused: ${name}`,
    causes: [`the call was refused: ${code}`],
    facts: [`call: refused, ${code}`],
    says: [new RegExp(`with this messageId came in at \\S+ and was refused: ${code}`)],
    prepare: async () => {
      const stage = await stageOf({ destinations: [to("crm", await answering(200))] });
      await stage.call(fields);
      return stage;
    },
  };
}

/** A server that has seen no call. */
async function idle(): Promise<Stage> {
  return stageOf({ destinations: [to("crm", await answering(200))] });
}

async function shedBy(code: "full" | "unavailable"): Promise<Stage> {
  const stage = await stageOnStore({ destinations: [to("crm", await answering(200))] }, (store) => ({
    ...store,
    commit: () => Promise.reject(createStoreError(code, "as prepared")),
  }));
  await stage.call();
  return stage;
}

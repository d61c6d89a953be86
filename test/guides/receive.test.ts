// Runs each receiver of docs/guides/receive.md as a program, with requests of the real relay and with forged ones. The one
// in Python is an implementation of X-Signature that shares nothing with ours.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryId,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  type HttpRequest,
  type SourceId,
} from "@postrider/core";
import { buildRequest, encodeMessage, deleteMessageOf } from "@postrider/core/engine";
import { createFetchHttp } from "@postrider/fetch";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { createRelay, type Relay } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import {
  GUIDE,
  hasPython,
  type Receiver,
  SECRET,
  SECRET_BEFORE,
  startReceiver,
  startWithoutSecret,
} from "./receivers.js";

const PROGRAMS = ["node-http.js", "with-express.js", "with-fastify.js", "with-hono.js", "next.js"];
const MODULES = ["receive.js", "receive-standard.js"];
const KITS = [
  ...MODULES.flatMap((module) => PROGRAMS.map((program) => ({ program, module }))),
  { program: "receive.py", module: "receive.js" },
];
const PYTHON = hasPython();
const SOURCE = "website" as SourceId;
const clock = createSystemClock();

/** Texts and numbers that hardly any language writes as JavaScript does. */
const PROPERTIES = {
  name: "J\u00fcrgen \ud83d\ude00 \u2028",
  half: "\ud800",
  small: 1e-7,
  large: 1e21,
  html: "</script>",
  2: "b",
  1: "a",
};

if (!PYTHON) console.warn("python3 is not here: the Python receiver of docs/guides/receive.md was NOT run");

it("the programs that are run here are all programs of the guide", () => {
  const run = new Set([
    ...PROGRAMS.map((program) => (program === "next.js" ? "app/hook/route.js" : program)),
    ...MODULES,
    "receive.py",
  ]);
  expect([...GUIDE.keys()].toSorted()).toEqual([...run].toSorted());
});

describe.each(KITS)("$program with $module", ({ program, module }) => {
  const isSkipped = program.endsWith(".py") && !PYTHON;
  const isStandard = module === "receive-standard.js";
  let receiver: Receiver;

  beforeAll(async () => {
    if (!isSkipped) receiver = await startReceiver(program, module);
  });
  afterAll(async () => {
    if (!isSkipped) await receiver.stop();
  });

  it.skipIf(isSkipped)("accepts what the relay sends, and a replay of it only once", async () => {
    const relay = startRelay(receiver.url);
    const calls = [{ type: "track", userId: "u1", event: "Signed Up", messageId: "m1", properties: PROPERTIES }];
    const [receipt] = (await relay.accept({ source: SOURCE, calls }))._unsafeUnwrap();
    const id = receipt?.kind === "accepted" ? receipt.deliveries[0]! : ("none" as DeliveryId);
    expect(await finalState(relay, id)).toBe("delivered");
    expect(await finalState(relay, (await relay.replay(id))._unsafeUnwrap())).toBe("delivered");
    await relay.stop();
    await expect.poll(() => receiver.kept).toEqual(["kept track m1"]);
  });

  it.skipIf(isSkipped)("accepts a deletion, and a message signed with the previous secret", async () => {
    expect(await post(signed(receiver.url, { secret: SECRET_BEFORE }))).toBe(204);
    await expect.poll(() => receiver.kept).toEqual(["kept track m1", expect.stringMatching(/^kept delete .*u1\b/)]);
  });

  it.skipIf(isSkipped)("refuses unsigned messages, and stores nothing of them", async () => {
    const before = receiver.kept.length;
    const good = signed(receiver.url);
    const forged: readonly HttpRequest[] = [
      { ...good, body: new TextEncoder().encode(new TextDecoder().decode(good.body).replace("u1", "u2")) },
      { ...good, body: Buffer.concat([good.body, Buffer.from(" ")]) },
      { ...good, body: new Uint8Array() },
      { ...good, headers: good.headers.filter(([name]) => !/signature/i.test(name)) },
      { ...good, headers: good.headers.map(([name, value]) => [name, /signature/i.test(name) ? "\u00e9" : value]) },
      signed(receiver.url, { secret: "another" }),
      ...(isStandard ? [signed(receiver.url, { agoMs: 600_000 }), signed(receiver.url, { agoMs: -600_000 })] : []),
    ];
    for (const request of forged) expect(await post(request)).toBe(401);
    expect(receiver.kept).toHaveLength(before);
  });

  it.skipIf(isSkipped)("does not start without a secret", () => {
    expect(startWithoutSecret(program, module)).toBe(1);
  });
});

function startRelay(url: string): Relay {
  const relay = createRelay({
    workspace: {
      sources: [{ id: SOURCE, name: "Website", writeKey: createSecret(WRITE_KEY) }],
      destinations: [
        {
          id: "crm" as DestinationId,
          name: "Webhooks",
          enabled: true,
          paused: false,
          acceptsHistorical: true,
          sources: [{ source: SOURCE, mode: "cloud" }],
          endpoints: [{ url, headers: [] }],
          secrets: [createSecret(SECRET)],
          standardWebhooks: true,
        },
      ],
      delivery: DEFAULT_DELIVERY,
      retention: DEFAULT_RETENTION,
    },
    store: createMemoryStore({ disk: createMemoryDisk() }),
    http: createFetchHttp({ clock }),
    clock,
    random: createSystemRandom(),
  });
  relay.start();
  return relay;
}

/** The state in which a delivery ends up; a real receiver needs real time. */
async function finalState(relay: Relay, id: DeliveryId): Promise<string | undefined> {
  const state = async (): Promise<string | undefined> => (await relay.delivery(id))._unsafeUnwrap()?.state;
  await expect.poll(state).toMatch(/delivered|dead/);
  return state();
}

/** A deletion for u1, signed by both schemes. */
function signed(url: string, { secret = SECRET, agoMs = 0 }: { secret?: string; agoMs?: number } = {}): HttpRequest {
  const at = (clock.wall() - agoMs) as EpochMs;
  return buildRequest(encodeMessage(deleteMessageOf("u1", at)), {
    endpoint: url as EndpointId,
    headers: [],
    secrets: [createSecret(secret)],
    standardWebhook: { id: `msg_${String(at)}`, at },
    timeoutMs: 5_000,
  });
}

async function post({ url, headers, body }: HttpRequest): Promise<number> {
  const sent = headers.map(([name, value]): [string, string] => [name, value]);
  const response = await fetch(url, { method: "POST", headers: sent, body: new Uint8Array(body) });
  await response.body?.cancel();
  return response.status;
}

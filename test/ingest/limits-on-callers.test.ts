// The answers to callers that call too often, guess keys, or call while there is no room.

import { type Answer, createIngest, type IncomingRequest } from "@postrider/http/ingest";
import type { RateLimit } from "@postrider/core";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SHOP_KEY, WRITE_KEY } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { basic, post } from "./requests.js";
import { createWorld, source, workspace, type World } from "./world.js";

const GUESSER = "203.0.113.7";
const TRACK = { type: "track", userId: "u1", event: "Signed Up" };
const IN_BODY = { ...TRACK, writeKey: WRITE_KEY };

function open(rateLimit?: RateLimit): World {
  const website = source("website", WRITE_KEY);
  const limited = rateLimit === undefined ? website : { ...website, rateLimit };
  return createWorld({ workspace: workspace({ sources: [limited, source("shop", SHOP_KEY)] }) });
}

function batchOf(calls: number): IncomingRequest {
  return post("/v1/batch", { batch: Array.from({ length: calls }, () => TRACK) });
}

function from(address: string, incoming: IncomingRequest): IncomingRequest {
  return { ...incoming, remoteAddress: address };
}

function told(answer: Answer): object {
  const { error } = JSON.parse(textOf(answer)) as { error?: { code: string } };
  const retryAfter = answer.headers.find(([name]) => name === "Retry-After")?.[1];
  return { status: answer.status, code: error?.code, retryAfter };
}

const GOOD = { status: 200, code: undefined, retryAfter: undefined };
const UNKNOWN = { status: 401, code: "unknown-key", retryAfter: undefined };

function limitedFor(seconds: number): object {
  return { status: 429, code: "rate-limited", retryAfter: String(seconds) };
}

async function accepted(world: World): Promise<number> {
  return (await world.relay.stats())._unsafeUnwrap().accepted;
}

/** Shows a hundred unknown keys. */
async function guess({ ingest }: World, address = GUESSER): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    const wrong = request("POST", "/v1/t", { body: TRACK, headers: basic(`wrong-${String(turn)}`) });
    expect(told(await ingest(from(address, wrong)))).toEqual(UNKNOWN);
  }
}

describe("a source with a limit", () => {
  it("is told when to call again, and nothing beyond the limit is stored", async () => {
    const world = open({ perSecond: 0.5, burst: 2 });
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(told(await world.ingest(post("/v1/track", TRACK))));
    expect(answers).toEqual([GOOD, GOOD, limitedFor(2)]);
    await world.clock.advance(2_000);
    expect(told(await world.ingest(post("/v1/track", TRACK)))).toEqual(GOOD);
    expect(await accepted(world)).toBe(3);
  });

  it("may be named by the body as well", async () => {
    const { ingest } = open({ perSecond: 1, burst: 1 });
    const call = request("POST", "/v1/track", { body: IN_BODY });
    expect([told(await ingest(call)), told(await ingest(call))]).toEqual([GOOD, limitedFor(1)]);
  });

  it("has its batches accepted or refused as a whole, by the number of calls", async () => {
    const world = open({ perSecond: 10, burst: 100 });
    expect(told(await world.ingest(batchOf(90)))).toEqual(GOOD);
    expect(told(await world.ingest(batchOf(40)))).toEqual(limitedFor(3));
    expect(told(await world.ingest(batchOf(10)))).toEqual(GOOD);
    expect(await accepted(world)).toBe(100);
  });

  it("may send a batch larger than its burst, and then waits for longer", async () => {
    const { ingest } = open({ perSecond: 10, burst: 10 });
    expect(told(await ingest(batchOf(100)))).toEqual(GOOD);
    expect(told(await ingest(post("/v1/track", TRACK)))).toEqual(limitedFor(10));
  });

  it("is never told to wait longer than any other caller", async () => {
    const { ingest } = open({ perSecond: 0.001, burst: 1 });
    await ingest(post("/v1/track", TRACK));
    expect(told(await ingest(post("/v1/track", TRACK)))).toEqual(limitedFor(300));
  });

  it("is refused by its key in the headers before its body is looked at", async () => {
    const { ingest } = open({ perSecond: 1, burst: 1 });
    await ingest(post("/v1/track", TRACK));
    const broken = request("POST", "/v1/track", { bytes: Buffer.from("{"), headers: basic() });
    expect(told(await ingest(broken))).toEqual(limitedFor(1));
  });

  it("does not limit another source", async () => {
    const { ingest } = open({ perSecond: 1, burst: 1 });
    await ingest(post("/v1/track", TRACK));
    const shop = request("POST", "/v1/track", { body: TRACK, headers: basic(SHOP_KEY) });
    expect(told(await ingest(shop))).toEqual(GOOD);
  });

  it("has its whole burst again when settings change", async () => {
    const world = open({ perSecond: 0.001, burst: 1 });
    await world.ingest(post("/v1/track", TRACK));
    const sources = [{ ...source("website", WRITE_KEY), rateLimit: { perSecond: 0.001, burst: 1 } }];
    world.relay.configure(workspace({ sources }))._unsafeUnwrap();
    expect(told(await world.ingest(post("/v1/track", TRACK)))).toEqual(GOOD);
    expect(told(await world.ingest(post("/v1/track", TRACK)))).toEqual(limitedFor(300));
  });
});

describe("an address that has shown too many unknown keys", () => {
  it("is told nothing about a further one, right or wrong, in a header, a body or a path", async () => {
    const world = open();
    await guess(world);
    const path = (key: string) => request("GET", `/v1/projects/${key}/settings`);
    const incoming = [
      request("POST", "/v1/t", { body: TRACK, headers: basic("wrong") }),
      post("/v1/t", TRACK),
      request("POST", "/v1/t", { body: { ...TRACK, writeKey: "wrong" } }),
      request("POST", "/v1/t", { body: IN_BODY }),
      request("POST", "/v1/t", { bytes: Buffer.from("{") }),
      path("wrong"),
      path(WRITE_KEY),
    ];
    for (const one of incoming) expect(told(await world.ingest(from(GUESSER, one)))).toEqual(limitedFor(1));
    expect(await accepted(world)).toBe(0);
  });

  it("is reported to the host each time, wherever in the request it is, and known ones are not", async () => {
    const { relay, clock } = open();
    let unknown = 0;
    const ingest = createIngest({ relay, clock, onUnknownKey: () => void (unknown += 1) });
    const guessed = { ...TRACK, writeKey: "wrong" };
    await ingest(from(GUESSER, request("POST", "/v1/t", { body: TRACK, headers: basic("wrong") })));
    await ingest(from(GUESSER, request("POST", "/v1/t", { body: guessed })));
    await ingest(from(GUESSER, request("POST", "/v1/t", { body: TRACK })));
    await ingest(from(GUESSER, request("GET", "/v1/projects/wrong/settings")));
    expect(unknown).toBe(4);
    await ingest(from(GUESSER, request("POST", "/v1/t", { body: IN_BODY })));
    await ingest(from(GUESSER, request("GET", `/v1/projects/${WRITE_KEY}/settings`)));
    await ingest(from(GUESSER, request("POST", "/v1/nothing", { body: guessed })));
    expect(unknown).toBe(4);
  });

  it("is refused by keys in bodies and in paths as soon as by those in headers", async () => {
    for (const wrong of [
      request("POST", "/v1/t", { body: { ...TRACK, writeKey: "wrong" } }),
      request("POST", "/v1/t", { body: TRACK }),
      request("GET", "/v1/projects/wrong/settings"),
    ]) {
      const { ingest } = open();
      const statuses = [];
      for (let turn = 0; turn < 101; turn += 1) statuses.push((await ingest(from(GUESSER, wrong))).status);
      expect(new Set(statuses.slice(0, 100)).has(429)).toBe(false);
      expect(statuses[100]).toBe(429);
    }
  });

  it("is slowed down by bodies that are refused before their key is known too, sooner by larger ones", async () => {
    const shapeless = request("POST", "/v1/t", { bytes: Buffer.from("[]") });
    const broken = request("POST", "/v1/batch", { bytes: Buffer.from("{") });
    const large = request("POST", "/v1/t", { bytes: Buffer.from("x".repeat(512_000)) });
    const tooLarge: IncomingRequest = { ...request("POST", "/v1/t"), body: { kind: "too-large" } };
    for (const [junk, heard] of [
      [shapeless, 100],
      [broken, 100],
      [large, 13],
      [tooLarge, 13],
    ] as const) {
      const { ingest } = open();
      const statuses = [];
      for (let turn = 0; turn <= heard; turn += 1) statuses.push((await ingest(from(GUESSER, junk))).status);
      expect(statuses.indexOf(429)).toBe(heard);
      expect(told(await ingest(from("203.0.113.8", request("POST", "/v1/t", { body: IN_BODY }))))).toEqual(GOOD);
    }
  });

  it("is not slowed down by requests beyond the byte budget, nor by broken requests with a known key", async () => {
    const { ingest } = open();
    const noRoom: IncomingRequest = { ...request("POST", "/v1/t"), body: { kind: "no-room" } };
    const wrong = request("POST", "/v1/t", { bytes: Buffer.from("["), headers: basic() });
    for (let turn = 0; turn < 150; turn += 1) {
      expect((await ingest(from(GUESSER, noRoom))).status).toBe(503);
      expect((await ingest(from(GUESSER, wrong))).status).toBe(400);
    }
    expect(told(await ingest(from(GUESSER, request("POST", "/v1/t", { body: IN_BODY }))))).toEqual(GOOD);
  });

  it("has its key known before its body is read only if that would be answered", async () => {
    const world = open();
    const { knows } = createIngest({ relay: world.relay, clock: world.clock });
    const known = (incoming: IncomingRequest): unknown => knows?.(from(GUESSER, incoming));
    expect(known(post("/v1/t", TRACK))).toBe(true);
    expect(known(request("POST", "/beacon/v1/batch", { query: `writeKey=${WRITE_KEY}` }))).toBe(true);
    for (const stranger of [
      request("POST", "/v1/t", { body: IN_BODY }),
      request("POST", "/v1/t", { headers: basic("wrong") }),
      request("POST", "/v1/t", { query: `writeKey=${WRITE_KEY}` }),
      request("POST", "/v1/nothing", { headers: basic() }),
      request("GET", `/v1/projects/${WRITE_KEY}/settings`, { headers: basic() }),
    ]) {
      expect(known(stranger)).toBe(false);
    }
  });

  it("does not limit a source that has called from there before", async () => {
    const world = open();
    await world.ingest(from(GUESSER, post("/v1/t", TRACK)));
    await guess(world);
    const good = [post("/v1/t", TRACK), request("POST", "/v1/t", { body: IN_BODY })];
    for (const one of good) expect(told(await world.ingest(from(GUESSER, one)))).toEqual(GOOD);
    const wrong = request("POST", "/v1/t", { body: { ...TRACK, writeKey: SHOP_KEY } });
    expect(told(await world.ingest(from(GUESSER, wrong)))).toEqual(limitedFor(1));
  });

  it("may show keys again after a while, and other addresses may all the time", async () => {
    const world = open();
    await guess(world);
    expect(told(await world.ingest(from("203.0.113.8", post("/v1/t", TRACK))))).toEqual(GOOD);
    expect(told(await world.ingest(post("/v1/t", TRACK)))).toEqual(GOOD);
    await world.clock.advance(1_000);
    expect(told(await world.ingest(from(GUESSER, post("/v1/t", TRACK))))).toEqual(GOOD);
  });
});

describe("a request beyond the byte budget", () => {
  it("is answered with Retry-After, once its key is known", async () => {
    const { ingest } = open();
    const noRoom = (headers: Readonly<Record<string, string>>): IncomingRequest => ({
      ...request("POST", "/v1/batch", { headers }),
      body: { kind: "no-room" },
    });
    expect(told(await ingest(noRoom(basic())))).toEqual({ status: 503, code: "overloaded", retryAfter: "1" });
    expect(told(await ingest(noRoom(basic("wrong"))))).toEqual(UNKNOWN);
  });

  it("may be one that unzips to more than the bytes that are left while many others wait for their answer", async () => {
    const world = open();
    const never: World["relay"]["accept"] = () => ({ match: () => new Promise(() => undefined) }) as never;
    const ingest = createIngest({ relay: { ...world.relay, accept: never }, clock: world.clock });
    // 1,024 of these fit in 64 MiB.
    const bytes = gzipSync(JSON.stringify({ batch: [TRACK] }).padEnd(65_536));
    const zipped = request("POST", "/v1/batch", { bytes, headers: basic() });
    const answers: Answer[] = [];
    for (let index = 0; index < 1_033; index += 1) void ingest(zipped).then((answer) => answers.push(answer));
    await expect.poll(() => answers.length).toBe(9);
    for (const answer of answers) expect(told(answer)).toMatchObject({ status: 503, code: "overloaded" });
    // A body that is not zipped is not counted here, since the listener has counted it.
    void ingest(batchOf(1)).then((answer) => answers.push(answer));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(9);
  });

  it("releases its bytes, however it ends", async () => {
    const { ingest } = open();
    const zipped = (text: string) => request("POST", "/v1/batch", { bytes: gzipSync(text), headers: basic() });
    for (let turn = 0; turn < 70; turn += 1) {
      expect((await ingest(zipped(JSON.stringify({ batch: [TRACK] }).padEnd(512_000)))).status).toBe(200);
      expect((await ingest(zipped("x".padEnd(512_000)))).status).toBe(400);
      expect((await ingest(zipped("x".padEnd(600_000)))).status).toBe(413);
    }
  });
});

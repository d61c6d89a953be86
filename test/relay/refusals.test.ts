// Refusals (decision: refusals): a refusal is for good only while other messages succeed. A receiver that refuses whatever it
// gets, as during a deploy, loses nothing; a message that is wrong dies within a minute among others.

import type { DeliveryRecord, HttpRequest } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import {
  type Behaviour,
  createRig,
  destination,
  HOUR,
  offsets,
  type Receiver,
  type Rig,
  type SeenRequest,
  track,
  url,
  verdicts,
} from "./rig.js";
import { createTakeover } from "./takeover.js";

const MINUTE = 60_000;
const OK: Behaviour = { status: 200 };
const NOT_FOUND: Behaviour = { status: 404 };

/** A receiver that answers as the test says, and refuses each message whose id begins with `bad`. */
function receiver(): { readonly answer: Receiver; readonly behave: (behaviour: Behaviour) => void } {
  let behaviour = OK;
  return {
    answer: ({ request }) => (idOf({ body: bodyOf(request) }).startsWith("bad") ? NOT_FOUND : behaviour),
    behave: (next): void => void (behaviour = next),
  };
}

function bodyOf({ body }: HttpRequest): string {
  return new TextDecoder().decode(body);
}

function idOf({ body }: Pick<SeenRequest, "body">): string {
  return String((JSON.parse(body) as Readonly<Record<string, unknown>>)["messageId"]);
}

/** Sends one call after the other, at a steady pace. */
async function load(
  rig: Rig,
  name: string,
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
) {
  for (let call = 0; call < seconds * perSecond; call += 1) {
    await rig.accept(track({ messageId: `${name}-${String(call)}` }));
    await rig.advance(1_000 / perSecond);
  }
}

const send = (rig: Rig, messageId: string) => rig.accept(track({ messageId }));

const requestsOf = (rig: Rig, messageId: string): readonly SeenRequest[] =>
  rig.seen.filter((one) => idOf(one) === messageId);

async function record(rig: Rig, messageId: string): Promise<DeliveryRecord> {
  return (await rig.all()).find((one) => one.messageId === messageId)!;
}

async function states(rig: Rig): Promise<ReadonlySet<string>> {
  return new Set((await rig.all()).map(({ state }) => state));
}

const lanesIn = (rig: Rig): readonly string[] =>
  rig.events.map(({ kind }) => kind).filter((kind) => kind.startsWith("lane-"));

describe("a receiver that refuses whatever it gets for some seconds", () => {
  it.each([
    { perSecond: 5, atMost: 10 },
    { perSecond: 40, atMost: 50 },
    { perSecond: 150, atMost: 100 },
  ])("at $perSecond calls a second kills no delivery: its lane is held, and all are delivered later", async (busy) => {
    const { perSecond, atMost } = busy;
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    await load(rig, "before", { seconds: 2, perSecond });
    behave(NOT_FOUND);
    const before = rig.seen.length;
    await load(rig, "storm", { seconds: 5, perSecond });
    expect(rig.seen.length - before).toBeLessThanOrEqual(atMost);
    expect(lanesIn(rig)).toEqual(["lane-held"]);
    expect(await states(rig)).toEqual(new Set(["delivered", "waiting"]));

    behave(OK);
    await load(rig, "after", { seconds: 2, perSecond });
    await rig.advance(MINUTE);
    expect(await states(rig)).toEqual(new Set(["delivered"]));
    expect(lanesIn(rig)).toEqual(["lane-held", "lane-open"]);
  });

  it("gets one probe at a time meanwhile, every 15 seconds at most", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 2, perSecond: 40 });
    const before = rig.seen.length;
    await rig.advance(HOUR);
    const probes = rig.seen.slice(before).map(({ at }) => at);
    const gaps = probes.slice(1).map((at, index) => at - probes[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(15_000);
    expect(gaps.at(-1)).toBeLessThan(20_000);
    expect(lanesIn(rig)).toEqual(["lane-held"]);
  });

  it("is shown as refusing, with what it answers", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    behave({ status: 401 });
    await load(rig, "m", { seconds: 2, perSecond: 10 });
    expect(rig.relay().lanes()).toMatchObject([{ mode: "refusing", backoff: { kind: "refusing", detail: "401" } }]);
    expect(await record(rig, "m-0")).toMatchObject({ state: "waiting", detail: "401", attemptCount: 1 });
  });

  it("loses what it has refused once a window is over, and nothing that was never tried", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 2, perSecond: 40 });
    await rig.advance(3.9 * HOUR);
    expect(await states(rig)).toEqual(new Set(["waiting"]));
    await rig.advance(0.2 * HOUR);
    const dead = (await rig.all()).filter(({ state }) => state === "dead");
    expect(dead.length).toBeGreaterThan(0);
    expect(dead.every(({ detail, attemptCount }) => detail === "404" && attemptCount > 0)).toBe(true);
    expect(await states(rig)).toEqual(new Set(["dead", "waiting"]));
  });

  it("is not held for two messages, however long it refuses them", async () => {
    const rig = createRig({ receivers: { a: NOT_FOUND } });
    await send(rig, "m1");
    await send(rig, "m2");
    await rig.advance(3 * HOUR);
    expect(lanesIn(rig)).toEqual([]);
    expect(await states(rig)).toEqual(new Set(["waiting"]));
  });

  it("kills a message at once whose body it calls too large, even then", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 2, perSecond: 10 });
    behave({ status: 413 });
    await rig.advance(10_000);
    const dead = (await rig.all()).filter(({ state }) => state === "dead");
    expect(dead.length).toBeGreaterThan(0);
    expect(dead.every(({ reason, detail }) => reason === "refused" && detail === "413")).toBe(true);
  });
});

describe("a quiet lane", () => {
  it("sends the next call at once after a lone refused message", async () => {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await send(rig, "bad");
    await rig.advance(MINUTE);
    await send(rig, "good");
    await rig.advance(100);
    expect(await record(rig, "good")).toMatchObject({ state: "delivered", attemptCount: 1 });
    expect(requestsOf(rig, "good")[0]?.at).toBe((await record(rig, "good")).acceptedAt);
    expect(lanesIn(rig)).toEqual([]);
  });

  it("is held once three messages were refused over some seconds, and the first success opens it", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer } });
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 4, perSecond: 0.5 });
    expect(lanesIn(rig)).toEqual([]);
    await send(rig, "third");
    await rig.advance(100);
    expect(lanesIn(rig)).toEqual(["lane-held"]);
    await send(rig, "fourth");
    await rig.advance(100);
    expect(requestsOf(rig, "fourth")).toEqual([]);

    behave(OK);
    await rig.advance(MINUTE);
    expect(lanesIn(rig)).toEqual(["lane-held", "lane-open"]);
    expect(await states(rig)).toEqual(new Set(["delivered"]));
  });

  it("tries a refused message again after half a minute, and delivers it if it is taken then", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => (nth === 1 ? NOT_FOUND : OK) } });
    await send(rig, "m");
    await rig.advance(MINUTE);
    expect(offsets(rig.seen)).toHaveLength(2);
    expect(offsets(rig.seen)[1]).toBeGreaterThanOrEqual(30_000);
    expect(offsets(rig.seen)[1]).toBeLessThan(46_000);
    expect(await rig.only()).toMatchObject({ state: "delivered", attemptCount: 2 });
  });
});

describe("a message that is refused while others succeed", () => {
  it("dies at its second refusal, and the others go on at full pace", async () => {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await load(rig, "before", { seconds: 1, perSecond: 20 });
    await send(rig, "bad");
    await load(rig, "after", { seconds: 60, perSecond: 20 });

    const bad = await record(rig, "bad");
    expect(bad).toMatchObject({ state: "dead", reason: "refused", detail: "404" });
    expect(verdicts(bad.attempts)).toEqual(["a 404 refused", "a 404 refused"]);
    const otherDeliveries = (await rig.all()).filter(({ messageId }) => messageId !== "bad");
    expect(otherDeliveries.every(({ state, attemptCount }) => state === "delivered" && attemptCount === 1)).toBe(true);
    const delays = otherDeliveries.map(({ acceptedAt, attempts }) => attempts[0]!.startedAt - acceptedAt);
    expect(Math.max(...delays)).toBe(0);
    expect(lanesIn(rig)).toEqual([]);
  });

  it("is told as waiting first, and as dead then", async () => {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await send(rig, "bad");
    await rig.advance(1_000);
    await send(rig, "good");
    await rig.advance(MINUTE);
    const ends = rig.events.flatMap((event) =>
      event.kind === "rescheduled" || event.kind === "died" ? [[event.kind, event.messageId, event.detail]] : [],
    );
    expect(ends).toEqual([
      ["rescheduled", "bad", "404"],
      ["died", "bad", "404"],
    ]);
  });

  it("waits if the only success came before its refusal", async () => {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await send(rig, "good");
    await rig.advance(1_000);
    await send(rig, "bad");
    await rig.advance(MINUTE);
    expect((await record(rig, "bad")).attemptCount).toBeGreaterThan(2);
    expect(await record(rig, "bad")).toMatchObject({ state: "waiting", detail: "404" });
  });

  it("is tried until its window ends if it is alone in its lane, and is dead as refused then", async () => {
    const rig = createRig({ receivers: { a: { status: 410 } } });
    await send(rig, "m");
    await rig.advance(3.9 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "waiting", detail: "gone" });
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "refused", detail: "gone" });
    expect(rig.seen.length).toBeGreaterThanOrEqual(12);
    expect(offsets(rig.seen).at(-1)).toBeLessThanOrEqual(4 * HOUR);
  });

  it("is dead as expired at the end of its window if its last answer was a failure", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => (nth < 3 ? NOT_FOUND : { status: 503 }) } });
    await send(rig, "m");
    await rig.advance(5 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
  });

  it.each([413, 422])("dies at once with a %i, which speaks of its body alone", async (status) => {
    const rig = createRig({ receivers: { a: { status } } });
    await send(rig, "m");
    await rig.advance(100);
    expect(await rig.only()).toMatchObject({
      state: "dead",
      reason: "refused",
      detail: String(status),
      attemptCount: 1,
    });
  });

  it("is refused by chance in one of nine cases if the receiver refuses one request in three, and nothing is held", async () => {
    const random = createSeededRandom(7);
    const rig = createRig({ receivers: { a: () => (random.unit() < 1 / 3 ? NOT_FOUND : OK) } });
    await load(rig, "m", { seconds: 20, perSecond: 30 });
    await rig.advance(MINUTE);
    const deliveries = await rig.all();
    const dead = deliveries.filter(({ state }) => state === "dead");
    expect(dead.every(({ attempts }) => verdicts(attempts).join() === "a 404 refused,a 404 refused")).toBe(true);
    expect(deliveries.length - dead.length).toBe(deliveries.filter(({ state }) => state === "delivered").length);
    expect(dead.length / deliveries.length).toBeGreaterThan(0.08);
    expect(dead.length / deliveries.length).toBeLessThan(0.14);
    expect(lanesIn(rig)).toEqual([]);
  });
});

describe("a receiver that refuses most of what it gets, by its kind", () => {
  it.each([
    { share: 0.5, perSecond: 3 },
    { share: 0.8, perSecond: 5 },
    { share: 0.9, perSecond: 20 },
  ])("gets what it takes at once, at $perSecond calls a second of which it refuses $share", async (plan) => {
    const random = createSeededRandom(11);
    const rig = createRig({ receivers: { a: receiver().answer } });
    for (let call = 0; call < 180 * plan.perSecond; call += 1) {
      await send(rig, `${random.unit() < plan.share ? "bad" : "good"}-${String(call)}`);
      await rig.advance(1_000 / plan.perSecond);
    }
    await rig.advance(MINUTE);
    const good = (await rig.all()).filter(({ messageId }) => messageId.startsWith("good"));
    expect(good.filter(({ state }) => state !== "delivered")).toEqual([]);
    const delays = good.map(({ acceptedAt, attempts }) => attempts[0]!.startedAt - acceptedAt);
    expect(delays.filter((ms) => ms > 0).length / delays.length).toBeLessThan(0.2);
    expect(Math.max(...delays)).toBeLessThan(MINUTE);
  });
});

it("a deploy in which half of the instances refuse for ten seconds kills nothing", async () => {
  const random = createSeededRandom(3);
  let isDeploy = false;
  const rig = createRig({ receivers: { a: () => (isDeploy && random.unit() < 1 / 2 ? NOT_FOUND : OK) } });
  await load(rig, "before", { seconds: 2, perSecond: 50 });
  isDeploy = true;
  await load(rig, "deploy", { seconds: 10, perSecond: 50 });
  isDeploy = false;
  await rig.advance(2 * MINUTE);
  expect(await states(rig)).toEqual(new Set(["delivered"]));
});

describe("a destination with two endpoints, of which one refuses whatever it gets", () => {
  const both = [destination("crm", ["a", "b"])];

  it("is delivered to by the other, and its lane is not held", async () => {
    const rig = createRig({ receivers: { a: NOT_FOUND, b: OK }, destinations: both });
    await load(rig, "m", { seconds: 5, perSecond: 20 });
    expect((await rig.all()).every(({ state, attemptCount }) => state === "delivered" && attemptCount <= 2)).toBe(true);
    expect(rig.seen).toHaveLength(200);
    expect(lanesIn(rig)).toEqual([]);
  });

  it("has a delivery that waits sent to both again", async () => {
    const { answer, behave } = receiver();
    const b: Receiver = ({ request }) => (bodyOf(request).includes("late") ? { status: 503 } : OK);
    const rig = createRig({ receivers: { a: answer, b }, destinations: both });
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 3, perSecond: 10 });
    await send(rig, "late");
    await load(rig, "n", { seconds: 10, perSecond: 10 });
    const rounds = requestsOf(rig, "late").map((one) => one.url);
    expect(rounds).toEqual([url("a"), url("b"), url("a"), url("b")]);
    behave(OK);
    await rig.advance(MINUTE);
    expect(await states(rig)).toEqual(new Set(["delivered"]));
    const { attempts } = await record(rig, "late");
    expect(attempts.find(({ verdict }) => verdict === "success")?.endpoint).toBe(url("a"));
  });

  it("leaves out the one that refuses a message for good, and goes on with the other", async () => {
    let isDown = true;
    const b: Receiver = ({ request }) => (isDown && bodyOf(request).includes("bad") ? { status: 503 } : OK);
    const rig = createRig({ receivers: { a: receiver().answer, b }, destinations: both });
    await send(rig, "bad");
    await load(rig, "good", { seconds: 30, perSecond: 1 });
    isDown = false;
    await rig.advance(MINUTE);
    expect(await record(rig, "bad")).toMatchObject({ state: "delivered" });
    const at = (name: string) => requestsOf(rig, "bad").filter((one) => one.url === url(name)).length;
    expect(at("a")).toBe(2);
    expect(at("b")).toBeGreaterThan(2);
  });

  it("is held if the other fails", async () => {
    const rig = createRig({ receivers: { a: NOT_FOUND, b: { status: 503 } }, destinations: both });
    await load(rig, "m", { seconds: 10, perSecond: 20 });
    expect(lanesIn(rig)).toEqual(["lane-held"]);
    expect(await states(rig)).toEqual(new Set(["waiting"]));
  });
});

describe("a success that is not known to have come after the refusal", () => {
  /** A rig in which a message was refused, and another one was taken after that. */
  async function refusedOnce(): Promise<Rig> {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await send(rig, "bad");
    await rig.advance(1_000);
    await send(rig, "good");
    await rig.advance(1_000);
    return rig;
  }

  /** Expects that the second refusal is not for good, and that the third is, after a further success. */
  async function expectOneMore(rig: Rig): Promise<void> {
    for (let step = 0; step < 400 && requestsOf(rig, "bad").length < 2; step += 1) await rig.advance(250);
    await rig.advance(100);
    expect(await record(rig, "bad")).toMatchObject({ state: "waiting", attemptCount: 2 });
    await send(rig, "good again");
    await rig.advance(MINUTE);
    expect(await record(rig, "bad")).toMatchObject({ state: "dead", reason: "refused", attemptCount: 3 });
  }

  it("is one that is known, in a process that goes on", async () => {
    const rig = await refusedOnce();
    await rig.advance(MINUTE);
    expect(await record(rig, "bad")).toMatchObject({ state: "dead", reason: "refused", attemptCount: 2 });
  });

  it.each([10_000, -10_000])("is one before a step of the clock of %i ms: one more is waited for", async (stepMs) => {
    const rig = await refusedOnce();
    rig.clock.stepWall(stepMs);
    await expectOneMore(rig);
  });

  it("is one of another process: after a restart one more is waited for", async () => {
    const rig = await refusedOnce();
    rig.crash();
    rig.restart();
    await expectOneMore(rig);
  });

  it("is none that is needed after a restart, if the success comes then: the refusal is stored", async () => {
    const rig = createRig({ receivers: { a: receiver().answer } });
    await send(rig, "bad");
    await rig.advance(100);
    rig.crash();
    rig.restart();
    await rig.advance(100);
    await send(rig, "good");
    await rig.advance(MINUTE);
    expect(await record(rig, "bad")).toMatchObject({ state: "dead", reason: "refused", attemptCount: 2 });
  });
});

describe("two processes on a board", () => {
  it("both hold a lane that one of them sees refused, and open it with the success of one", async () => {
    const { answer, behave } = receiver();
    const rig = createRig({ receivers: { a: answer }, hasBoard: true });
    const otherRelay = rig.join();
    await rig.advance(5_000);
    behave(NOT_FOUND);
    await load(rig, "m", { seconds: 3, perSecond: 20 });
    await rig.advance(5_000);
    const modes = () => [rig.relay(), otherRelay].map((relay) => relay.lanes()[0]?.mode);
    expect(modes()).toEqual(["refusing", "refusing"]);
    behave(OK);
    await rig.advance(MINUTE);
    expect(modes()).toEqual(["open", "open"]);
    expect(await states(rig)).toEqual(new Set(["delivered"]));
  });
});

describe("a relay that takes over", () => {
  it("knows what has succeeded since a refusal, so that the next one is for good", async () => {
    const { clock, accept, takeOver, all, stop } = createTakeover((request) =>
      bodyOf(request).includes("bad") ? 404 : 200,
    );
    await accept("bad");
    await clock.advance(1_000);
    await accept("good");
    await takeOver();
    await clock.advance(MINUTE);
    const bad = (await all()).find(({ messageId }) => messageId === "bad");
    expect(bad).toMatchObject({ state: "dead", reason: "refused", attemptCount: 2 });
    await stop();
  });

  it("knows which messages were refused: the third one holds the lane", async () => {
    const { clock, sent, accept, takeOver, stop } = createTakeover(() => 404);
    for (const id of ["m1", "m2"]) await accept(id);
    await clock.advance(1_000);
    await takeOver();
    await accept("m3");
    await accept("m4");
    expect(sent).toHaveLength(3);
    await stop();
  });
});

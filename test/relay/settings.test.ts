import { createSecret, type Destination, type DestinationId, signBody, type SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { SECRET } from "../canary.js";
import { type Rig, createRig, CRM, destination, HOUR, slowClaims, track, url, WEBSITE } from "./rig.js";

/** One delivery that has failed once at `a` and waits. */
async function waiting(): Promise<Rig> {
  const rig = createRig({
    receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }), b: { status: 200 } },
    destinations: [destination("crm", ["a"])],
  });
  await rig.accept(track());
  await rig.advance(100);
  expect(await rig.only()).toMatchObject({ state: "waiting", detail: "503" });
  return rig;
}

function configure(rig: Rig, ...destinations: readonly Destination[]): void {
  rig.relay().configure(rig.workspace(destinations))._unsafeUnwrap();
}

describe("settings swapped while a delivery waits", () => {
  it("a new secret signs the next attempt", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["a"], { secrets: [createSecret("new"), createSecret(SECRET)] }));
    await rig.advance(HOUR);

    const [before, after] = rig.seen;
    expect(after?.body).toBe(before?.body);
    expect(after?.headers.get("X-Signature")).toBe(signBody("new", new TextEncoder().encode(after?.body)));
  });

  it("no secret leaves the next attempt unsigned", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["a"], { secrets: [] }));
    await rig.advance(HOUR);
    expect(rig.seen[1]?.headers.has("X-Signature")).toBe(false);
  });

  it("a new URL is asked instead of the old one", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["b"]));
    await rig.advance(HOUR);
    expect(rig.seen.map((one) => one.url)).toEqual([url("a"), url("b")]);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("switched off, the destination holds it, and its window runs on", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["a"], { enabled: false }));
    await rig.advance(4 * HOUR + 60_000);
    expect(rig.seen).toHaveLength(1);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
  });

  it("switched on again in time, the destination gets it", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["a"], { enabled: false }));
    await rig.advance(HOUR);
    configure(rig, destination("crm", ["a"]));
    await rig.advance(1_000);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("switched off, the destination filters new calls; paused, it accepts and holds them", async () => {
    const rig = createRig();
    configure(rig, destination("crm", ["a"], { enabled: false }));
    expect(await rig.accept(track({ messageId: "m1" }))).toMatchObject([
      { deliveries: [], filtered: [{ destination: CRM, reason: "destination-off" }] },
    ]);
    configure(rig, destination("crm", ["a"], { paused: true }));
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(HOUR);
    expect(rig.seen).toHaveLength(0);
    expect((await rig.only()).state).toBe("waiting");
  });

  it("an endpoint that is removed gets no more requests; the others decide", async () => {
    const rig = createRig({ receivers: { a: { status: 503 }, b: { status: 422 } } });
    await rig.accept(track());
    await rig.advance(100);
    configure(rig, destination("crm", ["b"]));
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "refused" });
    expect(rig.seen).toHaveLength(2);
  });

  it("a destination that was removed holds its deliveries, which is reported, until their window has ended", async () => {
    const rig = await waiting();
    configure(rig);
    await rig.advance(2_000);
    expect(rig.logged.filter(([, entry]) => entry.code === "orphaned")).toHaveLength(1);
    await rig.advance(HOUR);
    expect((await rig.only()).state).toBe("waiting");
    await rig.advance(4 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired" });
  });

  it("the Retry-After of a destination that was removed holds when it comes back", async () => {
    const asks = { status: 503, retryAfter: "120" };
    const rig = createRig({ receivers: { a: ({ nth }) => (nth === 1 ? asks : { status: 200 }) } });
    await rig.accept(track());
    await rig.advance(1_000);
    configure(rig);
    configure(rig, destination("crm", ["a"]));
    await rig.accept(track());
    await rig.advance(118_000);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(HOUR);
    expect((await rig.all()).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  });

  it("a delivery that was never tried is dead after retention, if its destination was removed", async () => {
    const rig = createRig({
      destinations: [destination("crm", ["a"], { paused: true })],
      retention: { deadHours: 10 },
    });
    await rig.accept(track());
    configure(rig);
    await rig.advance(9 * HOUR);
    expect((await rig.only()).state).toBe("waiting");
    await rig.advance(2 * HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "destination-removed" });
  });

  it("a destination that was removed can be forgotten at once, one in force cannot", async () => {
    const rig = await waiting();
    expect((await rig.relay().forget(CRM))._unsafeUnwrapErr()).toEqual({ code: "destination-in-force" });
    configure(rig);
    expect((await rig.relay().forget(CRM))._unsafeUnwrap()).toBe(1);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "destination-removed" });
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 1, dead: 1 });
  });

  it("connections and integrations are not evaluated again", async () => {
    const rig = await waiting();
    configure(rig, destination("crm", ["a"], { sources: [], name: "Other" }));
    await rig.advance(HOUR);
    expect((await rig.only()).state).toBe("delivered");
  });
});

describe("connections", () => {
  const shop = "shop" as SourceId;
  const to = (id: string, name: string, ...sources: readonly SourceId[]): Destination =>
    destination(id, [name], { sources: sources.map((source) => ({ source, mode: "cloud" })) });

  it("decide where the calls of each source go, from the next call on", async () => {
    const rig = createRig({
      receivers: { a: { status: 200 }, b: { status: 200 }, c: { status: 200 } },
      sources: [shop],
      destinations: [to("crm", "a", WEBSITE, shop), to("mail", "b", shop), to("lake", "c", shop, WEBSITE)],
    });
    const goesTo = async (source: SourceId): Promise<readonly string[]> => {
      const before = rig.seen.length;
      await rig.answer(rig.relay().accept({ source, calls: [track()] }));
      await rig.advance(100);
      return rig.seen.slice(before).map((request) => request.url);
    };

    expect(await goesTo(WEBSITE)).toEqual([url("a"), url("c")]);
    expect(await goesTo(shop)).toEqual([url("a"), url("b"), url("c")]);
    configure(rig, to("crm", "a", shop), to("mail", "b", WEBSITE));
    expect(await goesTo(WEBSITE)).toEqual([url("b")]);
    expect(await goesTo(shop)).toEqual([url("a")]);
    configure(rig, to("crm", "a", shop));
    expect(await goesTo(WEBSITE)).toEqual([]);
  });
});

describe("bad settings", () => {
  it("change nothing, and every problem is returned", async () => {
    const rig = await waiting();
    const before = rig.relay().workspace();
    const bad = rig.workspace([destination("crm", []), destination("crm", ["a"], { name: "All" })]);
    const problems = rig.relay().configure(bad)._unsafeUnwrapErr();
    expect(problems.map((problem) => [problem.code, problem.path])).toEqual([
      ["no-endpoints", "destinations[0].endpoints"],
      ["reserved-name", "destinations[1].name"],
      ["duplicate-id", "destinations[1].id"],
    ]);
    expect(rig.relay().workspace()).toBe(before);
  });
});

describe("a replay", () => {
  it("delivers the same bytes again, with the present secret and a new window", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => ({ status: nth === 1 ? 422 : 200 }) } });
    const [receipt] = await rig.accept(track());
    await rig.advance(10 * HOUR);
    const old = receipt?.kind === "accepted" ? receipt.deliveries[0] : undefined;
    if (old === undefined) throw new Error("nothing was accepted");
    configure(rig, destination("crm", ["a"], { secrets: [createSecret("new")] }));
    const id = (await rig.relay().replay(old))._unsafeUnwrap();
    await rig.advance(1_000);

    const record = (await rig.relay().delivery(id))._unsafeUnwrap();
    expect(record).toMatchObject({ state: "delivered", replayOf: old, attemptCount: 1 });
    expect(rig.seen[1]?.body).toBe(rig.seen[0]?.body);
    expect(rig.seen[1]?.headers.get("X-Signature")).toBe(signBody("new", new TextEncoder().encode(rig.seen[1]?.body)));
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 2, delivered: 1, dead: 1 });
  });

  it("is refused for a delivery that is unknown, unfinished, or without its destination", async () => {
    const rig = await waiting();
    const { id } = await rig.only();
    expect((await rig.relay().replay("nobody" as typeof id))._unsafeUnwrapErr()).toEqual({ code: "not-found" });
    expect((await rig.relay().replay(id))._unsafeUnwrapErr()).toEqual({ code: "not-finished" });
    await rig.advance(HOUR);
    configure(rig);
    expect((await rig.relay().replay(id))._unsafeUnwrapErr()).toEqual({ code: "destination-removed" });
    const many = await rig.relay().replayMany({ destination: CRM });
    expect(many._unsafeUnwrapErr()).toEqual({ code: "destination-removed" });
  });

  it("in bulk takes each dead delivery once, so that a repeated request continues", async () => {
    const rig = createRig({ receivers: { a: { status: 422 } } });
    await rig.accept(...Array.from({ length: 30 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(HOUR);
    const request = { destination: CRM, reason: "refused" as const, until: rig.clock.wall(), limit: 12 };
    const answers = [];
    for (let round = 0; round < 4; round += 1) answers.push((await rig.relay().replayMany(request))._unsafeUnwrap());
    expect(answers).toEqual([
      { replayed: 12, more: true },
      { replayed: 12, more: true },
      { replayed: 6, more: false },
      { replayed: 0, more: false },
    ]);
  });
});

describe("a finished delivery", () => {
  it("is swept after its retention, which differs for delivered and dead ones; no counter goes down", async () => {
    const rig = createRig({
      receivers: { a: { status: 200 }, b: { status: 422 } },
      destinations: [destination("crm", ["a"]), destination("mail", ["b"])],
      retention: { deliveredHours: 1, deadHours: 3 },
    });
    await rig.accept(track());
    await rig.advance(0.9 * HOUR);
    expect(await rig.all()).toHaveLength(2);
    await rig.advance(0.2 * HOUR);
    expect((await rig.all()).map((record) => record.destination)).toEqual(["mail" as DestinationId]);
    await rig.advance(2 * HOUR);
    expect(await rig.all()).toHaveLength(0);
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 2, delivered: 1, dead: 1 });
  });
});

describe("stop", () => {
  it("takes no further turn and resolves once the round under way is settled", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 3_000 } } });
    await rig.accept(...Array.from({ length: 40 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(100);
    let isStopped = false;
    const stopping = rig
      .relay()
      .stop()
      .then(() => (isStopped = true));
    await rig.advance(1_000);
    expect(isStopped).toBe(false);
    await rig.advance(3_000);
    await stopping;

    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ delivered: 32, waiting: 8, claimed: 0 });
    expect(rig.clock.nextTimerAt()).toBeUndefined();
    const after = await rig.relay().accept({ source: WEBSITE, calls: [track()] });
    expect(after._unsafeUnwrapErr()).toEqual({ code: "stopped" });
  });

  it("releases, untried, the deliveries of a claim that was out meanwhile", async () => {
    const rig = createRig({ wrapStore: slowClaims, destinations: [destination("crm", ["a"], { paused: true })] });
    await rig.accept(track());
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    const stopping = rig.relay().stop();
    await rig.advance(100);
    await stopping;
    expect(rig.seen).toHaveLength(0);
    expect(await rig.only()).toMatchObject({ state: "waiting", attemptCount: 0 });
  });

  it("writes the counts that have not been written yet", async () => {
    const rig = createRig();
    await rig.accept({ type: "track" });
    const stopping = rig.relay().stop();
    await rig.advance(10);
    await stopping;
    rig.restart();
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ refused: 1 });
  });
});

describe("observers and loggers", () => {
  it("get every event, and cause no harm by throwing", async () => {
    const rig = createRig({
      relay: {
        observe: () => {
          throw new Error("an observer's bug");
        },
      },
    });
    await rig.accept(track());
    await rig.advance(100);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("get the same fault a few times, then the number of times that it was left out", async () => {
    const rig = createRig({ receivers: { a: { status: 422, afterMs: 1 } } });
    await rig.accept(...Array.from({ length: 30 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(11_000);
    await rig.accept(track({ messageId: "later" }));
    await rig.advance(100);

    const dead = rig.logged.filter(([, entry]) => entry.code === "dead-refused");
    expect(dead).toHaveLength(12);
    expect(dead.at(-2)).toEqual(["error", { code: "dead-refused", destination: "crm", suppressed: 20 }]);
    expect(dead.at(-1)).toMatchObject(["error", { destination: "crm", detail: "422" }]);
  });

  it("get refused calls by code and source, without their contents", async () => {
    const rig = createRig();
    await rig.accept(...Array.from({ length: 30 }, () => ({ type: "track", userId: "CANARY" })));
    await rig.advance(11_000);
    await rig.accept(track());
    const refused = rig.logged.filter(([, entry]) => entry.code === "call-no-event");
    expect(refused).toHaveLength(11);
    expect(refused[0]).toEqual(["warning", { code: "call-no-event", source: "website" }]);
    expect(refused.at(-1)).toEqual(["warning", { code: "call-no-event", source: "website", suppressed: 20 }]);
    expect(JSON.stringify(rig.logged)).not.toContain("CANARY");
  });

  it("get one report of fields that a kind of call does not have", async () => {
    const rig = createRig();
    await rig.accept(track({ traits: { plan: "pro" } }), track({ traits: { plan: "pro" } }), track({ traits: {} }));
    await rig.accept({ type: "identify", userId: "u1", traits: { a: 1 }, properties: { plan: "pro" } });
    const lines = rig.logged.map(([, { code, source, detail }]) => [code, source, detail]);
    expect(lines).toEqual([
      ["ignored-field", "website", "track calls have no traits: they are dropped"],
      ["ignored-field", "website", "identify calls have no properties: they are dropped"],
    ]);
  });

  it("get a report of the key for all in another case, which stays the name of a destination", async () => {
    const rig = createRig();
    await rig.accept(track({ integrations: { all: false } }), track({ integrations: { All: true, all: false } }));
    await rig.advance(100);
    expect(rig.logged.map(([, { code, source }]) => [code, source])).toEqual([["all-in-another-case", "website"]]);
    expect((await rig.relay().stats())._unsafeUnwrap()).toMatchObject({ delivered: 2, filtered: 0 });
  });

  it("get an endpoint without the values of its query", async () => {
    const endpoints = [{ url: "https://a.example/hook?key=hidden", headers: [] }];
    const rig = createRig({
      receivers: { a: { fault: "self-signed" } },
      destinations: [destination("crm", [], { endpoints })],
    });
    await rig.accept(track());
    await rig.advance(100);
    expect(rig.logged[0]).toMatchObject([
      "warning",
      { code: "self-signed", endpoint: "https://a.example/hook?key=***" },
    ]);
    expect(JSON.stringify(rig.logged)).not.toContain("hidden");
  });
});

import { type EndpointId, type EpochMs, type Reply, signBody, verifyStandardWebhook } from "@postrider/core";
import { MAX_LANE_IN_FLIGHT, webhookId } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { SECRET } from "../canary.js";
import { createRig, CRM, destination, HOUR, offsets, type Receiver, track, url, verdicts, WEBSITE } from "./rig.js";

const OK: Reply = { kind: "answered", status: 200, afterMs: 0, excerpt: new Uint8Array() };

describe("a round", () => {
  it("posts the signed message to every endpoint at once", async () => {
    const rig = createRig({ receivers: { a: { status: 200 }, b: { status: 200 }, c: { status: 200 } } });
    await rig.accept(track());
    await rig.advance(0);

    expect(rig.seen.map((one) => one.url)).toEqual([url("a"), url("b"), url("c")]);
    expect(new Set(rig.seen.map((one) => one.body)).size).toBe(1);
    const [first] = rig.seen;
    expect(first?.headers.get("X-Signature")).toBe(signBody(SECRET, new TextEncoder().encode(first?.body)));
    expect(first?.headers.get("User-Agent")).toBe("Postrider/1.0");
  });

  it("is delivered at its first success; attempts still open are recorded and change nothing", async () => {
    const rig = createRig({ receivers: { a: { status: 503 }, b: "silent", c: { status: 204, afterMs: 20 } } });
    await rig.accept(track());
    await rig.advance(100);
    expect(await rig.only()).toMatchObject({ state: "delivered", detail: "204", attemptCount: 2 });

    await rig.advance(5 * HOUR);
    const record = await rig.only();
    expect(verdicts(record.attempts)).toEqual(["a 503 retry", "b timeout retry", "c 204 success"]);
    expect(record.attempts.map((attempt) => attempt.durationMs)).toEqual([10, 5_000, 20]);
    expect(record.state).toBe("delivered");
    expect(rig.seen).toHaveLength(3);
  });

  it("ends its delivery at once when every endpoint refuses its body", async () => {
    const rig = createRig({ receivers: { a: { status: 413 }, b: { status: 422 } } });
    await rig.accept(track());
    await rig.advance(5 * HOUR);

    expect(await rig.only()).toMatchObject({ state: "dead", reason: "refused", detail: "422" });
    expect(rig.seen).toHaveLength(2);
  });

  it("leaves out an endpoint that has refused for good, and goes on with the others", async () => {
    const rig = createRig({ receivers: { a: { status: 422 }, b: ({ nth }) => ({ status: nth < 4 ? 503 : 200 }) } });
    await rig.accept(track());
    await rig.advance(HOUR);

    expect((await rig.only()).state).toBe("delivered");
    expect(rig.seen.filter((one) => one.url === url("a"))).toHaveLength(1);
    expect(rig.seen.filter((one) => one.url === url("b"))).toHaveLength(4);
  });

  it("carries the same bytes every time, and keeps the latest failed answer of each endpoint", async () => {
    const rig = createRig({
      receivers: { a: ({ nth }) => (nth < 3 ? { status: 500, body: `no ${String(nth)}` } : { status: 200 }) },
    });
    await rig.accept(track({ properties: { plan: "pro", "2": 1, "1": -0 } }));
    await rig.advance(HOUR);

    expect(rig.seen).toHaveLength(3);
    expect(new Set(rig.seen.map((one) => one.body)).size).toBe(1);
    const { endpoints } = await rig.only();
    expect(new TextDecoder().decode(endpoints[0]?.excerpt)).toBe("no 2");
  });
});

describe("a destination that wants Standard Webhooks", () => {
  it("gets the same id on every attempt, and the time of each", async () => {
    const rig = createRig({
      receivers: { a: ({ nth }) => ({ status: nth < 3 ? 503 : 200 }) },
      destinations: [destination("crm", ["a"], { standardWebhooks: true })],
    });
    await rig.accept(track());
    await rig.advance(HOUR);

    const ids = rig.seen.map((one) => one.headers.get("webhook-id"));
    expect(new Set(ids)).toEqual(new Set([webhookId(WEBSITE, (await rig.only()).messageId)]));
    const times = rig.seen.map((one) => one.headers.get("webhook-timestamp"));
    expect(times).toEqual(rig.seen.map((one) => String(Math.floor(one.at / 1_000))));
    const [first] = rig.seen;
    const headers = {
      id: first?.headers.get("webhook-id"),
      timestamp: first?.headers.get("webhook-timestamp"),
      signature: first?.headers.get("webhook-signature"),
    };
    const body = new TextEncoder().encode(first?.body);
    const at = first?.at ?? (0 as EpochMs);
    expect(verifyStandardWebhook([SECRET], body, headers, at)).toEqual({ kind: "valid" });
  });
});

describe("a receiver that stays down", () => {
  it("gets at least twelve rounds over four hours, and nothing after them", async () => {
    const rig = createRig({ receivers: { a: { status: 503 } } });
    await rig.accept(track());
    await rig.advance(6 * HOUR);

    const record = await rig.only();
    expect(record).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
    expect(rig.seen.length).toBeGreaterThanOrEqual(12);
    const last = offsets(rig.seen).at(-1) ?? 0;
    expect(last).toBeLessThanOrEqual(4 * HOUR);
    expect(last).toBeGreaterThan(4 * HOUR * 0.99);
    expect(record.attempts.map((attempt) => attempt.round)).toEqual(rig.seen.map((_, index) => index + 1));
  });

  it("gets its message when it comes back just before the window ends", async () => {
    const rig = createRig({
      receivers: { a: ({ at }) => ({ status: at - start < 3.983 * HOUR ? 503 : 200 }) },
    });
    const start = rig.clock.wall();
    await rig.accept(track());
    await rig.advance(5 * HOUR);
    expect((await rig.only()).state).toBe("delivered");
  });

  it("loses nothing: a thousand calls wait through a four-hour outage and all arrive", async () => {
    const rig = createRig({ receivers: { a: ({ at }) => ({ status: at - start < 3.9 * HOUR ? 503 : 200 }) } });
    const start = rig.clock.wall();
    for (let batch = 0; batch < 10; batch += 1) {
      await rig.accept(
        ...Array.from({ length: 100 }, (_, index) => track({ messageId: `m${String(batch)}-${String(index)}` })),
      );
    }
    await rig.advance(4.1 * HOUR);

    const states = (await rig.all()).map((record) => record.state);
    expect(new Set(states)).toEqual(new Set(["delivered"]));
    expect(states).toHaveLength(1_000);
  });

  it("gets a delivery that was never tried, however old it is", async () => {
    const rig = createRig({ receivers: { a: { status: 200 } } });
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"], { paused: true })]))
      ._unsafeUnwrap();
    await rig.accept(track());
    await rig.advance(30 * HOUR);
    expect((await rig.only()).state).toBe("waiting");

    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    await rig.advance(1_000);
    expect((await rig.only()).state).toBe("delivered");
  });
});

describe("Retry-After", () => {
  it("holds its endpoint, while the others get attempts as usual", async () => {
    const rig = createRig({
      receivers: { a: { status: 503, retryAfter: "120" }, b: { status: 503 } },
    });
    await rig.accept(track());
    await rig.advance(119_000);
    expect(rig.seen.filter((one) => one.url === url("a"))).toHaveLength(1);
    expect(rig.seen.filter((one) => one.url === url("b")).length).toBeGreaterThan(3);

    await rig.advance(2 * HOUR);
    expect(rig.seen.filter((one) => one.url === url("a")).length).toBeGreaterThan(1);
  });

  it("holds later deliveries of that endpoint too, the never-tried ones included", async () => {
    const rig = createRig({
      receivers: { a: ({ nth }) => (nth === 1 ? { status: 429, retryAfter: "60" } : { status: 200 }) },
    });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(58_000);
    expect(rig.seen).toHaveLength(1);

    await rig.advance(22_000);
    expect((await rig.all()).map((record) => record.state)).toEqual(["delivered", "delivered"]);
  });

  it("is heeded for at most five minutes and a fifth: then all waiting deliveries go out, untried ones too", async () => {
    const asks: Receiver = ({ nth }) => (nth === 1 ? { status: 503, retryAfter: "1000000000" } : { status: 200 });
    const rig = createRig({ receivers: { a: asks } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(298_000);
    expect(rig.seen).toHaveLength(1);
    await rig.advance(63_000);
    expect((await rig.all()).map((record) => record.state)).toEqual(["delivered", "delivered"]);
  });

  it("of many endpoints that ask for the same time ends at different times", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const asks: Receiver = ({ nth }) => (nth === 1 ? { status: 503, retryAfter: "100" } : { status: 200 });
    const rig = createRig({
      receivers: Object.fromEntries(names.map((name) => [name, asks])),
      destinations: names.map((name) => destination(name, [name])),
    });
    await rig.accept(track());
    await rig.advance(130_000);
    const again = rig.seen.slice(names.length).map(({ at }) => at);
    expect(new Set(again).size).toBe(names.length);
    expect(Math.max(...again) - Math.min(...again)).toBeGreaterThan(2_000);
  });

  it("never outlasts the window, even if a policy lets it last that long", async () => {
    const rig = createRig({
      receivers: { a: { status: 503, retryAfter: "1000000" } },
      delivery: { maxRetryAfterMs: 24 * HOUR },
    });
    await rig.accept(track());
    await rig.advance(6 * HOUR);

    expect(rig.seen).toHaveLength(2);
    expect(offsets(rig.seen)[1]).toBeGreaterThan(4 * HOUR * 0.99);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired" });
  });
});

describe("a local fault", () => {
  it("uses no round, starts no window and is reported", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => (nth < 5 ? { fault: "local" } : { status: 200 }) } });
    await rig.accept(track());
    await rig.advance(30_000);

    expect(offsets(rig.seen).map((ms) => Math.round(ms / 1_000))).toEqual([0, 1, 3, 7, 15]);
    const record = await rig.only();
    expect(verdicts(record.attempts)).toEqual(["a 200 success"]);
    expect(record.attempts[0]?.round).toBe(1);
    expect(rig.logged.map(([, entry]) => entry.code)).toContain("local-fault");
  });

  it("is left out of a round in which other endpoints had attempts", async () => {
    const rig = createRig({
      receivers: { a: { fault: "local" }, b: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) },
    });
    await rig.accept(track());
    await rig.advance(1_000);
    expect(verdicts((await rig.only()).attempts)).toEqual(["b 503 retry"]);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("a bug"))],
    [
      "throws",
      () => {
        throw new Error("a bug");
      },
    ],
  ])("is the fault of an HTTP port that %s", async (_, send) => {
    const rig = createRig({ relay: { http: { send } } });
    await rig.accept(track());
    await rig.advance(1_000);
    expect(await rig.only()).toMatchObject({ state: "waiting", attemptCount: 0 });
  });

  it("is the fault of an HTTP port that never answers, a second after its timeout: no slot is lost by it", async () => {
    let sentCount = 0;
    const send = (): Promise<Reply> => {
      sentCount += 1;
      return sentCount <= 64 ? new Promise<never>(() => undefined) : Promise.resolve(OK);
    };
    const rig = createRig({ relay: { http: { send } } });
    await rig.accept(...Array.from({ length: 64 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(5_999);
    expect(sentCount).toBe(32);
    await rig.advance(60_000);
    expect((await rig.all()).every((one) => one.state === "delivered")).toBe(true);
    expect(sentCount).toBe(128);
  });
});

describe("a crash", () => {
  it("in the middle of a round makes that round not count: it is repeated once the lease has ended", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => (nth === 1 ? "silent" : { status: 200 }) } });
    await rig.accept(track());
    await rig.advance(1_000);
    rig.crash();
    rig.restart();
    await rig.advance(28_000);
    expect((await rig.only()).state).toBe("claimed");

    await rig.advance(3_000);
    const record = await rig.only();
    expect(record.state).toBe("delivered");
    expect(verdicts(record.attempts)).toEqual(["a 200 success"]);
    expect(new Set(rig.seen.map((one) => one.body)).size).toBe(1);
  });

  it("right after a success was recorded, while another attempt hangs, sends nothing again", async () => {
    const rig = createRig({ receivers: { a: { status: 503 }, b: "silent", c: { status: 204 } } });
    await rig.accept(track());
    await rig.advance(1_000);
    rig.crash();
    rig.restart();
    await rig.advance(5 * HOUR);

    expect((await rig.only()).state).toBe("delivered");
    expect(rig.seen).toHaveLength(3);
  });

  it("leaves the window where it was", async () => {
    const rig = createRig({ receivers: { a: { status: 503 } } });
    await rig.accept(track());
    for (let hour = 0; hour < 5; hour += 1) {
      await rig.advance(HOUR);
      rig.crash();
      rig.restart();
    }
    await rig.advance(HOUR);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired" });
    expect(offsets(rig.seen).at(-1)).toBeLessThanOrEqual(4 * HOUR);
  });
});

describe("a slow destination", () => {
  it("does not hold up another one", async () => {
    const rig = createRig({
      receivers: { a: "silent", b: { status: 200 } },
      destinations: [destination("hung", ["a"]), destination("well", ["b"])],
    });
    await rig.accept(...Array.from({ length: 200 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(500);
    expect(rig.seen.filter((one) => one.url === url("b"))).toHaveLength(200);
    expect(rig.seen.filter((one) => one.url === url("a"))).toHaveLength(32);
  });

  it("gets rounds without an endpoint that hangs, once too many attempts of that endpoint are open", async () => {
    const rig = createRig({ receivers: { a: "silent", b: { status: 200 } } });
    await rig.accept(...Array.from({ length: 2_000 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(1_000);
    expect(rig.seen.filter((one) => one.url === url("b"))).toHaveLength(2_000);
    const hung = rig.seen.filter((one) => one.url === url("a")).length;
    expect(hung).toBeGreaterThanOrEqual(64);
    expect(hung).toBeLessThanOrEqual(MAX_LANE_IN_FLIGHT);
  });
});

describe("a step of the wall clock", () => {
  it("expires nothing that was never tried, and causes no burst", async () => {
    const rig = createRig({ receivers: { a: { status: 200 } } });
    rig.clock.stepWall(5 * HOUR);
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(1_000);
    expect((await rig.only()).state).toBe("delivered");
    expect(rig.seen).toHaveLength(1);
  });
});

describe("the endpoint of a delivery", () => {
  it("is its normalised URL, and an attempt says which", async () => {
    const rig = createRig({ receivers: { a: { status: 200 } } });
    await rig.accept(track());
    await rig.advance(100);
    const { attempts, destination: lane } = await rig.only();
    expect(lane).toBe(CRM);
    expect(attempts[0]?.endpoint).toBe(url("a") as EndpointId);
    expect(attempts[0]?.startedAt).toBe(rig.seen[0]?.at as EpochMs);
  });
});

// Spans of events that come in any order, more of them than are remembered, and of a tracer that fails.

import type { AttemptRecord, DeliveryId, DestinationId, EndpointId, EpochMs, Receipt, SourceId } from "@postrider/core";
import type { Arrival, Relay, RelayEvent } from "@postrider/relay";
import { createTracing } from "@postrider/relay/metrics";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { MAX_ENDED_ROUNDS, MAX_OPEN_ROUNDS } from "../../../packages/relay/src/metrics/limits.js";
import { fakeTracing } from "./fake-tracer.js";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const LINK = { context: { traceId: TRACEPARENT.slice(3, 35), spanId: TRACEPARENT.slice(36, 52), traceFlags: 1 } };
const AT = 1_763_724_404_000 as EpochMs;

function facts(id: number, changes: object = {}) {
  const delivery = String(id) as DeliveryId;
  const [destination, source] = ["crm" as DestinationId, "site" as SourceId];
  const about = {
    delivery,
    destination,
    source,
    type: "track",
    messageId: `m-${String(id)}`,
    acceptedAt: AT,
    at: AT,
  } as const;
  return { ...about, rounds: 0, traceparent: TRACEPARENT, ...changes };
}

function attempted(id: number, isLate = false, changes: object = {}): RelayEvent {
  const attempt: AttemptRecord = {
    round: 1,
    endpoint: "https://a.example/hook" as EndpointId,
    startedAt: AT,
    durationMs: 5,
    result: { kind: "answered", status: 200 },
    verdict: "success",
  };
  return { kind: "attempted", attempt: { ...attempt, ...changes }, isLate, ...facts(id) };
}

function delivered(id: number): RelayEvent {
  return { kind: "delivered", detail: "200", ...facts(id) };
}

function released(id: number): RelayEvent {
  return { kind: "released", dueAt: AT, ...facts(id) };
}

type AcceptAnswer = ReturnType<Relay["accept"]>;

function later(ms: number): EpochMs {
  return (AT + ms) as EpochMs;
}

function named(spans: readonly { readonly name: string }[], name: string): number {
  return spans.filter((span) => span.name === name).length;
}

describe("the spans of a round", () => {
  it("are made when it ends, and not before", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1));
    expect(spans).toEqual([]);
    observe(delivered(1));
    expect(spans.map(({ name, isEnded }) => [name, isEnded])).toEqual([
      ["process crm", true],
      ["POST", true],
    ]);
    expect(spans[1]!.parent).toBe(spans[0]);
  });

  it("are not made for a delivery whose call has no span", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    for (const event of [attempted(1), delivered(1)]) {
      const others = Object.entries(event).filter(([key]) => key !== "traceparent");
      observe(Object.fromEntries(others) as unknown as RelayEvent);
    }
    observe({ kind: "configured", at: AT });
    expect(spans).toEqual([]);
  });

  it("are not made for a claim that was released without a round", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(released(1));
    expect(spans).toEqual([]);
    observe({ kind: "local-fault", ...facts(1) });
    observe(released(1));
    expect(spans.map(({ name }) => name)).toEqual(["process crm"]);
  });

  it("say that a settlement had no effect", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1));
    observe({ kind: "stale", ...facts(1) });
    expect(spans[0]!.attributes).toMatchObject({ "postrider.outcome": "stale" });
  });

  it("say of which message they are, what came of it, and when", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe({ ...attempted(1, false, { round: 3, startedAt: AT + 1_250, durationMs: 500 }), rounds: 2 } as RelayEvent);
    observe({ kind: "delivered", detail: "200", ...facts(1, { rounds: 2, at: AT + 1_800 }) });
    const [round, attempt] = spans;
    const scope = "@postrider/relay/metrics";
    const [seconds, nanoseconds] = [AT / 1_000, 250_000_000];
    expect(round).toMatchObject({
      scope,
      kind: 4,
      links: [LINK],
      hasFailed: false,
      startTime: [seconds + 1, nanoseconds],
    });
    expect(round?.endTime).toEqual([seconds + 1, 800_000_000]);
    expect(round?.attributes).toEqual({
      "messaging.system": "postrider",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.destination.name": "crm",
      "messaging.message.id": "m-1",
      "postrider.source": "site",
      "postrider.delivery.id": "1",
      "postrider.round": 3,
      "postrider.outcome": "delivered",
    });
    expect(attempt).toMatchObject({
      scope,
      kind: 2,
      links: [],
      hasFailed: false,
      startTime: [seconds + 1, nanoseconds],
    });
    expect(attempt?.endTime).toEqual([seconds + 1, 750_000_000]);
    expect(attempt?.attributes).toEqual({
      "http.request.method": "POST",
      "http.request.resend_count": 2,
      "url.full": "https://a.example/hook",
      "server.address": "a.example",
      "server.port": 443,
      "http.response.status_code": 200,
      "postrider.delivery.id": "1",
      "postrider.verdict": "success",
    });
  });

  it.each<[RelayEvent, object, boolean]>([
    [
      { kind: "rescheduled", detail: "503", dueAt: later(7), ...facts(1) },
      { "error.type": "503", "postrider.due_in_ms": 7 },
      true,
    ],
    [{ kind: "released", dueAt: later(9), ...facts(1) }, { "postrider.due_in_ms": 9 }, false],
    [
      { kind: "died", reason: "refused", detail: "422", ...facts(1) },
      { "error.type": "422", "postrider.reason": "refused" },
      true,
    ],
    [
      { kind: "died", reason: "purged", detail: null, ...facts(1) },
      { "error.type": "purged", "postrider.reason": "purged" },
      true,
    ],
    [{ kind: "stale", ...facts(1) }, {}, false],
  ])("say why a round of %j did not deliver", (event, attributes, hasFailed) => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1));
    observe(event);
    expect(spans[0]).toMatchObject({ attributes: { "postrider.outcome": event.kind, ...attributes }, hasFailed });
    const reasons = ["error.type", "postrider.due_in_ms", "postrider.reason"];
    expect(Object.keys(spans[0]!.attributes).filter((name) => reasons.includes(name))).toEqual(Object.keys(attributes));
  });

  it.each<[Partial<AttemptRecord>, object, boolean]>([
    [
      { result: { kind: "answered", status: 503 }, verdict: "retry" },
      { "http.response.status_code": 503, "error.type": "503" },
      true,
    ],
    [{ result: { kind: "silent", fault: "timeout" }, verdict: "retry" }, { "error.type": "timeout" }, true],
    [{ result: { kind: "answered", status: 204 } }, { "http.response.status_code": 204 }, false],
  ])("say what the receiver answered to an attempt: %j", (changes, attributes, hasFailed) => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1, false, changes));
    observe(delivered(1));
    expect(spans[1]).toMatchObject({ attributes, hasFailed });
    const results = ["http.response.status_code", "error.type"];
    expect(Object.keys(spans[1]!.attributes).filter((name) => results.includes(name))).toEqual(Object.keys(attributes));
  });

  it("have no link if the store has returned something else", () => {
    const { api, spans } = fakeTracing();
    createTracing(api).observe({ kind: "delivered", detail: "200", ...facts(1, { traceparent: "nonsense" }) });
    expect(spans[0]!.links).toEqual([]);
  });

  it("stop at the round if that is not recorded", () => {
    const { api, spans } = fakeTracing("ignores");
    const { observe } = createTracing(api);
    observe(attempted(1));
    observe(delivered(1));
    expect(spans.map(({ name }) => name)).toEqual(["process crm"]);
  });

  it.each([
    ["http://[::1]:8080/hook?key=1", "http://[::1]:8080/hook", "::1", 8080],
    ["http://user:word@b.example/", "http://b.example/", "b.example", 80],
    ["https://c.example/a/b", "https://c.example/a/b", "c.example", 443],
  ])("show of the endpoint %s its address, port and path", (endpoint, full, address, port) => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1, false, { endpoint }));
    observe(delivered(1));
    expect(spans[1]!.attributes).toMatchObject({ "url.full": full, "server.address": address, "server.port": port });
  });
});

describe("a late attempt", () => {
  it("is below its round, whether it ends before the round is settled or after", () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    observe(attempted(1));
    observe(attempted(1, true));
    observe(delivered(1));
    observe(attempted(1, true));
    expect(spans.map(({ parent }) => parent)).toEqual([undefined, spans[0], spans[0], spans[0]]);
  });

  it(`stands alone, with the link of its round, after ${String(MAX_ENDED_ROUNDS)} further rounds`, () => {
    const { api, spans } = fakeTracing();
    const { observe } = createTracing(api);
    for (let id = 0; id <= MAX_ENDED_ROUNDS; id += 1) observe(delivered(id));
    const before = spans.length;
    observe(attempted(0, true));
    observe(attempted(1, true));
    const [forgotten, known] = spans.slice(before);
    expect(forgotten).toMatchObject({ parent: undefined, links: [LINK], attributes: { "postrider.late": true } });
    expect(known).toMatchObject({ parent: spans[1], links: [] });
  });
});

it(`keeps ${String(MAX_OPEN_ROUNDS)} open rounds, and counts those that it drops`, () => {
  const { api, spans } = fakeTracing();
  const { observe, dropped } = createTracing(api);
  for (let id = 0; id < MAX_OPEN_ROUNDS; id += 1) observe(attempted(id));
  expect(dropped()).toBe(0);
  observe(attempted(MAX_OPEN_ROUNDS));
  expect(dropped()).toBe(1);
  for (let id = 0; id <= MAX_OPEN_ROUNDS; id += 1) observe(delivered(id));
  expect(named(spans, "process crm")).toBe(MAX_OPEN_ROUNDS + 1);
  expect(named(spans, "POST")).toBe(MAX_OPEN_ROUNDS);
});

describe("the span of an arrival", () => {
  const arrival: Arrival = { source: "site" as SourceId, calls: [{}] };

  function acceptWith(how: Parameters<typeof fakeTracing>[0], given = arrival) {
    const { api, spans } = fakeTracing(how);
    const seen: Arrival[] = [];
    const relay: Pick<Relay, "accept"> = {
      accept: (one) => {
        seen.push(one);
        return okAsync([]);
      },
    };
    return { answered: createTracing(api).wrap(relay).accept(given), seen, spans };
  }

  it("goes with the calls as a traceparent", async () => {
    const { answered, seen, spans } = acceptWith("records");
    expect((await answered).isOk()).toBe(true);
    expect(seen).toEqual([{ ...arrival, traceparent: `00-${"a".repeat(31)}1-${"b".repeat(15)}1-01` }]);
    expect(spans).toMatchObject([{ name: "send postrider", kind: 3, isEnded: true, hasFailed: false }]);
    expect(spans[0]?.attributes).toEqual({
      "messaging.system": "postrider",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.batch.message_count": 1,
      "postrider.source": "site",
    });
  });

  it("counts its calls by what came of them, or says why they were not stored", async () => {
    const { api, spans } = fakeTracing();
    const kinds = ["accepted", "refused", "accepted"];
    const receipts = kinds.map((kind) => ({ kind })) as unknown as readonly Receipt[];
    const tracing = createTracing(api);
    const answers: readonly AcceptAnswer[] = [okAsync(receipts), errAsync({ code: "stopped" })];
    for (const answer of answers) {
      const relay: Pick<Relay, "accept"> = { accept: () => answer };
      expect(await tracing.wrap(relay).accept(arrival)).toEqual(await answer);
    }
    expect(spans).toMatchObject([
      { attributes: { "postrider.calls.accepted": 2, "postrider.calls.refused": 1 }, isEnded: true, hasFailed: false },
      { attributes: { "error.type": "stopped" }, isEnded: true, hasFailed: true },
    ]);
  });

  it("changes nothing if it is not recorded: a traceparent of the host stays", async () => {
    const given = { ...arrival, traceparent: TRACEPARENT };
    const { answered, seen } = acceptWith("ignores", given);
    expect((await answered).isOk()).toBe(true);
    expect(seen[0]).toBe(given);
  });

  it.each(["throws", "throws-later"] as const)("has no effect on the calls if the tracer %s", async (how) => {
    const { answered, seen } = acceptWith(how);
    expect((await answered).isOk()).toBe(true);
    expect(seen).toHaveLength(1);
  });
});

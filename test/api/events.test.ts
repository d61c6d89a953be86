import { createRecentEvents } from "@postrider/http/api";
import { createSecret, type DeliveryId, type DestinationId, type EpochMs, type SourceId } from "@postrider/core";
import type { Answer } from "@postrider/http";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  EVENT_KINDS,
  eventJson,
  EVENTS_GATHERED_MS,
  EVENTS_KEPT_MS,
  EVENTS_PIECE_LENGTH,
  HEARTBEAT_MS,
  MAX_EVENT_LENGTH,
  MAX_EVENT_READERS,
  MAX_RECENT_EVENTS,
} from "../../packages/http/src/api/events/event-json.js";
import { TOKEN } from "../canary.js";
import { request } from "../http/request.js";
import "../property.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { createReader, type Frame, framesIn } from "./event-reader.js";
import { EVENT_SAMPLES } from "./event-samples.js";
import { BEARER, createRig } from "./rig.js";

const WEBSITE = "website" as SourceId;

function world() {
  const clock = createManualClock();
  const events = createRecentEvents(clock);
  const duplicate = (messageId: string): void =>
    events.observe({ kind: "duplicate", at: clock.wall(), source: WEBSITE, messageId });
  return { clock, events, duplicate };
}

const messageIdsIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ data }) => (data?.["messageId"] === undefined ? [] : [data["messageId"]]));

describe("a reader of events", () => {
  it("is told of each event from then on, within a moment", async () => {
    const { clock, events, duplicate } = world();
    duplicate("before");
    const reader = createReader(events);
    const id = String(events.startedAt);
    expect(await reader.next()).toBe(`retry: 2000\nid: ${id}-1\n\n`);
    const next = reader.next();
    duplicate("m1");
    duplicate("m2");
    await clock.advance(EVENTS_GATHERED_MS);
    const frames = framesIn((await next) ?? "");
    expect(frames.map((frame) => [frame.id, frame.event])).toEqual([
      [`${id}-2`, "duplicate"],
      [`${id}-3`, "duplicate"],
    ]);
    expect(messageIdsIn(frames)).toEqual(["m1", "m2"]);
    await reader.leave();
  });

  it("goes on after the event whose id it shows, without another and without the same twice", async () => {
    const { events, duplicate } = world();
    const reader = createReader(events);
    await reader.next();
    for (const messageId of ["m1", "m2", "m3"]) duplicate(messageId);
    const [first] = framesIn((await reader.next()) ?? "");
    await reader.leave();
    duplicate("m4");
    const again = createReader(events, { lastId: first!.id });
    await again.next();
    expect(messageIdsIn(framesIn((await again.next()) ?? ""))).toEqual(["m2", "m3", "m4"]);
    await again.leave();
  });

  it.each(["1-1", "nonsense", "", "99999999999999999999-1"])(
    "is told that it has missed an unknown number of events if it shows %j",
    async (lastId) => {
      const { events, duplicate } = world();
      duplicate("m1");
      const reader = createReader(events, { lastId });
      expect(framesIn((await reader.next()) ?? "").at(-1)).toEqual({
        id: undefined,
        event: "dropped",
        data: { kind: "dropped", events: null },
      });
      await reader.leave();
    },
  );

  it("misses nothing that it is not told of, however slowly it reads, and is told in order", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_000 }).map((count) => ({ kind: "events" as const, count })) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map((count) => ({ kind: "reads" as const, count })) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { events, duplicate } = world();
        const reader = createReader(events);
        await reader.next();
        let happened = 0;
        let told = 0;
        const read = async (): Promise<void> => {
          for (const frame of framesIn((await reader.next()) ?? "")) {
            if (frame.event === "dropped") told += Number(frame.data?.["events"]);
            else expect(frame.data?.["messageId"]).toBe(String((told += 1)));
          }
        };
        for (const { kind, count } of steps) {
          if (kind === "events") for (let left = count; left > 0; left -= 1) duplicate(String((happened += 1)));
          else for (let left = count; left > 0 && told < happened; left -= 1) await read();
        }
        while (told < happened) await read();
        expect(told).toBe(happened);
        await reader.leave();
      }),
      { numRuns: 30 },
    );
  });

  it("gets pieces of a bounded length, and no event that is longer than its bound", async () => {
    const { clock, events } = world();
    const reader = createReader(events);
    await reader.next();
    const messageId = "m".repeat(MAX_EVENT_LENGTH - 200);
    for (let count = 0; count < 20; count += 1)
      events.observe({ kind: "duplicate", at: clock.wall(), source: WEBSITE, messageId });
    events.observe({ kind: "duplicate", at: clock.wall(), source: WEBSITE, messageId: messageId + messageId });
    const pieces: string[] = [];
    while (framesIn(pieces.join("")).length < 21) pieces.push((await reader.next()) ?? "");
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(EVENTS_PIECE_LENGTH + 2 * MAX_EVENT_LENGTH);
    expect(pieces.length).toBeGreaterThan(5);
    const at = "2026-01-01T00:00:00.000Z";
    expect(framesIn(pieces.join("")).at(-1)?.data).toEqual({ kind: "duplicate", at, cut: true });
    await reader.leave();
  });

  it("gets a comment, and the latest id, where nothing happens that it wants", async () => {
    const { clock, events, duplicate } = world();
    const reader = createReader(events, { isWanted: ({ kind }) => kind === "died" });
    await reader.next();
    const next = reader.next();
    duplicate("m1");
    await clock.advance(HEARTBEAT_MS + EVENTS_GATHERED_MS);
    expect(await next).toBe(`: still here\nid: ${String(events.startedAt)}-1\n\n`);
    await reader.leave();
  });

  it("ends when the caller leaves, even while nothing happens, and sets no further timer", async () => {
    const { clock, events, duplicate } = world();
    const reader = createReader(events);
    await reader.next();
    const next = reader.next();
    await reader.leave();
    expect(await next).toBeUndefined();
    duplicate("m1");
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("finds what happened while it was away for a minute; later, nothing is remembered", async () => {
    const { clock, events, duplicate } = world();
    const reader = createReader(events);
    await reader.next();
    await reader.leave();
    const lastId = `${String(events.startedAt)}-0`;
    await clock.advance(EVENTS_KEPT_MS);
    duplicate("m1");
    const again = createReader(events, { lastId });
    await again.next();
    expect(messageIdsIn(framesIn((await again.next()) ?? ""))).toEqual(["m1"]);
    await again.leave();
    await clock.advance(EVENTS_KEPT_MS + 1);
    duplicate("m2");
    expect(events.after(0, 10)).toEqual({ events: [], dropped: 2 });
  });

  it("is told once of what it missed while nothing was remembered, and goes on from there", async () => {
    const { clock, events, duplicate } = world();
    for (const messageId of ["m1", "m2", "m3"]) duplicate(messageId);
    const reader = createReader(events, { lastId: `${String(events.startedAt)}-1` });
    await reader.next();
    expect(framesIn((await reader.next()) ?? "")).toMatchObject([{ event: "dropped", data: { events: 2 } }]);
    const next = reader.next();
    duplicate("m4");
    await clock.advance(EVENTS_GATHERED_MS);
    const frames = framesIn((await next) ?? "");
    expect(frames.map(({ event }) => event)).toEqual(["duplicate"]);
    expect(messageIdsIn(frames)).toEqual(["m4"]);
    await reader.leave();
  });
});

describe("the memory of events", () => {
  it("is empty without a reader, and holds the latest otherwise", () => {
    const { events, duplicate } = world();
    for (let count = 0; count < 10; count += 1) duplicate("m");
    expect(events.after(0, 100)).toEqual({ events: [], dropped: 10 });
    const leave = events.join();
    for (let count = 0; count < MAX_RECENT_EVENTS + 5; count += 1) duplicate("m");
    const page = events.after(10, 2 * MAX_RECENT_EVENTS);
    expect([page.events.length, page.dropped]).toEqual([MAX_RECENT_EVENTS, 5]);
    leave();
  });

  it("counts no measurement", () => {
    const { clock, events } = world();
    events.observe({ kind: "committed", at: clock.wall(), calls: 1, settlements: 0, ms: 1 });
    expect(events.latest()).toBe(0);
  });
});

describe("an event as it is told", () => {
  it("has the keys that the page names, for each kind", () => {
    const page = readFileSync(new URL("../../docs/http-api.md", import.meta.url), "utf8");
    const rows = page.split("\n").flatMap((line) => {
      const [, kinds = "", keys = ""] = line.split("|");
      return wordsIn(kinds).map((kind) => [kind, wordsIn(keys)] as const);
    });
    const shown = new Map(rows.filter(([kind]) => (EVENT_KINDS as readonly string[]).includes(kind)));
    const told = EVENT_KINDS.map((kind) => {
      const told = JSON.parse(eventJson(EVENT_SAMPLES[kind])) as Record<string, unknown>;
      return [kind, Object.keys(told).filter((key) => key !== "kind" && key !== "at")] as const;
    });
    const ofDelivery = wordsIn(/Those of a delivery have ([^.]+)\./.exec(page)![1]!);
    const withAll = new Map(
      [...shown].map(([kind, keys]) => [
        kind,
        "delivery" in EVENT_SAMPLES[kind as "died"] ? [...ofDelivery, ...keys] : keys,
      ]),
    );
    const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
      Object.fromEntries([...map].map(([kind, keys]) => [kind, [...keys].sort()]));
    expect(sorted(withAll)).toEqual(sorted(new Map(told)));
  });

  it.each(EVENT_KINDS)("of kind %s has instants as ISO 8601, and no other", (kind) => {
    const instant = /\b17\d{11}\b/;
    expect(JSON.stringify(EVENT_SAMPLES[kind])).toMatch(instant);
    expect(eventJson(EVENT_SAMPLES[kind])).not.toMatch(instant);
  });

  it("hides the values of a query, and has nothing of what a receiver answered", () => {
    expect(JSON.parse(eventJson(EVENT_SAMPLES.attempted))).toMatchObject({
      kind: "attempted",
      at: "2026-01-31T12:00:00.000Z",
      acceptedAt: "2026-01-31T11:59:55.000Z",
      attempt: { endpoint: "https://crm.example.com/hook?key=***", status: 503, startedAt: "2026-01-31T11:59:59.960Z" },
    });
    expect(eventJson(EVENT_SAMPLES.attempted)).not.toContain("excerpt");
  });

  it("lists twenty deliveries and filtered destinations of a call, and counts all", () => {
    const deliveries = Array.from({ length: 5_000 }, (_, index) => String(index) as DeliveryId);
    const filtered = deliveries.map((id) => ({
      destination: id as string as DestinationId,
      reason: "historical" as const,
    }));
    const told = JSON.parse(eventJson({ ...EVENT_SAMPLES.accepted, deliveries, filtered })) as Record<string, unknown>;
    expect(told).toMatchObject({ deliveryCount: 5_000, filteredCount: 5_000 });
    expect([told["deliveries"], told["filtered"]].map((list) => (list as unknown[]).length)).toEqual([20, 20]);
  });
});

function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, word]) => word!);
}

describe("GET /api/events", () => {
  function api() {
    const { clock, events } = world();
    const handle = createCheckedApi({ relay: createRig().relay, apiToken: createSecret(TOKEN), events });
    const ask = (query = "", headers = {}) =>
      handle(request("GET", "/api/events", { query, headers: { ...BEARER, ...headers } }));
    return { clock, events, ask };
  }

  async function firstPieces(answer: Answer, count: number): Promise<readonly Frame[]> {
    const { body } = answer;
    if (typeof body !== "function") throw new Error("the answer is no stream");
    const controller = new AbortController();
    let text = "";
    let left = count;
    for await (const piece of body(controller.signal)) {
      text += String(piece);
      left -= 1;
      if (left === 0) break;
    }
    return framesIn(text);
  }

  it.each([
    ["", ["accepted", "shed", "died", "lane-held"]],
    ["kind=died,shed", ["shed", "died"]],
    ["source=website", ["accepted", "shed", "died"]],
    ["destination=crm", ["died", "lane-held"]],
    ["destination=crm&kind=lane-held", ["lane-held"]],
  ])("streams with %j what is asked for", async (query, kinds) => {
    const { events, ask } = api();
    const leave = events.join();
    for (const kind of ["accepted", "shed", "died", "lane-held"] as const) events.observe(EVENT_SAMPLES[kind]);
    const answer = await ask(query, { "last-event-id": `${String(events.startedAt)}-0` });
    expect(answer.headers).toContainEqual(["Cache-Control", "no-store"]);
    expect((await firstPieces(answer, 2)).flatMap(({ event = [] }) => event)).toEqual(kinds);
    leave();
  });

  it("refuses a kind that does not exist, a further reader, and is not there without events", async () => {
    const { events, ask } = api();
    expect((await ask("kind=gone")).status).toBe(400);
    const leaves = Array.from({ length: MAX_EVENT_READERS }, () => events.join());
    const refused = await ask();
    expect([refused.status, new Map(refused.headers).has("Retry-After")]).toEqual([503, true]);
    leaves[0]!();
    expect((await ask()).status).toBe(200);
    expect((await createRig().get("/api/events")).status).toBe(404);
  });

  it("takes no place before it is read", async () => {
    const { events, ask } = api();
    const answers = await Promise.all(Array.from({ length: 2 * MAX_EVENT_READERS }, () => ask()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(events.isFull()).toBe(false);
    const leaves = Array.from({ length: MAX_EVENT_READERS }, () => events.join());
    expect(await firstPieces(answers[0]!, 1)).toEqual([]);
    for (const leave of leaves) leave();
  });
});

describe("an event after the clock was set back", () => {
  it("is told like any other", async () => {
    const { clock, events } = world();
    const reader = createReader(events);
    await reader.next();
    events.observe({ ...EVENT_SAMPLES.swept, at: (clock.wall() - 86_400_000) as EpochMs });
    expect(framesIn((await reader.next()) ?? "").map(({ event }) => event)).toEqual(["swept"]);
    await reader.leave();
  });
});

import {
  type DeadReason,
  deliveryId,
  destinationId,
  endpointId,
  epochMs,
  FAULTS,
  type LaneStatus,
  sourceId,
} from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import {
  createRegistry,
  exposeMetrics,
  type MetricFamily,
  type MetricsSnapshot,
  renderPrometheus,
} from "@postrider/relay/metrics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLife, PLAYED } from "./counted-life.js";
import { pointsOf, recount } from "./recount.js";
import { playLife, PRIVATE } from "./simulated-life.js";

const SEEDS = 24;
const LIMIT = 500;
const NOW = epochMs(1_800_000_000_000);

const facts = {
  delivery: deliveryId("d1"),
  destination: destinationId("crm"),
  source: sourceId("site"),
  type: "track",
  messageId: PRIVATE.message,
  acceptedAt: epochMs(NOW - 1_500),
  rounds: 0,
} as const;

describe("a registry", () => {
  it("counts what a plain recount counts, and what callers and receivers saw, over simulated lives", async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { events } = await countLife(seed);
      for (const { kind } of events) seen.add(kind);
    }
    expect([...seen]).toEqual(expect.arrayContaining([...PLAYED]));
  });

  it("counts the same for any events of any lives, in any order", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const snapshot = observed(events);
        expect(pointsOf(snapshot)).toEqual(recount(events, snapshot));
      }),
    );
  });

  it("puts a value that equals a bound into its bucket, a larger one into the next, and one beyond all into the last", () => {
    const claims = [0, 5, 6, 3_600_000, 3_600_001].map((overdueMs) => claimed("crm", overdueMs));
    const family = familyOf(observed(claims), "postrider.claim.overdue");
    const [point] = family.kind === "histogram" ? family.points : [];
    expect(point?.counts).toEqual([2, 1, ...Array<number>(13).fill(0), 1, 1]);
  });

  it("counts a duration that is negative, as after a clock was set back, as 0", () => {
    const events: RelayEvent[] = [{ kind: "delivered", ...facts, detail: "200", at: epochMs(facts.acceptedAt - 7) }];
    expect(pointsOf(observed(events))).toMatchObject({
      "postrider.delivery.duration crm": { counts: [1, ...Array<number>(19).fill(0)], sum: 0 },
    });
  });

  it("keeps a snapshot as it was, while it counts on", () => {
    const registry = createRegistry();
    registry.observe(claimed("crm", 5));
    const before = registry.snapshot([], NOW);
    const copy = structuredClone(before);
    registry.observe(claimed("crm", 5));
    registry.observe({ kind: "stale", ...facts, at: NOW });
    expect(before).toEqual(copy);
  });
});

describe("a metric", () => {
  it("has a name that no other has, a help of some words, and a unit only if it is in seconds or bytes", () => {
    const { families } = observed([]);
    expect(families.length).toBeGreaterThan(20);
    for (const { name, help, unit } of families) {
      expect(help, name).toMatch(/^[A-Z1].{15,}[.]$/);
      expect(help.split(" ").length, name).toBeGreaterThan(2);
      const isTime = /[.](duration|overdue|oldest_due|window_left)$/.test(name);
      expect(unit, name).toBe(isTime ? "s" : name.endsWith(".bytes") ? "By" : undefined);
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  it("counts the warnings of accepted calls by their code, and notifications by what became of them", () => {
    const warnings = [{ code: "imprecise-number" }, { code: "unread-date" }, { code: "imprecise-number" }];
    const accepted = { kind: "accepted", source: facts.source, deliveries: [], warnings, at: NOW };
    const told = ["sent", "sent", "failed"].map((how) => ({
      kind: `notification-${how}`,
      notification: "deaths",
      at: NOW,
    }));
    expect(pointsOf(observed([accepted, ...told] as unknown as readonly RelayEvent[]))).toMatchObject({
      "postrider.calls site filtered": 1,
      "postrider.call.warnings site imprecise-number": 2,
      "postrider.call.warnings site unread-date": 1,
      "postrider.notifications deaths sent": 2,
      "postrider.notifications deaths failed": 1,
    });
  });
});

describe("the labels of a registry", () => {
  const many = (count: number): RelayEvent[] => Array.from({ length: count }, (_, index) => staleAt(`d${index}`));

  it(`name ${LIMIT} destinations, and count the next and all after it as other`, () => {
    const at = (count: number) => familyOf(observed(many(count)), "postrider.stale_settlements").points;
    const names = (count: number) => at(count).map(({ labels }) => labels[0]![1]);
    expect(names(LIMIT)).toEqual(Array.from({ length: LIMIT }, (_, index) => `d${index}`));
    expect(names(LIMIT + 1)).toEqual([...names(LIMIT), "other"]);
    expect(at(LIMIT + 3)).toHaveLength(LIMIT + 1);
    expect(at(LIMIT + 3).at(-1)).toMatchObject({ value: 3 });
  });

  it("bound the text, of as many destinations as there are", () => {
    const results = [200, 404, 503].map((status) => attempted(status));
    const bytesOf = (destinations: number): number => {
      const registry = createRegistry();
      const ids = Array.from({ length: destinations }, (_, index) =>
        destinationId(`destination-${index % 1_000}-${index}`),
      );
      for (const destination of ids) {
        for (const event of results) registry.observe({ ...event, destination } as RelayEvent);
        registry.observe(staleAt(destination));
      }
      const { body } = exposeMetrics(
        registry.snapshot(
          ids.map((lane) => laneStatus({ lane })),
          NOW,
        ),
        undefined,
      );
      const text = new TextDecoder().decode(body);
      for (const name of ["postrider_stale_settlements_total", "postrider_lane_limit"]) {
        expect(text.match(new RegExp(`^${name}\\{`, "gm"))).toHaveLength(LIMIT + 1);
      }
      return body.length;
    };
    const [some, many] = [bytesOf(LIMIT + 1), bytesOf(10_000)];
    // The same lines, with longer numbers in those of `other`.
    expect(many - some).toBeLessThan(1_000);
    expect(many).toBeLessThan(6_000_000);
  });

  it("name a destination that was named before in every metric, and one that came too late in none", () => {
    const registry = createRegistry();
    for (const event of [...many(LIMIT), claimed("d0", 1)]) registry.observe(event);
    const lanes = ["d0", "late"].map((lane) => laneStatus({ lane: destinationId(lane) }));
    const { points } = familyOf(registry.snapshot(lanes, NOW), "postrider.lane.limit");
    expect(points.map(({ labels }) => labels[0]![1])).toEqual(["d0", "other"]);
  });

  it.each<[string, (index: number) => RelayEvent, string]>([
    ["sources", (index) => ({ kind: "shed", source: sourceId(`s${index}`), calls: 1, at: NOW }), "postrider.calls"],
    [
      "routes",
      (index) => ({ kind: "answered", route: `/r${index}`, status: 200, ms: 1, at: NOW }),
      "http.server.request.duration",
    ],
    ["audiences", (index) => synced(`a${index}`), "postrider.audience.changes"],
  ])("name 500 %s, and no more", (_what, event, name) => {
    const events = Array.from({ length: LIMIT + 2 }, (_, index) => event(index));
    const first = familyOf(observed(events), name).points.map(({ labels }) => labels[0]![1]);
    expect(new Set(first).size).toBe(LIMIT + 1);
    expect(first.at(-1)).toBe("other");
  });

  it("are bounded for any statuses that a receiver answers", () => {
    const events = Array.from({ length: 400 }, (_, index) => attempted(200 + index));
    const { points } = familyOf(observed(events), "http.client.request.duration");
    expect(points.length).toBeLessThan(90);
    const statuses = points.map(({ labels }) => labels.at(-1)![1]);
    expect(statuses).toEqual(expect.arrayContaining(["200", "2xx", "3xx", "429", "4xx", "503", "5xx"]));
  });

  it("have no id of a user, a message or a delivery, and no URL, in simulated lives", async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const { events, host } = await playLife(seed);
      const text = renderPrometheus(observed(events, host.relay().lanes()));
      expect(text).toContain('postrider_deliveries_total{destination="crm",outcome="delivered"}');
      for (const secret of [...Object.values(PRIVATE), "quite-secret"]) expect(text).not.toContain(secret);
      const ids = events.flatMap((event) => ("delivery" in event ? [event.delivery as string] : []));
      expect(ids.length).toBeGreaterThan(20);
      expect(labelValuesOf(observed(events)).filter((value) => ids.includes(value))).toEqual([]);
    }
  });
});

describe("the gauges of lanes", () => {
  const gauges = (lanes: readonly LaneStatus[]) => pointsOf(createRegistry().snapshot(lanes, NOW));

  it("are the state of each lane in base units", () => {
    const lane = laneStatus({
      ...{ deliveries: 7, inFlight: 2, bytes: 4_096, limit: 9, nextDueAt: epochMs(NOW - 2_500) },
      ...{ windowEndsAt: epochMs(NOW + 90_000), backoff: { kind: "held", probes: 1, nextProbeAt: NOW } },
    });
    expect(gauges([lane])).toEqual({
      "postrider.lane.waiting crm": 5,
      "postrider.lane.bytes crm": 4_096,
      "postrider.lane.in_flight crm": 2,
      "postrider.lane.limit crm": 9,
      "postrider.lane.oldest_due crm": 2.5,
      "postrider.lane.window_left crm": 90,
      "postrider.lane.held crm": 1,
      "postrider.lane.refusing crm": 0,
      "postrider.lane.blocked crm": 0,
      "postrider.lane.paused crm": 0,
    });
  });

  it("have no time where none is known, 0 for what is due later, and less than 0 for a window that has ended", () => {
    expect(Object.keys(gauges([laneStatus({})]))).not.toContain("postrider.lane.oldest_due crm");
    expect(Object.keys(gauges([laneStatus({})]))).not.toContain("postrider.lane.window_left crm");
    const lane = laneStatus({ nextDueAt: epochMs(NOW + 5), windowEndsAt: epochMs(NOW - 500) });
    expect(gauges([lane])).toMatchObject({
      "postrider.lane.oldest_due crm": 0,
      "postrider.lane.window_left crm": -0.5,
    });
  });

  it("say that a held lane is held while it is paused, too, as a refusing one is, and that a blocked one is not", () => {
    const backoff = { probes: 1, nextProbeAt: NOW };
    const held = laneStatus({ mode: "paused", backoff: { kind: "held", ...backoff } });
    const refusing = laneStatus({ mode: "refusing", backoff: { kind: "refusing", ...backoff } });
    const blocked = laneStatus({ mode: "blocked", backoff: { kind: "blocked", ...backoff } });
    expect(gauges([held])).toMatchObject({ "postrider.lane.held crm": 1, "postrider.lane.blocked crm": 0 });
    expect(gauges([refusing])).toMatchObject({ "postrider.lane.held crm": 1, "postrider.lane.refusing crm": 1 });
    expect(gauges([blocked])).toMatchObject({ "postrider.lane.held crm": 0, "postrider.lane.blocked crm": 1 });
  });

  it("say that a lane is paused, by the settings or by an operator", () => {
    for (const pausedBy of [["settings"], ["operator"], ["settings", "operator"]] as const) {
      expect(gauges([laneStatus({ mode: "off", pausedBy })])).toMatchObject({ "postrider.lane.paused crm": 1 });
    }
  });

  it("of lanes without a label say whether any is held, blocked or paused", () => {
    const named = Array.from({ length: LIMIT }, (_, index) => laneStatus({ lane: destinationId(`d${index}`) }));
    const backoff = { probes: 1, nextProbeAt: NOW };
    const others = [
      laneStatus({ lane: destinationId("one"), backoff: { kind: "held", ...backoff }, pausedBy: ["operator"] }),
      laneStatus({ lane: destinationId("two"), backoff: { kind: "blocked", ...backoff }, pausedBy: ["settings"] }),
    ];
    for (const lanes of [others, others.toReversed()])
      expect(gauges([...named, ...lanes])).toMatchObject({
        "postrider.lane.held other": 1,
        "postrider.lane.blocked other": 1,
        "postrider.lane.paused other": 1,
      });
  });

  it("of lanes without a label are one: counts are added, and the worst of their times is shown", () => {
    const named = Array.from({ length: LIMIT }, (_, index) => laneStatus({ lane: destinationId(`d${index}`) }));
    const late = [1, 2].map((index) =>
      laneStatus({
        ...{ lane: destinationId(`late${index}`), deliveries: index, bytes: 10 * index, limit: 1 },
        ...{ nextDueAt: epochMs(NOW - index * 1_000), windowEndsAt: epochMs(NOW + index * 1_000) },
      }),
    );
    expect(gauges([...named, ...late])).toMatchObject({
      "postrider.lane.waiting other": 3,
      "postrider.lane.bytes other": 30,
      "postrider.lane.limit other": 2,
      "postrider.lane.oldest_due other": 2,
      "postrider.lane.window_left other": 1,
      "postrider.lane.held other": 0,
    });
  });
});

function observed(events: readonly RelayEvent[], lanes: readonly LaneStatus[] = []): MetricsSnapshot {
  const registry = createRegistry();
  for (const event of events) registry.observe(event);
  return registry.snapshot(lanes, NOW);
}

function familyOf({ families }: MetricsSnapshot, name: string): MetricFamily {
  return families.find((family) => family.name === name)!;
}

function labelValuesOf({ families }: MetricsSnapshot): readonly string[] {
  return families.flatMap(({ points }) => points.flatMap(({ labels }) => labels.map(([, value]) => value)));
}

function laneStatus(changed: Partial<LaneStatus>): LaneStatus {
  return {
    ...{ lane: destinationId("crm"), mode: "open", pausedBy: [], deliveries: 0, bytes: 0, inFlight: 0, limit: 0 },
    deaths: 0,
    endpointHolds: [],
    ...changed,
  };
}

function staleAt(destination: string): RelayEvent {
  return { kind: "stale", ...facts, destination: destinationId(destination), at: NOW };
}

function claimed(destination: string, overdueMs: number): RelayEvent {
  return { kind: "claimed", destination: destinationId(destination), deliveries: 1, overdueMs, at: NOW };
}

function attempted(status: number): RelayEvent {
  const result = { kind: "answered", status } as const;
  const endpoint = endpointId("https://crm.example/hook");
  const attempt = { round: 1, endpoint, startedAt: NOW, durationMs: 12, result, verdict: "retry" } as const;
  return { kind: "attempted", ...facts, attempt, isLate: false, at: NOW };
}

function synced(audience: string, entered = 1): RelayEvent {
  const report = { sync: 1, members: 9, entered, departed: 2, changed: 3, endedAt: NOW };
  return { kind: "synced", audience, report, at: NOW };
}

const anyEvent: fc.Arbitrary<RelayEvent> = fc
  .record({
    kind: fc.nat({ max: 12 }),
    count: fc.nat({ max: 2_000 }),
    ms: fc.double({ min: 0, max: 1e8, noNaN: true }),
    lane: fc.constantFrom("crm", "mail", "stats").map(destinationId),
    from: fc.constantFrom("site", "app").map(sourceId),
    fault: fc.constantFrom(...FAULTS),
    status: fc.constantFrom(200, 404, 503, 599),
    reason: fc.constantFrom<DeadReason[]>("expired", "refused", "lane-full", "purged", "destination-removed"),
  })
  .map(({ kind, count, ms, lane, from, fault, status, reason }): RelayEvent => {
    const about = { ...facts, destination: lane, source: from, at: epochMs(NOW + count) };
    const { at } = about;
    const attempt = {
      round: 1,
      endpoint: endpointId("https://a.example/"),
      startedAt: NOW,
      durationMs: count,
    } as const;
    const silent = { ...attempt, result: { kind: "silent", fault }, verdict: "retry" } as const;
    const kinds: readonly RelayEvent[] = [
      { kind: "shed", source: from, calls: count, at },
      { kind: "ended", destination: lane, reason: "expired", deliveries: count, at },
      { kind: "committed", calls: count, settlements: 3, ms, at },
      { kind: "answered", route: "/v1/batch", status, ms, at },
      { kind: "store-fault", code: "busy", at },
      synced("vip", count),
      { kind: "attempted", ...about, attempt: silent, isLate: true },
      { kind: "died", ...about, reason, detail: null },
      { kind: "stale", ...about },
      { kind: "delivered", ...about, detail: "200" },
      { kind: "replayed", ...about, of: deliveryId("d0") },
      { kind: "swept", deliveries: count, at },
      { kind: "released", ...about, dueAt: at },
    ];
    return kinds[kind]!;
  });

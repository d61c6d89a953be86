import { decodeScenario } from "@postrider/relay/settings";
import { describe, expect, it } from "vitest";

const START = "2026-01-31T09:30:00Z";
const MINUTE_MS = 60_000;

function fileOf(given: object = {}): object {
  return {
    start: START,
    load: { callsPerSecond: 2, until: "10:30" },
    destinations: [{ id: "crm", receivers: [{}] }],
    ...given,
  };
}

function decoded(given: object) {
  const read = decodeScenario(fileOf(given));
  if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
  return read.value;
}

function problems(given: object): readonly string[] {
  const read = decodeScenario(fileOf(given));
  return read.kind === "refused" ? read.problems.map(({ path, expected }) => `${path}: ${expected}`) : [];
}

describe("a scenario file", () => {
  it("is read or refused, with a code for each problem", () => {
    expect(decodeScenario(fileOf()).kind).toBe("ok");
    expect(decodeScenario(fileOf({ destinations: [] }))).toMatchObject({
      kind: "refused",
      problems: [{ code: "wrong-type", path: "destinations" }],
    });
  });

  it("may have several calls in each arrival, as many as a batch has at most", () => {
    const loadOf = (perArrival: number) => ({ load: { callsPerSecond: 2, until: "10:30", perArrival } });
    expect(decoded(loadOf(5)).load).toEqual({ calls: 7_200, overMs: 60 * MINUTE_MS, perArrival: 5 });
    expect([1, 2_500].flatMap((count) => problems(loadOf(count)))).toEqual([]);
    for (const count of [0, 2_501]) expect(problems(loadOf(count))).toEqual(["load.perArrival: 1 to 2,500 calls"]);
  });

  it("may leave out everything that has a default", () => {
    expect(decoded({})).toEqual({
      seed: 1,
      wallAtStart: Date.parse(START),
      policy: {},
      load: { calls: 7_200, overMs: 60 * MINUTE_MS, perArrival: 1 },
      receivers: { crm: [{ usually: { kind: "answers", status: 200, afterMs: 20 }, spreadMs: 0, spells: [] }] },
      faults: [],
    });
  });

  it("has instants, or times of the day; a time before the start is on the next day", () => {
    const { faults } = decoded({
      crashes: [
        { at: "09:30", downMs: 1 },
        { at: "09:29:30", downMs: 1 },
        { at: "2026-02-02T09:30:00Z", downMs: 1 },
      ],
    });
    expect(faults).toMatchObject([{ atMs: 0 }, { atMs: 86_400_000 - 30_000 }, { atMs: 2 * 86_400_000 }]);
  });

  it("describes receivers by a word, by a status, or in full", () => {
    const does = [
      503,
      "hangs",
      "dns",
      { status: 429, afterMs: 5, retryAfterSeconds: 30 },
      { status: 200, errors: 0.02, poisoned: 0.1 },
      { status: 202, afterMs: 4_500, bears: 20 },
    ];
    const spells = does.map((one) => ({ from: "10:00", to: "10:20", does: one }));
    const { receivers } = decoded({ destinations: [{ id: "crm", receivers: [{ spells }] }] });
    expect(receivers["crm"]?.[0]?.spells.map(({ behaviour }) => behaviour)).toEqual([
      { kind: "answers", status: 503, afterMs: 20 },
      { kind: "hangs" },
      { kind: "fails", fault: "dns", afterMs: 20 },
      { kind: "answers", status: 429, afterMs: 5, retryAfter: "30" },
      { kind: "troubled", usually: { kind: "answers", status: 200, afterMs: 20 }, errors: 0.02, poisoned: 0.1 },
      {
        kind: "troubled",
        usually: { kind: "answers", status: 202, afterMs: 4_500 },
        errors: 0,
        poisoned: 0,
        bears: 20,
      },
    ]);
  });

  it("may have stretches over midnight, and every kind of fault", () => {
    const { faults } = decoded({
      stops: [{ at: "09:40", downMs: 5 }],
      clockSteps: [{ at: "09:50", byMs: -5 }],
      store: [{ from: "23:50", to: "00:10", ails: "full" }],
      closed: [{ from: "10:00", to: "10:10", destination: "crm", how: "off" }],
    });
    expect(faults).toMatchObject([
      { kind: "stop", atMs: 10 * MINUTE_MS, downMs: 5 },
      { kind: "clock-step", byMs: -5 },
      { kind: "store", ails: "full", fromMs: 860 * MINUTE_MS, untilMs: 880 * MINUTE_MS },
      { kind: "closed", destination: "crm", how: "off" },
    ]);
  });

  it("is refused with every path that is wrong", () => {
    expect(problems({ start: "noon", surprise: 1, load: { until: "25:00" } })).toEqual([
      "start: a time such as 2026-01-31T09:30:00Z",
      "load.callsPerSecond: the key callsPerSecond with a number",
      "load.until: a time such as 10:00, or 2026-01-31T10:00:00Z",
      expect.stringMatching(/^surprise: one of the keys/),
    ]);
    const spells = [{ from: "10:00", to: "10:20", does: "explode" }];
    expect(problems({ destinations: [{ id: "crm", receivers: [{ spells }] }] })).toEqual([
      "destinations[0].receivers[0].spells[0].does: a status, a fault, hangs, or an object with a status",
    ]);
  });

  it("is refused if its parts do not fit together", () => {
    expect(problems({ load: { callsPerSecond: 200, until: "09:29" } })[0]).toMatch(
      /^load.callsPerSecond: 1 to 200,000/,
    );
    expect(problems({ delivery: { leaseMs: 1 } })).toEqual(["delivery.leaseMs: at least timeoutMs + 5000"]);
    expect(problems({ destinations: [] })).toEqual(["destinations: 1 to 100 destinations"]);
    expect(problems({ destinations: [{ id: "crm", receivers: Array.from({ length: 6 }, () => ({})) }] })).toEqual([
      expect.stringMatching(/^destinations\[0\].receivers: /),
    ]);
    expect(problems({ closed: [{ from: "10:00", to: "10:10", destination: "mail", how: "off" }] })).toEqual([
      "closed[0].destination: the id of a destination",
    ]);
    expect(problems({ store: [{ from: "2026-01-31T09:00:00Z", to: "10:10", ails: "busy" }] })).toEqual([
      "store[0]: from a time after the start to a later one",
    ]);
  });
});

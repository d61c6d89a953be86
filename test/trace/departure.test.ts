// The words for the place where a run departs from its incident: what happened, what each relay did, where they differ.

import { epochMs, monoMs } from "@postrider/core";
import { replayTrace, type Trace } from "@postrider/relay/trace";
import { describe, expect, it } from "vitest";
import { createComparison, describeDeparture } from "../../packages/relay/src/trace/replay/departure.js";
import type { Cause, Step } from "../../packages/relay/src/trace/turn.js";

const WALL = epochMs(Date.UTC(2026, 0, 1));

function departure(cause: Cause, expected: Step | undefined, seen: Step | undefined) {
  const turn = { wall: WALL, monotonic: monoMs(0), cause, steps: [] };
  return describeDeparture({ segment: 1, turn: 7 }, turn, { expected, seen });
}

function storyOf(expected: Step | undefined, seen: Step | undefined): string {
  const start = "At 2026-01-01T00:00:00.000Z (segment 1, turn 7), after the relay was created: the incident ";
  const { story } = departure(["created"], expected, seen);
  expect(story.slice(0, start.length)).toBe(start);
  return story.slice(start.length);
}

describe("a departure", () => {
  it.each<[Cause, string]>([
    [["answer", 3, null], "the answer to question 3"],
    [["fault", 4, null], "the fault of question 4"],
    [["timer", 5], "timer 5 fired"],
    [["call", 6, "test", []], "the host called test"],
    [["ended", "it is over"], "the store ended"],
  ])("has the input, as in %j", (cause, words) => {
    expect(departure(cause, undefined, ["timer", 1, 20]).story).toContain(`after ${words}: the incident`);
  });

  it("has both steps, or the one that there is", () => {
    const [first, second] = [["timer", 1, 20] as const, ["timer", 1, 30] as const];
    expect(departure(["created"], first, second)).toMatchObject({ expected: first, seen: second });
    expect(departure(["created"], undefined, second)).not.toHaveProperty("expected");
    expect(departure(["created"], undefined, second)).toHaveProperty("seen", second);
    expect(departure(["created"], first, undefined)).not.toHaveProperty("seen");
    expect(storyOf(undefined, second)).toBe("did nothing more; this run set a timer of 30 ms.");
  });

  it("names what a step is about, and no more than three of it", () => {
    const ask = (...rows: object[]): Step => ["ask", 1, "store.find", [{ kind: "x", rows }]];
    const [one, two] = [{ id: "d1" }, { lane: "crm", url: "https://a.example" }];
    expect(storyOf(ask(one), undefined)).toBe("asked store.find (d1); this run did nothing more.");
    expect(storyOf(ask(one, two), undefined)).toMatch(/^asked store[.]find [(]d1, crm, https:[/][/]a[.]example[)];/);
    const four = ask(one, two, { messageId: "m-1" }, { destination: "mail" });
    expect(storyOf(four, undefined)).toMatch(/^asked store[.]find [(]d1, crm, https:[/][/]a[.]example, …[)];/);
    expect(storyOf(["event", { kind: "swept" }], undefined)).toMatch(/^reported swept;/);
    expect(storyOf(["event", { kind: "died", messageId: "m-1", reason: null }], undefined)).toMatch(
      /^reported died [(]m-1[)];/,
    );
  });

  it("has the first value that differs, by its path, and cuts what is long", () => {
    const answer = (value: unknown): Step => ["reply", 1, { list: [1, value] }];
    expect(storyOf(answer(2), answer("2"))).toMatch(
      /They differ in 2[.]list[.]1: 2 in the incident, "2" in this run[.]$/,
    );
    expect(storyOf(answer(null), answer({ at: 3 }))).toMatch(
      /2[.]list[.]1: null in the incident, [{]"at":3[}] in this run[.]$/,
    );
    expect(storyOf(answer({}), answer({ at: 3 }))).toMatch(/1[.]at: nothing in the incident, 3 in this run[.]$/);
    expect(storyOf(answer("x".repeat(100)), answer(1))).toMatch(/: "x{79}… in the incident, 1 in this run[.]$/);
  });

  it("is found where a recorded event is nothing", () => {
    const comparison = createComparison({ hasBodies: true });
    const steps: readonly Step[] = [["event", null]];
    comparison.begin({ wall: WALL, monotonic: monoMs(0), cause: ["created"], steps });
    comparison.matchStep(["event", { kind: "swept" }]);
    expect(comparison.difference()).toEqual({ expected: steps[0], seen: ["event", { kind: "swept" }] });
  });
});

it("a run that draws what the incident did not draw has numbers still, and departs", async () => {
  const turns = [{ wall: WALL, monotonic: monoMs(0), cause: ["created"] as const, steps: [] }];
  const parts = { deletions: false, audiences: false, end: false };
  const trace: Trace = { version: 1, bodies: "digest", isCut: false, segments: [{ settings: {}, parts, turns }] };
  const drawn: unknown[] = [];
  const run = await replayTrace(trace, ({ random }) => {
    drawn.push(random.bytes(4), random.unit(), random.bytes(2));
    return {};
  });
  expect(drawn).toEqual([new Uint8Array(4), 0, new Uint8Array(2)]);
  expect(run.diverged?.story).toContain("the incident did nothing more; this run drew 4 random bytes.");
});

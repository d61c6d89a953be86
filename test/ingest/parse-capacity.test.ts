// Which bodies are parsed, and which wait as bytes.

import { MAX_REQUEST_BYTES } from "@postrider/http";
import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import {
  MAX_KEYLESS_LARGE_PARSED,
  MAX_LARGE,
  MAX_LARGE_OF_OWNER,
  MAX_LARGE_PARSED,
  MAX_SMALL_BYTES,
  MAX_SMALL_PARSED_BYTES,
} from "../../packages/ingest/src/limits.js";
import { createParseGate, type ParseGate, type ParsePlace } from "../../packages/ingest/src/parse-capacity.js";

/** So many bodies of one sender; those that may be parsed are noted, with undefined for one that is sent away. */
function enter(gate: ParseGate, count: number, bytes: number, name = "a", isKeyed = true): (ParsePlace | undefined)[] {
  const entered: (ParsePlace | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    void Promise.resolve(gate.enter(bytes, () => ({ name, isKeyed }))).then((place) => entered.push(place));
  }
  return entered;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("large bodies", () => {
  it("are parsed a few at once, and then one for each request that is answered", async () => {
    const gate = createParseGate();
    const entered = enter(gate, MAX_LARGE_PARSED + 3, MAX_REQUEST_BYTES);
    await settled();
    expect(entered).toHaveLength(MAX_LARGE_PARSED);
    expect(gate.parsed()).toBe(MAX_LARGE_PARSED * MAX_REQUEST_BYTES);
    entered[0]?.leave();
    await settled();
    expect(entered).toHaveLength(MAX_LARGE_PARSED + 1);
    expect(gate.parsed()).toBe(MAX_LARGE_PARSED * MAX_REQUEST_BYTES);
  });

  it("go first to the sender with the fewest under way", async () => {
    const gate = createParseGate();
    const busy = enter(gate, MAX_LARGE_PARSED + 10, MAX_REQUEST_BYTES);
    await settled();
    const other = enter(gate, 1, MAX_REQUEST_BYTES, "b");
    await settled();
    expect(other).toHaveLength(0);
    busy[0]?.leave();
    await settled();
    expect(other).toHaveLength(1);
  });

  it("are sent away where too many of their sender wait, or of all", async () => {
    const gate = createParseGate();
    const first = enter(gate, MAX_LARGE_OF_OWNER + 1, MAX_REQUEST_BYTES);
    const others = enter(gate, MAX_LARGE - MAX_LARGE_OF_OWNER + 1, MAX_REQUEST_BYTES, "b");
    await settled();
    expect(first.filter((place) => place === undefined)).toHaveLength(1);
    expect(others.filter((place) => place === undefined)).toHaveLength(1);
  });

  it("of senders without a key take no place from those with one", async () => {
    const gate = createParseGate();
    const strangers = ["1", "2", "3"].map((network) => enter(gate, MAX_LARGE, MAX_REQUEST_BYTES, network, false));
    const known = enter(gate, MAX_LARGE_PARSED, MAX_REQUEST_BYTES);
    await settled();
    expect(strangers.flat().filter((place) => place !== undefined)).toHaveLength(MAX_KEYLESS_LARGE_PARSED);
    expect(known.filter((place) => place !== undefined)).toHaveLength(MAX_LARGE_PARSED);
  });

  it("are parsed one in a turn of the event loop", async () => {
    const clock = createManualClock();
    const turns: number[] = [0];
    const gate = createParseGate({
      after: (delayMs, wake) =>
        clock.after(delayMs, () => {
          turns.push(0);
          wake();
        }),
    });
    for (let index = 0; index < MAX_LARGE_PARSED; index += 1) {
      void Promise.resolve(gate.enter(MAX_REQUEST_BYTES, () => ({ name: "a", isKeyed: true }))).then(async (place) => {
        turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
        await place?.nextTurn?.();
      });
    }
    await clock.advance(0);
    expect(turns.reduce((sum, count) => sum + count, 0)).toBe(MAX_LARGE_PARSED);
    expect(Math.max(...turns)).toBe(1);
  });
});

describe("small bodies", () => {
  it("are parsed at once while there is room, and then in their order", async () => {
    const gate = createParseGate();
    const places = MAX_SMALL_PARSED_BYTES / MAX_SMALL_BYTES;
    const entered = enter(gate, places + 2, MAX_SMALL_BYTES);
    const last = enter(gate, 1, 1);
    await settled();
    expect([entered.length, last.length]).toEqual([places, 0]);
    expect(gate.parsed()).toBe(MAX_SMALL_PARSED_BYTES);
    entered[0]?.leave();
    entered[1]?.leave();
    entered[2]?.leave();
    await settled();
    expect([entered.length, last.length]).toEqual([places + 2, 1]);
  });

  it("that one larger body made wait are all parsed once it leaves, however many they are", async () => {
    const gate = createParseGate();
    const held = enter(gate, MAX_SMALL_PARSED_BYTES / MAX_SMALL_BYTES, MAX_SMALL_BYTES);
    const tiny = enter(gate, MAX_SMALL_BYTES / 2, 2);
    await settled();
    expect(tiny).toHaveLength(0);
    held[0]?.leave();
    await settled();
    expect(tiny).toHaveLength(MAX_SMALL_BYTES / 2);
  });

  it("never wait for large ones", async () => {
    const gate = createParseGate();
    enter(gate, MAX_LARGE, MAX_REQUEST_BYTES, "a");
    await settled();
    expect(gate.enter(500, () => ({ name: "a", isKeyed: true }))).not.toBeInstanceOf(Promise);
  });
});

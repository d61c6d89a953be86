// The capacity for parsed bodies: which are parsed at once, and which wait as bytes.

import { MAX_REQUEST_BYTES } from "@postrider/http";
import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import {
  MAX_KEYLESS_LARGE_BODIES_PARSED,
  MAX_LARGE_BODIES,
  MAX_LARGE_BODIES_PER_SOURCE,
  MAX_LARGE_BODIES_PARSED,
  MAX_SMALL_BODY_BYTES,
  MAX_SMALL_BODY_BYTES_PARSED,
} from "../../packages/http/src/ingest/limits.js";
import {
  createParseCapacity,
  type ParseCapacity,
  type ParseReservation,
} from "../../packages/http/src/ingest/parse-capacity.js";

/** Reserves for `count` bodies of one sender; returns the reservations made so far, undefined for a refused body. */
function reserve(
  capacity: ParseCapacity,
  count: number,
  bytes: number,
  name = "a",
  isKeyed = true,
): (ParseReservation | undefined)[] {
  const reserved: (ParseReservation | undefined)[] = [];
  for (let index = 0; index < count; index += 1) {
    void Promise.resolve(capacity.reserve(bytes, () => ({ name, isKeyed }))).then((reservation) =>
      reserved.push(reservation),
    );
  }
  return reserved;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("large bodies", () => {
  it("are parsed a few at once, and then one for each answered request", async () => {
    const capacity = createParseCapacity();
    const reserved = reserve(capacity, MAX_LARGE_BODIES_PARSED + 3, MAX_REQUEST_BYTES);
    await settled();
    expect(reserved).toHaveLength(MAX_LARGE_BODIES_PARSED);
    expect(capacity.parsedBytes()).toBe(MAX_LARGE_BODIES_PARSED * MAX_REQUEST_BYTES);
    reserved[0]?.release();
    await settled();
    expect(reserved).toHaveLength(MAX_LARGE_BODIES_PARSED + 1);
    expect(capacity.parsedBytes()).toBe(MAX_LARGE_BODIES_PARSED * MAX_REQUEST_BYTES);
  });

  it("go first to the sender with the fewest under way", async () => {
    const capacity = createParseCapacity();
    const busy = reserve(capacity, MAX_LARGE_BODIES_PARSED + 10, MAX_REQUEST_BYTES);
    await settled();
    const other = reserve(capacity, 1, MAX_REQUEST_BYTES, "b");
    await settled();
    expect(other).toHaveLength(0);
    busy[0]?.release();
    await settled();
    expect(other).toHaveLength(1);
  });

  it("are refused when too many of their sender wait, or of all senders", async () => {
    const capacity = createParseCapacity();
    const first = reserve(capacity, MAX_LARGE_BODIES_PER_SOURCE + 1, MAX_REQUEST_BYTES);
    const others = reserve(capacity, MAX_LARGE_BODIES - MAX_LARGE_BODIES_PER_SOURCE + 1, MAX_REQUEST_BYTES, "b");
    await settled();
    expect(first.filter((one) => one === undefined)).toHaveLength(1);
    expect(others.filter((one) => one === undefined)).toHaveLength(1);
  });

  it("without a key do not delay those with one", async () => {
    const capacity = createParseCapacity();
    const keyless = ["1", "2", "3"].map((network) =>
      reserve(capacity, MAX_LARGE_BODIES, MAX_REQUEST_BYTES, network, false),
    );
    const keyed = reserve(capacity, MAX_LARGE_BODIES_PARSED, MAX_REQUEST_BYTES);
    await settled();
    expect(keyless.flat().filter((one) => one !== undefined)).toHaveLength(MAX_KEYLESS_LARGE_BODIES_PARSED);
    expect(keyed.filter((one) => one !== undefined)).toHaveLength(MAX_LARGE_BODIES_PARSED);
  });

  it("are parsed one in each turn of the event loop", async () => {
    const clock = createManualClock();
    const turns: number[] = [0];
    const capacity = createParseCapacity({
      after: (delayMs, wake) =>
        clock.after(delayMs, () => {
          turns.push(0);
          wake();
        }),
    });
    for (let index = 0; index < MAX_LARGE_BODIES_PARSED; index += 1) {
      void Promise.resolve(capacity.reserve(MAX_REQUEST_BYTES, () => ({ name: "a", isKeyed: true }))).then(
        async (reservation) => {
          turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
          await reservation?.nextTurn?.();
        },
      );
    }
    await clock.advance(0);
    expect(turns.reduce((sum, count) => sum + count, 0)).toBe(MAX_LARGE_BODIES_PARSED);
    expect(Math.max(...turns)).toBe(1);
  });
});

describe("small bodies", () => {
  it("are parsed at once up to their bound, and then in their order", async () => {
    const capacity = createParseCapacity();
    const fitting = MAX_SMALL_BODY_BYTES_PARSED / MAX_SMALL_BODY_BYTES;
    const reserved = reserve(capacity, fitting + 2, MAX_SMALL_BODY_BYTES);
    const last = reserve(capacity, 1, 1);
    await settled();
    expect([reserved.length, last.length]).toEqual([fitting, 0]);
    expect(capacity.parsedBytes()).toBe(MAX_SMALL_BODY_BYTES_PARSED);
    reserved[0]?.release();
    reserved[1]?.release();
    reserved[2]?.release();
    await settled();
    expect([reserved.length, last.length]).toEqual([fitting + 2, 1]);
  });

  it("that wait behind a larger one are all parsed once they fit, however many there are", async () => {
    const capacity = createParseCapacity();
    const first = reserve(capacity, MAX_SMALL_BODY_BYTES_PARSED / MAX_SMALL_BODY_BYTES, MAX_SMALL_BODY_BYTES);
    const tiny = reserve(capacity, MAX_SMALL_BODY_BYTES / 2, 2);
    await settled();
    expect(tiny).toHaveLength(0);
    first[0]?.release();
    await settled();
    expect(tiny).toHaveLength(MAX_SMALL_BODY_BYTES / 2);
  });

  it("never wait for large ones", async () => {
    const capacity = createParseCapacity();
    reserve(capacity, MAX_LARGE_BODIES, MAX_REQUEST_BYTES, "a");
    await settled();
    expect(capacity.reserve(500, () => ({ name: "a", isKeyed: true }))).not.toBeInstanceOf(Promise);
  });
});

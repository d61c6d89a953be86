import { DEFAULT_DELIVERY, DEFAULT_RETENTION, type DeliveryPolicy } from "@postrider/core";
import { unusualNumbers } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const of = (delivery: Partial<DeliveryPolicy>, retention = {}) =>
  unusualNumbers({
    delivery: { ...DEFAULT_DELIVERY, ...delivery },
    retention: { ...DEFAULT_RETENTION, ...retention },
  });

describe("unusualNumbers", () => {
  it("finds nothing in the defaults", () => {
    expect(of({})).toEqual([]);
  });

  it.each<[Partial<DeliveryPolicy>, string]>([
    [{ retryWindowMs: 14_400 }, "delivery.retryWindowMs: it is below 60000 milliseconds: a short outage"],
    [{ retryWindowMs: 1e18 }, "delivery.retryWindowMs: it is above 2592000000 milliseconds: deliveries wait"],
    [{ firstRetryMs: 1 }, "delivery.firstRetryMs: it is below 100 milliseconds: a receiver that is down"],
    [{ jitter: 50 }, "delivery.jitter: it is above 2: most delays are longer"],
    [{ growth: 11 }, "delivery.growth: it is above 10: after a few rounds"],
    [{ retryWindowMs: 60_000, firstRetryMs: 60_000 }, "delivery.firstRetryMs: it is not below retryWindowMs: no"],
  ])("finds %j", (delivery, text) => {
    const [found, ...others] = of(delivery).map(({ path, effect }) => `${path}: ${effect}`);
    expect(found).toContain(text);
    expect(others).toEqual([]);
  });

  const LATER = { retryWindowMs: 2_000_000_000 };
  const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

  it.each<[Partial<DeliveryPolicy>, string, string]>([
    [{ timeoutMs: 249 }, "timeoutMs", "below 250 milliseconds: receivers have little time to answer"],
    [
      { timeoutMs: MINUTE + 1 },
      "timeoutMs",
      "above 60000 milliseconds: a receiver that hangs keeps its slot for that long",
    ],
    [
      { retryWindowMs: MINUTE - 1 },
      "retryWindowMs",
      "below 60000 milliseconds: a short outage of a receiver ends its deliveries",
    ],
    [{ retryWindowMs: 30 * DAY + 1 }, "retryWindowMs", "above 2592000000 milliseconds: deliveries wait for weeks"],
    [{ firstRetryMs: 99 }, "firstRetryMs", "below 100 milliseconds: a receiver that is down gets many requests"],
    [
      { ...LATER, firstRetryMs: HOUR + 1 },
      "firstRetryMs",
      "above 3600000 milliseconds: a short fault delays deliveries for a long time",
    ],
    [{ maxRetryMs: 999 }, "maxRetryMs", "below 1000 milliseconds: a receiver that is down gets many requests"],
    [
      { maxRetryMs: DAY + 1 },
      "maxRetryMs",
      "above 86400000 milliseconds: deliveries wait for a long time after an outage",
    ],
    [{ maxRetryAfterMs: 999 }, "maxRetryAfterMs", "below 1000 milliseconds: a receiver cannot ask for a pause"],
    [
      { maxRetryAfterMs: DAY + 1 },
      "maxRetryAfterMs",
      "above 86400000 milliseconds: a receiver can hold its deliveries for a long time",
    ],
    [{ leaseMs: HOUR + 1 }, "leaseMs", "above 3600000 milliseconds: after a crash, its deliveries wait for that long"],
    [
      { historicalAfterMs: MINUTE - 1 },
      "historicalAfterMs",
      "below 60000 milliseconds: nearly every call is historical",
    ],
    [
      { historicalAfterMs: 3_650 * DAY + 1 },
      "historicalAfterMs",
      "above 315360000000 milliseconds: no call is historical",
    ],
    [{ growth: 10.1 }, "growth", "above 10: after a few rounds, each delay is the longest one"],
    [{ jitter: 2.1 }, "jitter", "above 2: most delays are longer than maxRetryMs says"],
  ])("says what follows from %j, one beyond the edge", (delivery, key, effect) => {
    expect(of(delivery)).toMatchObject([{ path: `delivery.${key}`, effect: `it is ${effect}` }]);
  });

  it.each([
    ["deliveredHours", 0.09, "below 0.1 hours: deliveries that arrived cannot be looked up"],
    ["deliveredHours", 8_761, "above 8760 hours: the store grows for more than a year"],
    ["deadHours", 0.9, "below 1 hours: dead deliveries can be replayed for a short time only"],
    ["deadHours", 8_761, "above 8760 hours: the store grows for more than a year"],
  ])("says what follows from retention.%s: %d, one beyond the edge", (key, hours, effect) => {
    expect(of({}, { [key]: hours })).toMatchObject([{ path: `retention.${key}`, effect: `it is ${effect}` }]);
  });

  it("finds nothing in numbers at the edges", () => {
    const least = {
      timeoutMs: 250,
      retryWindowMs: MINUTE,
      firstRetryMs: 100,
      maxRetryMs: 1_000,
      maxRetryAfterMs: 1_000,
    };
    const most = {
      timeoutMs: MINUTE,
      retryWindowMs: 30 * DAY,
      firstRetryMs: HOUR,
      maxRetryMs: DAY,
      maxRetryAfterMs: DAY,
    };
    const lowest = { ...least, leaseMs: 1_000, historicalAfterMs: MINUTE, growth: 1, jitter: 0 };
    const highest = { ...most, leaseMs: HOUR, historicalAfterMs: 3_650 * DAY, growth: 10, jitter: 2 };
    expect(of(lowest, { deliveredHours: 0.1, deadHours: 1 })).toEqual([]);
    expect(of(highest, { deliveredHours: 8_760, deadHours: 8_760 })).toEqual([]);
  });

  it("says what to do if the first retry would start after the window", () => {
    expect(of({ retryWindowMs: 60_000, firstRetryMs: 60_000 })).toEqual([
      {
        path: "delivery.firstRetryMs",
        effect: "it is not below retryWindowMs: no delivery is tried twice",
        change: "set a number far below retryWindowMs",
      },
    ]);
  });

  it("names the unit, if there is one", () => {
    const changes = [...of({ jitter: 50 }), ...of({}, { deadHours: 0.5 })].map(({ change }) => change);
    expect(changes).toEqual([
      "leave it out for the default, 0.5, or set another number",
      "leave it out for the default, 168, or set another number of hours",
    ]);
  });
});

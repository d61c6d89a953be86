import { type BatchOptions, checkOptions, DEFAULT_BATCH_SETTINGS } from "@postrider/core/batch";
import { describe, expect, it } from "vitest";

const endpoint = "https://calls.example.com";

function problems(options: object, writeKey: unknown = "key"): readonly string[] {
  const checked = checkOptions(writeKey as string, { endpoint, ...options });
  return checked.kind === "refused" ? checked.problems.map(({ path }) => path) : [];
}

function settings(options: Partial<BatchOptions>): unknown {
  const checked = checkOptions("key", { endpoint, ...options });
  return checked.kind === "ok" ? checked.settings : checked.problems;
}

describe("the options of a client", () => {
  it("have the defaults of the specification", () => {
    expect(settings({})).toEqual({ url: "https://calls.example.com/v1/batch", ...DEFAULT_BATCH_SETTINGS });
    expect(DEFAULT_BATCH_SETTINGS).toMatchObject({ flushAt: 20, flushAfterMs: 5_000, closeTimeoutMs: 60_000 });
    expect(DEFAULT_BATCH_SETTINGS.maxQueued).toEqual({ calls: 10_000, bytes: 32 * 1_024 * 1_024 });
  });

  it("are used as given", () => {
    const given = {
      flushAt: 1,
      flushAfterMs: 2,
      timeoutMs: 3,
      maxRetries: 0,
      firstRetryMs: 4,
      maxRetryMs: 5,
      maxQueued: { calls: 6, bytes: 40_000 },
      maxInFlight: 7,
      closeTimeoutMs: 0,
      whenFull: "wait",
    } as const;
    expect(settings(given)).toEqual({ url: "https://calls.example.com/v1/batch", ...given });
    expect(settings({ maxQueued: { calls: 6 } })).toMatchObject({ maxQueued: { calls: 6, bytes: 33_554_432 } });
  });

  it("accept size as another name of flushAt, but not two different values", () => {
    expect(settings({ size: 5 })).toMatchObject({ flushAt: 5 });
    expect(settings({ size: 5, flushAt: 5 })).toMatchObject({ flushAt: 5 });
    expect(problems({ size: 5, flushAt: 6 })).toEqual(["size"]);
  });

  it.each(["https://a.example/", "https://a.example//"])("append the path to the endpoint: %s", (given) => {
    expect(settings({ endpoint: given })).toMatchObject({ url: "https://a.example/v1/batch" });
    expect(settings({ endpoint: `${given}in` })).toMatchObject({ url: `${given}in/v1/batch` });
  });

  it.each([
    undefined,
    null,
    7,
    "",
    "calls.example.com",
    "ftp://a.example",
    "https://u:p@a.example",
    "https://a.example?q",
    "https://a.example#f",
    "https://a.example/ b",
    "https://a.example:99999",
    "https:a.example",
  ])("refuse an endpoint that is not a base URL: %s", (given) => {
    expect(problems({ endpoint: given })).toEqual(["endpoint"]);
  });

  it.each([undefined, "", " \n", 7, "a:b"])("refuse an invalid write key: %s", (key) => {
    expect(problems({}, key ?? null)).toEqual(["writeKey"]);
  });

  it.each([
    [{ flushAt: 0 }, "flushAt"],
    [{ flushAt: 2_501 }, "flushAt"],
    [{ flushAt: 1.5 }, "flushAt"],
    [{ flushAt: "20" }, "flushAt"],
    [{ flushAfterMs: 0 }, "flushAfterMs"],
    [{ timeoutMs: -1 }, "timeoutMs"],
    [{ maxRetries: -1 }, "maxRetries"],
    [{ maxRetries: Infinity }, "maxRetries"],
    [{ firstRetryMs: 0 }, "firstRetryMs"],
    [{ maxRetryMs: NaN }, "maxRetryMs"],
    [{ maxQueued: { calls: 0 } }, "maxQueued.calls"],
    [{ maxQueued: { bytes: 32_767 } }, "maxQueued.bytes"],
    [{ maxInFlight: 101 }, "maxInFlight"],
    [{ closeTimeoutMs: -1 }, "closeTimeoutMs"],
    [{ whenFull: "drop" }, "whenFull"],
  ])("refuse %j", (options, path) => {
    expect(problems(options)).toEqual([path]);
  });

  it("are refused with every problem, and never show the key", () => {
    const checked = checkOptions("SECRET:KEY", { endpoint: "SECRET:KEY", flushAt: 0, whenFull: "drop" as "wait" });
    expect(checked).toMatchObject({ kind: "refused", problems: { length: 4 } });
    expect(JSON.stringify(checked)).not.toContain("SECRET");
  });

  const KEY = { path: "writeKey", expected: "the write key of a source, which has no colon" };
  const FULL = { path: "whenFull", expected: '"refuse" or "wait"' };
  const SIZE = { path: "size", expected: "the same as flushAt, or only one of the two" };
  const BASE = { path: "endpoint", expected: "a full http or https URL without user, query and fragment" };

  it.each<[string, object, readonly object[]]>([
    ["a:b", {}, [KEY]],
    ["key", { whenFull: "drop" }, [FULL]],
    ["key", { size: 5, flushAt: 6 }, [SIZE]],
    ["key", { endpoint: "https://a.example?q" }, [BASE]],
    ["key", { endpoint: 7 }, [BASE]],
  ])("say what is expected instead: %s, %j", (key, options, problems) => {
    expect(checkOptions(key, { endpoint, ...options })).toEqual({ kind: "refused", problems });
  });

  it.each([
    ["flushAt", 1, 2_500],
    ["flushAfterMs", 1, 86_400_000],
    ["maxInFlight", 1, 100],
    ["closeTimeoutMs", 0, 86_400_000],
  ] as const)("take %s from %i to %i, and say so", (path, least, most) => {
    for (const value of [least, most]) expect(settings({ [path]: value })).toMatchObject({ [path]: value });
    const expected = `a whole number from ${String(least)} to ${String(most)}`;
    for (const value of [least - 1, most + 1]) expect(settings({ [path]: value })).toEqual([{ path, expected }]);
  });
});

import { type ClientOptions, createClient } from "@postrider/client";
import { createDurableClient } from "@postrider/client/durable";
import { createMemoryCallStorage } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { unknownOptions } from "../../packages/client/src/unknown-options.js";
import { WRITE_KEY } from "../canary.js";
import { ENDPOINT } from "./rig.js";

function expected(options: object): readonly string[] {
  return unknownOptions({ endpoint: ENDPOINT, ...options }).map((problem) => `${problem.path}: ${problem.expected}`);
}

/** Complete by its type: if the client gains or loses an option, this does not compile. */
const EVERY: Readonly<Record<Exclude<keyof ClientOptions, "endpoint" | "maxQueued">, 1>> = {
  flushAt: 1,
  size: 1,
  flushAfterMs: 1,
  timeoutMs: 1,
  maxRetries: 1,
  firstRetryMs: 1,
  maxRetryMs: 1,
  maxInFlight: 1,
  closeTimeoutMs: 1,
  whenFull: 1,
  gzip: 1,
  transport: 1,
  clock: 1,
  random: 1,
  logger: 1,
  onQueued: 1,
  onDelivered: 1,
  onFailed: 1,
};

describe("unknownOptions", () => {
  it.each([
    [{ flushat: 1 }, "flushat: flushAt: there is no such option"],
    [{ flushAfter: 1 }, "flushAfter: flushAfterMs: there is no such option"],
    [{ timeout: 1 }, "timeout: timeoutMs: there is no such option"],
    [{ maxRetrys: 1 }, "maxRetrys: maxRetryMs: there is no such option"],
    [{ onfailed: 1 }, "onfailed: onFailed: there is no such option"],
    [{ maxQueued: { call: 1 } }, "maxQueued.call: maxQueued.calls: there is no such option"],
    [{ zzz: 1 }, "zzz: nothing: there is no such option"],
    [{ "": 1 }, ": nothing: there is no such option"],
    [{ constructor: 1 }, "constructor: nothing: there is no such option"],
  ])("names the place and the nearest name of %j", (options, problem) => {
    expect(expected(options)).toEqual([problem]);
  });

  it("reports no known option, and none that is undefined", () => {
    expect(expected({ ...EVERY, maxQueued: { calls: 1, bytes: 1 }, flushat: undefined })).toEqual([]);
  });
});

describe("a client with an unknown option", () => {
  it("is not created, and the error names all problems at once", () => {
    const options = { endpoint: ENDPOINT, flushAt: 0, flushat: 1 };
    expect(() => createClient(WRITE_KEY, options)).toThrow(
      "createClient: flushAt: expected a whole number from 1 to 2500; flushat: expected flushAt: there is no such option",
    );
  });

  it("is not created on a storage either; the options for the storage are known", () => {
    const options = { endpoint: ENDPOINT, storage: createMemoryCallStorage(), flushat: 1 };
    expect(() => createDurableClient(WRITE_KEY, options)).toThrow("flushat: expected flushAt");
  });
});

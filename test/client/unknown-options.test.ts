import { type ClientOptions, createClient } from "@postrider/client";
import { createDurableClient } from "@postrider/client/durable";
import { createMemoryCallStorage } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { clientSettings } from "../../packages/client/src/client-settings.js";
import { WRITE_KEY } from "../canary.js";
import { ENDPOINT } from "./rig.js";

function problemsOf(options: object): string {
  try {
    clientSettings(WRITE_KEY, { endpoint: ENDPOINT, ...options });
  } catch (error) {
    return (error as Error).message;
  }
  return "";
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

describe("the names of options", () => {
  it.each([
    [{ flushat: 1 }, "flushat: expected one of endpoint, flushAt, size,"],
    [{ maxQueued: { call: 1 } }, "maxQueued.call: expected one of calls, bytes"],
    [{ "": 1 }, ": expected one of endpoint,"],
    [{ constructor: 1 }, "constructor: expected one of endpoint,"],
  ])("are listed where %j has another one", (options, problem) => {
    expect(problemsOf(options)).toContain(`createClient: ${problem}`);
  });

  it("are known, and what is undefined is left out", () => {
    const unknown = problemsOf({ ...EVERY, maxQueued: { calls: 1, bytes: 1 }, flushat: undefined });
    expect(unknown).not.toContain("one of");
  });
});

describe("a client with an unknown option", () => {
  it("is not created, and the error names all problems at once", () => {
    const options = { endpoint: ENDPOINT, flushAt: 0, flushat: 1 };
    expect(() => createClient(WRITE_KEY, options)).toThrow(
      "createClient: flushAt: expected a whole number from 1 to 2500; flushat: expected one of endpoint, flushAt,",
    );
  });

  it("is not created on a storage either; the options for the storage are known", () => {
    const options = { endpoint: ENDPOINT, storage: createMemoryCallStorage(), flushat: 1 };
    expect(() => createDurableClient(WRITE_KEY, options)).toThrow("flushat: expected one of endpoint, flushAt");
  });
});

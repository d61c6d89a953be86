import { describe, expect, it } from "vitest";
import type { StopResult } from "../../../packages/postrider/src/server/running-server.js";
import { stopOnSignals } from "../../../packages/postrider/src/cli/signals.js";
import { createTestHost } from "../test-host.js";

/** A server that stops when the test says so; `left` is the result for the thread of its store. */
function slowServer(left: StopResult = "ended") {
  let settle: (stopped?: StopResult) => void = () => undefined;
  let stops = 0;
  const stopped = new Promise<StopResult>((resolve) => (settle = (how = "ended") => resolve(how)));
  return {
    settle,
    stops: () => stops,
    stop: () => {
      stops += 1;
      return stopped;
    },
    abandon: () => Promise.resolve(left),
  };
}

describe("the end of a server", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("after %s has status 0 once it has stopped", async (signal) => {
    const host = createTestHost();
    const server = slowServer();
    const ended = stopOnSignals(host, server);
    host.signal(signal);
    server.settle();
    expect(await ended).toBe(0);
    expect(server.stops()).toBe(1);
  });

  it("after a second signal does not wait, and has status 130", async () => {
    const host = createTestHost();
    const server = slowServer();
    const ended = stopOnSignals(host, server);
    host.signal("SIGTERM");
    host.signal("SIGINT");
    expect(await ended).toBe(130);
    expect(server.stops()).toBe(1);
  });

  it.each(["a first", "a second"])(
    "has status 143 if the thread of its store does not end after %s signal",
    async (which) => {
      const host = createTestHost();
      const server = slowServer("store-left");
      const ended = stopOnSignals(host, server);
      host.signal("SIGTERM");
      if (which === "a second") host.signal("SIGTERM");
      else server.settle("store-left");
      expect(await ended).toBe(143);
    },
  );

  it("has status 1 once its store has ended by itself, without a signal", async () => {
    const server = slowServer();
    let end = (): void => undefined;
    const ended = stopOnSignals(createTestHost(), server, new Promise<void>((resolve) => (end = resolve)));
    expect(server.stops()).toBe(0);
    end();
    server.settle();
    expect(await ended).toBe(1);
    expect(server.stops()).toBe(1);
  });
});

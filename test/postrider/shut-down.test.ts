import { describe, expect, it } from "vitest";
import { shutDownOnSignal } from "../../packages/postrider/src/shut-down.js";
import { createTestHost } from "./test-host.js";

/** A server whose end is in the test's hand. */
function slowServer() {
  let settle: () => void = () => undefined;
  let stops = 0;
  const stopped = new Promise<void>((resolve) => (settle = resolve));
  return {
    settle,
    stops: () => stops,
    stop: () => {
      stops += 1;
      return stopped;
    },
  };
}

describe("the end of a server", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("after %s has status 0 once it has stopped", async (signal) => {
    const host = createTestHost();
    const server = slowServer();
    const ended = shutDownOnSignal(host, server);
    host.signal(signal);
    server.settle();
    expect(await ended).toBe(0);
    expect(server.stops()).toBe(1);
  });

  it("after a second signal does not wait, and has status 130", async () => {
    const host = createTestHost();
    const server = slowServer();
    const ended = shutDownOnSignal(host, server);
    host.signal("SIGTERM");
    host.signal("SIGINT");
    expect(await ended).toBe(130);
    expect(server.stops()).toBe(1);
  });
});

import { createManualClock } from "@postrider/memory";
import type { Health } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { createRunningServer, type ServerParts } from "../../../packages/postrider/src/server/running-server.js";
import { configJson } from "../config-file.js";
import { configOf } from "../server.js";

const TIMEOUT_MS = 5000;
const NEVER = new Promise<never>(() => undefined);

interface Trouble {
  readonly health?: Health;
  /** A promise that never resolves. */
  readonly stuck?: readonly ("close" | "abandon")[];
}

/** Parts that only record their calls; the rounds of the relay end when the test says so. */
function notedParts({ health = { kind: "healthy" }, stuck = [] }: Trouble = {}) {
  const done: string[] = [];
  const clock = createManualClock();
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const note = (what: string) => (): Promise<void> => {
    done.push(what);
    return Promise.resolve();
  };
  const parts = {
    url: "http://127.0.0.1:8080",
    server: { close: note("listening ended"), drain: note("answers out") },
    relay: {
      workspace: () => ({ delivery: { timeoutMs: TIMEOUT_MS } }),
      stop: () => settled.then(note("settled")),
      health: () => health,
    },
    http: { close: note("http closed") },
    stores: {
      close: stuck.includes("close") ? () => NEVER : note("store closed"),
      abandon: stuck.includes("abandon") ? () => NEVER : note("thread ended"),
    },
    settings: { config: configOf(configJson()) },
    reconfigurer: { end: () => undefined },
    certificate: { stop: note("watch ended") },
    stopSeries: () => undefined,
    endStreams: note("streams ended"),
    loopDelay: { families: () => [], stop: () => undefined },
    clock,
    logger: { log: (_: string, { code }: { code: string }) => done.push(code) },
  } as unknown as ServerParts;
  return { done, clock, settle, server: createRunningServer(parts) };
}

describe("a server that stops", () => {
  it("closes its listener, settles rounds, sends answers, and closes its store last", async () => {
    const { done, settle, server } = notedParts();
    const stopped = server.stop();
    expect(done).toEqual(["watch ended", "listening ended", "streams ended"]);
    settle();
    await stopped;
    expect(done).toEqual([
      "watch ended",
      "listening ended",
      "streams ended",
      "settled",
      "answers out",
      "http closed",
      "store closed",
      "thread ended",
    ]);
  });

  it("waits a limited time for rounds that do not settle, and reports it", async () => {
    const { done, clock, server } = notedParts();
    const stopped = server.stop();
    await clock.advance(TIMEOUT_MS + 1000);
    await stopped;
    expect(done).toEqual([
      "watch ended",
      "listening ended",
      "streams ended",
      "rounds-left-open",
      "answers out",
      "http closed",
      "store closed",
      "thread ended",
    ]);
  });

  it("waits ten seconds for a store that still writes, and only a moment for one that hangs", async () => {
    for (const [health, waitMs] of [
      [{ kind: "healthy" }, 10_000],
      [{ kind: "unhealthy", reason: "stalled" }, 200],
    ] as const) {
      const { done, clock, settle, server } = notedParts({ health, stuck: ["close"] });
      settle();
      const stopped = server.stop();
      await clock.advance(waitMs - 1);
      expect(done).not.toContain("thread ended");
      await clock.advance(1);
      expect(await stopped).toBe("ended");
    }
  });

  it("reports that the thread of its store does not end", async () => {
    const { done, clock, settle, server } = notedParts({ stuck: ["close", "abandon"] });
    settle();
    const stopped = server.stop();
    await clock.advance(10_500);
    expect(await stopped).toBe("store-left");
    expect(done).toContain("store-left");
  });
});

import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createRunningServer, type Parts } from "../../packages/postrider/src/running-server.js";
import { configJson } from "./config-file.js";
import { configOf } from "./server.js";

const TIMEOUT_MS = 5000;

/** Parts that only note what is done to them; the relay's rounds end when the test says so. */
function notedParts() {
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
    relay: { workspace: () => ({ delivery: { timeoutMs: TIMEOUT_MS } }), stop: () => settled.then(note("settled")) },
    http: { close: note("http closed") },
    stores: { close: note("store closed") },
    settings: { config: configOf(configJson()) },
    clock,
    logger: { log: (_: string, { code }: { code: string }) => done.push(code) },
  } as unknown as Parts;
  return { done, clock, settle, server: createRunningServer(parts) };
}

describe("a server that stops", () => {
  it("lets nobody in, then settles, then answers, and closes its store last", async () => {
    const { done, settle, server } = notedParts();
    const stopped = server.stop();
    expect(done).toEqual(["listening ended"]);
    settle();
    await stopped;
    expect(done).toEqual(["listening ended", "settled", "answers out", "http closed", "store closed"]);
  });

  it("does not wait for ever for rounds that do not settle, and says so", async () => {
    const { done, clock, server } = notedParts();
    const stopped = server.stop();
    await clock.advance(TIMEOUT_MS + 1000);
    await stopped;
    expect(done).toEqual(["listening ended", "rounds-left-open", "answers out", "http closed", "store closed"]);
  });
});

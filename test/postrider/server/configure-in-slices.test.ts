// New settings for a server on real sockets, while it is called. Each return to the event loop ends when the test says so.

import type { Clock } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { MAX_STEPS_PER_SLICE } from "../../../packages/postrider/src/timing/run-in-slices.js";
import { SHOP_KEY, WRITE_KEY } from "../../canary.js";
import { configJson } from "../config-file.js";
import { configOf, serverOf, track } from "../server.js";
import { createStepClock } from "../step-clock.js";

/** The real clock, but for returns to the event loop. */
function steppedClock() {
  const [real, steps] = [createSystemClock(), createStepClock()];
  const clock: Clock = { ...real, after: (ms, wake) => (ms === 0 ? steps.after(ms, wake) : real.after(ms, wake)) };
  return { clock, goOn: steps.goOn };
}

/** A config of a few slices; the write key says which. */
function bigConfig(writeKey: string) {
  const ids = Array.from({ length: 2 * MAX_STEPS_PER_SLICE }, (_, index) => `destination-${index}`);
  const [sources, endpoints] = [["shop"], [{ url: "http://127.0.0.1:9/" }]];
  const destinations = ids.map((id) => ({ id, sources, endpoints, paused: true }));
  return configOf(configJson({ sources: [{ id: "shop", writeKey }], destinations }));
}

async function running() {
  const { clock, goOn } = steppedClock();
  const { server, log } = await serverOf(configJson(), {}, clock);
  const statusOf = async (writeKey: string): Promise<number> => (await track(server.url, {}, writeKey)).status;
  return { server, goOn, statusOf, codes: () => log.map(({ code }) => code) };
}

/** Goes on until it is settled. */
async function finish<T>(work: Promise<T>, goOn: () => Promise<void>): Promise<T> {
  const open = new Set([work]);
  const over = work.finally(() => open.delete(work));
  while (open.size > 0) await goOn();
  return over;
}

describe("a config that is checked in slices", () => {
  it("comes into force all at once, and until then callers are answered by the old one", async () => {
    const { server, goOn, statusOf, codes } = await running();
    const [before, next] = [server.config(), bigConfig(SHOP_KEY)];
    const configuring = server.configureInSlices(next);
    await goOn();
    expect(server.config()).toBe(before);
    expect([await statusOf(WRITE_KEY), await statusOf(SHOP_KEY)]).toEqual([200, 401]);
    expect(await finish(configuring, goOn)).toEqual({ kind: "configured" });
    expect(server.config()).toBe(next);
    expect([await statusOf(WRITE_KEY), await statusOf(SHOP_KEY)]).toEqual([401, 200]);
    expect(codes().filter((code) => code === "configured")).toHaveLength(1);
  });

  it("changes nothing when its last destination is bad", async () => {
    const { server, goOn, statusOf, codes } = await running();
    const before = server.config();
    const { workspace, ...rest } = bigConfig(SHOP_KEY);
    const destinations = [...workspace.destinations, { ...workspace.destinations[0]!, name: "All" }];
    const configuring = server.configureInSlices({ ...rest, workspace: { ...workspace, destinations } });
    expect(await finish(configuring, goOn)).toMatchObject({
      kind: "refused",
      problems: [{ code: "reserved-name" }, { code: "duplicate-id" }],
    });
    expect(server.config()).toBe(before);
    expect(await statusOf(WRITE_KEY)).toBe(200);
    expect(codes()).not.toContain("configured");
  });

  it.each(["configure", "configureInSlices"] as const)("is superseded by a later one by %s", async (by) => {
    const { server, goOn, codes } = await running();
    const [first, second] = [bigConfig(SHOP_KEY), bigConfig("wk_second")];
    const configuring = server.configureInSlices(first);
    await goOn();
    const later = Promise.resolve(server[by](second));
    expect(await finish(configuring, goOn)).toEqual({ kind: "superseded" });
    await finish(later, goOn);
    expect(server.config()).toBe(second);
    expect(codes().filter((code) => code === "configured")).toHaveLength(1);
  });

  it("is not superseded by one that is refused at once", async () => {
    const { server, goOn } = await running();
    const next = bigConfig(SHOP_KEY);
    const configuring = server.configureInSlices(next);
    const { workspace, ...rest } = next;
    expect(server.configure({ ...rest, workspace: { ...workspace, sources: [] } })).not.toEqual([]);
    expect(await finish(configuring, goOn)).toEqual({ kind: "configured" });
    expect(server.config()).toBe(next);
  });

  it("is dropped by a server that stops", async () => {
    const { server, goOn, codes } = await running();
    const before = server.config();
    const configuring = server.configureInSlices(bigConfig(SHOP_KEY));
    await goOn();
    const stopped = server.stop();
    expect(await finish(configuring, goOn)).toEqual({ kind: "stopped" });
    expect(await stopped).toBe("ended");
    expect(server.config()).toBe(before);
    expect(codes()).not.toContain("configured");
  });
});

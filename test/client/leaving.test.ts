// What a client does while its page is hidden or left, with what a browser gives it: requests that outlive the page, and beacons.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_OUTLIVING_BYTES } from "../../packages/client/src/limits.js";
import { WRITE_KEY } from "../canary.js";
import { answer, createRig, ENDPOINT, idsOf, type SentBatch, type SentCall } from "./rig.js";

interface Beacon {
  readonly url: string;
  readonly writeKey: string;
  readonly batch: readonly SentCall[];
}

const document = { visibilityState: "visible" };
let listeners: Map<string, ((event: { readonly type: string }) => void)[]>;
let beacons: Beacon[];
let takesBeacons: boolean;

beforeEach(() => {
  [listeners, beacons, takesBeacons] = [new Map(), [], true];
  document.visibilityState = "visible";
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", (type: string, listener: () => void) => {
    listeners.set(type, [...(listeners.get(type) ?? []), listener]);
  });
  vi.stubGlobal("removeEventListener", (type: string, listener: () => void) => {
    listeners.set(type, listeners.get(type)?.filter((one) => one !== listener) ?? []);
  });
  vi.stubGlobal("navigator", {
    sendBeacon: (url: string, body: string) => {
      if (takesBeacons) beacons.push({ url, ...(JSON.parse(body) as Omit<Beacon, "url">) });
      return takesBeacons;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

async function leave(rig: { readonly clock: { settle(): Promise<void> } }, type = "pagehide"): Promise<void> {
  for (const listener of listeners.get(type) ?? []) listener({ type });
  await rig.clock.settle();
}

function outlives({ request }: SentBatch): boolean {
  return request.keepalive === true;
}

function beaconed(): readonly string[] {
  return beacons.flatMap(({ batch }) => idsOf(batch));
}

describe("a client in a page that is left", () => {
  it.each(["pagehide", "visibilitychange"])(
    "sends what waits at once, so that it outlives the page: %s",
    async (type) => {
      const rig = createRig();
      const ids = rig.track(3);
      document.visibilityState = "hidden";
      await leave(rig, type);
      expect(rig.sent.map(outlives)).toEqual([true]);
      expect(idsOf(rig.sent[0]!.batch)).toEqual(ids);
      expect(beacons).toEqual([]);
    },
  );

  it("sends nothing early when the page is shown", async () => {
    const rig = createRig();
    rig.track(3);
    await leave(rig, "visibilitychange");
    expect(rig.sent).toEqual([]);
  });

  it("puts calls that wait for another try into a beacon, with the key in its body", async () => {
    const rig = createRig(() => answer(503));
    const ids = rig.track(20);
    await rig.clock.settle();
    await leave(rig);
    expect(beacons).toMatchObject([{ url: `${ENDPOINT}/v1/batch`, writeKey: WRITE_KEY }]);
    expect(beaconed()).toEqual(ids);
  });

  it("puts what exceeds the browser's limit into beacons, as long as it takes them", async () => {
    const rig = createRig(() => "silent");
    const ids = rig.track(100, { properties: { text: "x".repeat(2_000) } });
    await leave(rig);
    const carried = rig.sent.filter(outlives).flatMap(({ batch }) => idsOf(batch));
    expect(carried.length * 2_000).toBeLessThan(MAX_OUTLIVING_BYTES);
    expect([...carried, ...beaconed()].toSorted()).toEqual(ids.toSorted());
  });

  it("sends again what a beacon has carried, if the page lives on, and in no second beacon", async () => {
    let status = 503;
    const rig = createRig(() => answer(status));
    const ids = rig.track(20);
    await rig.clock.settle();
    await leave(rig);
    await leave(rig, "visibilitychange");
    status = 200;
    await rig.clock.advance(60_000);
    expect(beaconed()).toEqual(ids);
    expect(idsOf(rig.delivered)).toEqual(ids);
  });

  it("keeps its calls if the browser takes no beacon", async () => {
    let status = 503;
    const rig = createRig(() => answer(status));
    takesBeacons = false;
    const ids = rig.track(20);
    await rig.clock.settle();
    await leave(rig);
    status = 200;
    await rig.clock.advance(60_000);
    expect(idsOf(rig.delivered)).toEqual(ids);
  });

  it("counts requests only while they are under way", async () => {
    const rig = createRig();
    for (let round = 0; round < 10; round += 1) {
      rig.track(10, { properties: { text: "x".repeat(2_000) } });
      await leave(rig);
    }
    expect(rig.sent.map(outlives)).toEqual(Array.from({ length: 10 }, () => true));
  });

  it("uses beacons where a request cannot outlive the page", async () => {
    vi.stubGlobal("Request", { prototype: {} });
    const rig = createRig(() => "silent");
    const ids = rig.track(3);
    await leave(rig);
    expect(rig.sent.map(outlives)).toEqual([false]);
    expect(beaconed()).toEqual(ids);
  });

  it("listens no longer once it is closed", async () => {
    const rig = createRig();
    expect([...listeners.values()].flat()).toHaveLength(2);
    await rig.client.close();
    expect([...listeners.values()].flat()).toEqual([]);
  });
});

// A reload to ten thousand destinations while callers call: every call is answered 200 and delivered. Needs `tsc -b`.

import { describe, expect, it } from "vitest";
import { createReceiver, until } from "./receiver.js";
import { createScene, type DestinationJson, destination, track } from "./scene.js";
import { serve } from "./server-process.js";

const DESTINATIONS = 10_000;
const CALLERS = 4;
/** Calls that each caller makes at least, and after the new settings are in force. */
const CALLS = 25;

/** Only the first is connected: no call goes to all of them. */
function many(url: string): readonly DestinationJson[] {
  const others = Array.from({ length: DESTINATIONS - 1 }, (_, index) =>
    destination([`https://receiver-${index}.example/hook`], { id: `other-${index}`, sources: [] }),
  );
  return [destination([url]), ...others];
}

describe("a reload to ten thousand destinations", () => {
  it("loses and refuses no call", async () => {
    const receiver = await createReceiver(200);
    const scene = createScene([destination([receiver.url])]);
    const server = await serve(scene.config);
    const isConfigured = (): boolean => server.log().some(({ code }) => code === "configured");
    scene.rewrite(many(receiver.url));
    const statuses: number[] = [];
    async function call(caller: number): Promise<void> {
      for (let left = CALLS, number = 0; left > 0; number += 1) {
        statuses.push(await track(server.url, { messageId: `${caller}-${number}` }));
        if (isConfigured()) left -= 1;
      }
    }
    const calling = Array.from({ length: CALLERS }, (_, caller) => call(caller));
    await until(() => statuses.length > CALLERS, "first calls");
    server.signal("SIGHUP");
    await Promise.all(calling);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await receiver.count(statuses.length);
    const ids = receiver.requests.map(({ message }) => message["messageId"]);
    expect(new Set(ids).size).toBe(statuses.length);
    expect(server.log().filter(({ level }) => level === "error")).toEqual([]);
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });
});

// A connection to the database that breaks within a commit, at each place that matters: whether it took place is unknown then. The
// caller hears so and repeats the call; however it was, the call is delivered once.

import { describe, expect, it } from "vitest";
import { createReceiver } from "../end-to-end/receiver.js";
import { ask, destination, stats, track } from "../end-to-end/scene.js";
import { serve } from "../end-to-end/server-process.js";
import { installedServers } from "../programs/postgres/servers.js";
import { type CutAt, startCuttingProxy } from "./cutting-proxy.js";
import { writeFleetConfig } from "./fleet.js";
import { startForSuite } from "./suite-server.js";

/** The last message of a reply, which says that the next request may come. */
const READY_BYTES = 6;

interface Place {
  readonly name: string;
  readonly at: CutAt;
  /** Whether the call is stored all the same, so that its repeat is a duplicate. */
  readonly isStored: boolean;
}

const PLACES: readonly Place[] = [
  { name: "before the request", at: "request", isStored: false },
  { name: "before the reply", at: () => 0, isStored: true },
  { name: "after one byte of the reply", at: () => 1, isStored: true },
  { name: "within the reply", at: (bytes) => Math.floor(bytes / 2), isStored: true },
  { name: "before the end of the reply", at: (bytes) => bytes - READY_BYTES, isStored: true },
  { name: "before the last byte of the reply", at: (bytes) => bytes - 1, isStored: true },
];

for (const installed of installedServers().slice(0, 1)) {
  describe(`a server on ${installed.name} whose connection breaks in a commit`, () => {
    const { server, newDatabase } = startForSuite(installed);

    it.each(PLACES)(
      "$name: the caller hears 503, repeats, and the call is delivered once",
      async ({ at, isStored }) => {
        const receiver = await createReceiver(200);
        const proxy = await startCuttingProxy(server().host);
        const direct = await newDatabase();
        const store = direct.replace(encodeURIComponent(server().host), encodeURIComponent(proxy.folder));
        const { url } = await serve(writeFleetConfig(store, [destination([receiver.url])]));
        expect(await track(url, { messageId: "before" })).toBe(200);

        const wasCut = proxy.cut("the-call", at);
        expect(await track(url, { messageId: "the-call" })).toBe(503);
        await wasCut;
        expect(await track(url, { messageId: "the-call" })).toBe(200);
        expect(await track(url, { messageId: "after" })).toBe(200);

        await expect.poll(() => stats(url)).toMatchObject({ accepted: 3, delivered: 3, waiting: 0, claimed: 0 });
        expect(await ask(url, "stats")).toMatchObject({ duplicates: isStored ? 1 : 0 });
        expect(receiver.requests.map(({ message }) => message["messageId"]).sort()).toEqual([
          "after",
          "before",
          "the-call",
        ]);
      },
    );
  });
}

// A write key in a URL is written to the logs of proxies: only a beacon, which cannot send a header, may have it there
// (decision: beacons).

import { CALL_KINDS } from "@postrider/core";
import { expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { request } from "../http/request.js";
import { createWorld } from "./world.js";

const CALL = { userId: "u1", event: "e", name: "n", groupId: "g", previousId: "p", traits: {}, type: "track" };
const SINGLE = CALL_KINDS.flatMap((kind) => [kind, kind.charAt(0)]);
const BATCHES = ["batch", "import", "b"];
const query = `writeKey=${encodeURIComponent(WRITE_KEY)}`;

it.each([...SINGLE, ...BATCHES])("POST /v1/%s with its key only in the query is refused", async (name) => {
  const world = createWorld();
  const body = BATCHES.includes(name) ? { batch: [CALL] } : CALL;
  const answer = await world.ingest(request("POST", `/v1/${name}`, { body, query }));
  expect(answer.status).toBe(401);
  await world.clock.advance(1_000);
  expect(world.messages()).toEqual([]);
});

it("a beacon with its key in the query is accepted", async () => {
  const world = createWorld();
  const answer = await world.ingest(request("POST", "/beacon/v1/batch", { body: { batch: [CALL] }, query }));
  expect(answer.status).toBe(200);
  await world.clock.advance(1_000);
  expect(world.messages()).toHaveLength(1);
});

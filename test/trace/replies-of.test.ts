// From an incident to a new world: what receivers answered becomes a script, and a delivery meets the same fate there.

import { createSimulatedHost } from "@postrider/simulator/simulated-host";
import { readTrace, repliesOf } from "@postrider/relay/trace";
import { sourceId } from "@postrider/core";
import { expect, it } from "vitest";
import { incidentWorkspace, playIncident, TEST_EVENTS } from "./rig.js";

it("scripts the receivers of a simulated host as they answered one delivery of an incident", async () => {
  const { bytes, events } = await playIncident({ seed: 21, calls: 40 });
  const attempts = events.filter((event) => event.kind === "attempted");
  const tried = attempts.filter(({ delivery, destination }) => {
    const own = attempts.filter((one) => one.delivery === delivery);
    return destination === "stats" && own.length > 1;
  });
  const delivery = tried[0]!.delivery;
  const own = attempts.filter((one) => one.delivery === delivery);
  const replies = repliesOf(await readTrace(bytes), { delivery });
  expect(Object.values(replies).flat()).toHaveLength(own.length);

  const workspace = incidentWorkspace();
  const destinations = workspace.destinations.filter(({ id }) => id === "stats");
  const masked = destinations.map((one) => ({
    ...one,
    endpoints: Object.keys(replies).map((url) => ({ url, headers: [] })),
  }));
  const host = createSimulatedHost({ workspace: { ...workspace, destinations: masked }, receivers: replies });
  const call = { type: "track", userId: "u1", event: "Order Completed" };
  expect((await host.relay().accept({ source: sourceId("site"), calls: [call] })).isOk()).toBe(true);
  await host.advance(4 * 3_600_000);
  const [page] = await Promise.all([host.relay().deliveries({ limit: 1 })]);
  const [again] = page.isOk() ? page.value.deliveries : [];
  const verdicts = own.map(({ attempt }) => attempt.verdict).sort();
  const record = await host.relay().delivery(again!.id);
  expect(record.isOk() ? record.value?.attempts.map(({ verdict }) => verdict).sort() : []).toEqual(verdicts);
});

it("has the replies of all deliveries and test events, with what receivers asked for", async () => {
  const { bytes, events } = await playIncident({ seed: 22, calls: 20 });
  const all = Object.values(repliesOf(await readTrace(bytes))).flat();
  expect(all.length).toBe(events.filter(({ kind }) => kind === "attempted").length + TEST_EVENTS);
  expect(all).toContainEqual(expect.objectContaining({ kind: "answers", status: 429, retryAfter: "30" }));
  expect(all).toContainEqual({ kind: "hangs" });
});

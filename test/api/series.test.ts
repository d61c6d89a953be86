import { epochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { createSeries } from "@postrider/relay/metrics";
import { describe, expect, it } from "vitest";
import {
  createObservedSeries,
  delivered,
  died,
  shed,
  START,
  timeAt,
  type ObservedSeries,
} from "../metrics/series/observed-series.js";
import { createRig } from "./rig.js";

/** Two intervals of 10 seconds, and the process slept in between. */
function createLife(): ObservedSeries {
  const world = createObservedSeries();
  world.take();
  for (const event of [shed(3), delivered("crm", 20), died("mail")]) world.observe(event);
  world.wait("crm", 4);
  world.take(10_000);
  world.take(30_000);
  world.observe(delivered("crm", 20_000));
  world.take(10_000);
  return world;
}

async function ask(query: string, { series } = createLife()) {
  const { status, body } = await createRig({ api: { series } }).get(`/api/series${query}`);
  return { status, body: body as Readonly<Record<string, unknown>> };
}

describe("GET /api/series", () => {
  it("answers all intervals of 10 seconds, and of all destinations, with null for a time of which nothing is known", async () => {
    const { status, body } = await ask("");
    const { calls, destination, ...about } = body;
    expect(status).toBe(200);
    expect(about).toEqual({ step: 10, from: formatTimestamp(timeAt(0)), until: formatTimestamp(timeAt(50)) });
    expect(calls).toMatchObject({ shed: [3, null, null, null, 0], accepted: [0, null, null, null, 0] });
    expect(destination).toEqual({
      ...{ delivered: [1, null, null, null, 1], dead: [1, null, null, null, 0], retries: [0, null, null, null, 0] },
      ...{ waiting: [4, null, null, null, 4] },
      ...{ deliveryP50: [0.0175, null, null, null, 20], deliveryP99: [0.02485, null, null, null, 29.8] },
      ...{ requestP50: Array(5).fill(null), requestP99: Array(5).fill(null) },
    });
  });

  it("answers one destination, from the interval of a time on, in the step that is asked for", async () => {
    const mail = await ask("?destination=mail&since=2027-01-15T08:00:09.999Z");
    expect(START).toBe(Date.parse("2027-01-15T08:00:00Z"));
    expect(mail.body["destination"]).toMatchObject({
      dead: [1, null, null, null, 0],
      waiting: [0, null, null, null, 0],
    });
    const crm = await ask("?destination=crm&step=10&since=2027-01-15T08:00:45Z");
    expect([crm.body["from"], crm.body["destination"]]).toMatchObject(["2027-01-15T08:00:40.000Z", { delivered: [1] }]);
    const long = await ask("?destination=crm&step=300");
    expect(long.body).toMatchObject({ step: 300, until: "2027-01-15T08:05:00.000Z", destination: { delivered: [2] } });
  });

  it("answers null for a destination that has no series, and no interval before the second snapshot", async () => {
    expect((await ask("?destination=unknown")).body).toMatchObject({
      destination: null,
      calls: { shed: [3, null, null, null, 0] },
    });
    const { body } = await ask("", { ...createLife(), series: createSeries() });
    expect(body).toMatchObject({ from: formatTimestamp(epochMs(0)), until: formatTimestamp(epochMs(0)) });
    expect(body["destination"]).toMatchObject({ delivered: [] });
  });

  it("answers as many intervals as are kept", async () => {
    const world = createObservedSeries();
    for (let snapshot = 0; snapshot < 2_200; snapshot += 1) world.take(10_000);
    const { body } = await ask("", world);
    expect((body["destination"] as { readonly delivered: unknown }).delivered).toHaveLength(2_160);
  });

  it.each([
    ["?step=60", "step: expected one of 10, 300"],
    ["?since=today", "since: expected an instant such as 2026-01-31T12:00:00.000Z"],
    ["?destination=", "destination: expected a text that is not empty"],
    ["?until=2026-01-31T12:00:00Z", "until: expected one of destination, step, since"],
    ["?step=10&step=300", "step: expected one of 10, 300"],
  ])("refuses %s", async (query, message) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: "bad-query", message } });
  });

  it("answers 404 where the host keeps no series", async () => {
    expect(await createRig().get("/api/series")).toMatchObject({ status: 404, body: { code: "not-found" } });
  });
});

// The metrics of a running server, read as a collector reads them.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../../canary.js";
import { parseExposition } from "../../metrics/parse-exposition.js";
import { parseOpenMetrics } from "../../metrics/parse-openmetrics.js";
import { configJson } from "../config-file.js";
import { receiverOf, serverOf, track } from "../server.js";

const OF_THE_PROGRAM = [
  ...["postrider_deletions_unfinished", "postrider_deletions_oldest_seconds", "postrider_store_file_bytes"],
  ...["postrider_store_disk_free_bytes", "postrider_connections", "postrider_ingest_held_bytes"],
  ...["process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds"],
  "postrider_build_info",
];
const METRICS_TOKEN = "token-of-a-collector-1";

async function scrape(url: string, token: string): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
}

/** The value of the only point of a family with these labels. */
async function valueOf(
  url: string,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const families = parseExposition(await (await scrape(url, METRICS_TOKEN)).text());
  const points = families.flatMap((family) => family.samples).filter((point) => point.name === name);
  return points.find((point) => Object.entries(labels).every(([key, value]) => point.labels.get(key) === value))?.value;
}

async function server(more: object = {}) {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations, ...more }));
  return { url: server.url, receiver };
}

describe("GET /metrics of a server", () => {
  it("counts calls, answers of the way in, attempts and deliveries, and shows the lanes", async () => {
    const { url, receiver } = await server({ metricsToken: METRICS_TOKEN });
    for (const messageId of ["m1", "m2", "m2"]) await track(url, { messageId });
    await receiver.count(2);
    await expect
      .poll(() => valueOf(url, "postrider_deliveries_total", { destination: "crm", outcome: "delivered" }))
      .toBe(2);
    expect(await valueOf(url, "postrider_calls_total", { source: "website", outcome: "accepted" })).toBe(2);
    expect(await valueOf(url, "postrider_calls_total", { source: "website", outcome: "duplicate" })).toBe(1);
  });

  it("has the token of the config, and that of the API where the config has none", async () => {
    const own = await server({ metricsToken: METRICS_TOKEN });
    expect((await scrape(own.url, METRICS_TOKEN)).status).toBe(200);
    expect((await scrape(own.url, TOKEN)).status).toBe(401);
    expect(
      (await fetch(`${own.url}/api/lanes`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).status,
    ).toBe(401);
    const shared = await server();
    const answer = await scrape(shared.url, TOKEN);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
  });

  it("shows the process, the files of the store and the requests to delete, in both formats", async () => {
    const store = `sqlite:${mkdtempSync(join(tmpdir(), "postrider-metrics-"))}/a.db`;
    const { url } = await server({ metricsToken: METRICS_TOKEN, store });
    const authorization = `Bearer ${METRICS_TOKEN}`;
    // Once its first timer has fired.
    await expect.poll(() => valueOf(url, "nodejs_eventloop_delay_p99_seconds", {})).toBeGreaterThanOrEqual(0);
    const plain = parseExposition(await (await scrape(url, METRICS_TOKEN)).text()).map(({ name }) => name);
    expect(plain).toEqual(expect.arrayContaining(OF_THE_PROGRAM));
    const accept = "application/openmetrics-text;version=1.0.0";
    const answer = await fetch(`${url}/metrics`, { headers: { authorization, accept } });
    expect(answer.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    const open = parseOpenMetrics(await answer.text()).map(({ name }) => name);
    expect(open).toEqual(expect.arrayContaining(plain));
  });

  it("shows no id of a message, a user or a delivery, and no secret", async () => {
    const { url, receiver } = await server({ metricsToken: METRICS_TOKEN });
    await track(url, { messageId: "message-of-nine", userId: "user-of-nine" });
    await receiver.count(1);
    const text = await (await scrape(url, METRICS_TOKEN)).text();
    expect(text).toContain("postrider_calls_total");
    expect(text).not.toMatch(/of-nine|Bearer|secret/i);
  });
});

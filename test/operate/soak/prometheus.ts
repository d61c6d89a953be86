// A real Prometheus reads a real server under load: its numbers are those of the API, and an alert fires when a receiver dies and
// ends when it is back. Wants Prometheus of Debian, as `prometheus` or as the path in PROMETHEUS.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { ROOT } from "../../house/packages.js";
import { configJson } from "../../postrider/config-file.js";
import { serverOf } from "../../postrider/server.js";

const PROMETHEUS = process.env["PROMETHEUS"] ?? "prometheus";
const METRICS_TOKEN = "token-of-a-collector-1";
const PORT = Number(process.env["PROMETHEUS_PORT"] ?? 19_090);
const API = `http://127.0.0.1:${String(PORT)}/api/v1`;
const CALLS_PER_TURN = 20;
const TURN_MS = 100;

it("a real Prometheus reads what the API says, and its alert follows a receiver", async () => {
  const receiver = await startReceiver();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, metricsToken: METRICS_TOKEN, destinations }));
  startPrometheus(server.url);
  const load = startLoad(server.url);
  await expect.poll(() => ask("query?query=up"), { timeout: 30_000 }).toContain('"1"');
  expect(await firing()).toEqual([]);
  await wait(10_000);
  await load.stop();

  // The counters of the API and of the metrics are of the same calls, once all have ended and were read.
  await expect.poll(() => counted("sum(postrider_calls_total)"), { timeout: 60_000 }).toBe(load.calls());
  await expect
    .poll(() => counted('postrider_deliveries_total{destination="crm",outcome="delivered"}'), { timeout: 60_000 })
    .toBe(load.calls());
  const stats = await fetch(`${server.url}/api/stats`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await stats.json()).toMatchObject({ accepted: load.calls(), delivered: load.calls() });

  const dying = startLoad(server.url);
  receiver.die();
  const diedAt = Date.now();
  await expect.poll(firing, { timeout: 120_000, interval: 500 }).toContain("PostriderLaneHeld crm");
  console.log(`the alert fired ${String(Math.round((Date.now() - diedAt) / 1_000))} s after the receiver died`);
  await dying.stop();
  receiver.revive();
  await expect.poll(firing, { timeout: 300_000, interval: 500 }).not.toContain("PostriderLaneHeld crm");
  console.log(`${String(load.calls() + dying.calls())} calls; the alert ended once the receiver was back`);
});

/** With the alerts of docs/operate, whose `for` is five seconds here in place of minutes. */
function startPrometheus(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), "postrider-prometheus-"));
  const rules = readFileSync(join(ROOT, "docs/operate/alerts.yml"), "utf8");
  writeFileSync(join(folder, "alerts.yml"), rules.replaceAll(/for: \d+m/g, "for: 5s"));
  writeFileSync(join(folder, "token"), METRICS_TOKEN);
  const scrape = { job_name: "postrider", authorization: { credentials_file: join(folder, "token") } };
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["alerts.yml"],
    scrape_configs: [{ ...scrape, static_configs: [{ targets: [new URL(target).host] }] }],
  };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const words = [
    "--config.file=prometheus.yml",
    "--storage.tsdb.path=data",
    `--web.listen-address=127.0.0.1:${String(PORT)}`,
  ];
  const child = spawn(PROMETHEUS, words, { cwd: folder, stdio: "ignore" });
  onTestFinished(() => void child.kill());
}

async function ask(path: string): Promise<string> {
  return fetch(`${API}/${path}`).then(
    (answer) => answer.text(),
    () => "",
  );
}

async function counted(query: string): Promise<number> {
  const { data } = JSON.parse(await ask(`query?query=${encodeURIComponent(query)}`)) as {
    readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  return Number(data.result[0]?.value[1]);
}

async function firing(): Promise<readonly string[]> {
  const { data } = JSON.parse(await ask("alerts")) as {
    readonly data: { readonly alerts: readonly { state: string; labels: Readonly<Record<string, string>> }[] };
  };
  const fired = data.alerts.filter(({ state }) => state === "firing");
  return fired.map(({ labels }) => `${labels["alertname"] ?? ""} ${labels["destination"] ?? ""}`.trim());
}

async function startReceiver() {
  let isDead = false;
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(isDead ? 503 : 200).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const { port } = receiver.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/`, die: () => (isDead = true), revive: () => (isDead = false) };
}

/** 200 calls a second, until it is stopped. */
function startLoad(url: string) {
  let calls = 0;
  let isOver = false;
  const authorization = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
  async function run(): Promise<void> {
    while (!isOver) {
      const batch = Array.from({ length: CALLS_PER_TURN }, () => ({ type: "track", userId: "u1", event: "Seen" }));
      const answer = await fetch(`${url}/v1/batch`, {
        method: "POST",
        headers: { authorization },
        body: JSON.stringify({ batch }),
      });
      if (answer.status === 200) calls += CALLS_PER_TURN;
      await wait(TURN_MS);
    }
  }
  const running = run();
  return {
    calls: () => calls,
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

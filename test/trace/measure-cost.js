// `npm run build && node test/trace/measure-cost.js [pairs]`: what recording costs. The same calls through a relay with a SQLite
// file, real sockets and the real clock, without and with a recording, in pairs; prints the CPU time of each call.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION, destinationId, sourceId } from "@postrider/core";
import { createRelay } from "@postrider/relay";
import { openStores } from "@postrider/sqlite/file";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { recordPorts } from "@postrider/relay/trace";
import { createUndiciHttp } from "@postrider/undici";

const PAIRS = Number(process.argv[2] ?? 10);
const CALLS = 4_000;
const AT_ONCE = 40;
const RECEIVER = `require("http").createServer((q, s) => q.resume().on("end", () => s.end())).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});`;

const receiver = spawn(process.execPath, ["-e", RECEIVER], { stdio: ["ignore", "pipe", "inherit"] });
const [port] = await once(createInterface({ input: receiver.stdout }), "line");

try {
  const shares = [];
  await run(false);
  await run(true);
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const isFirst = pair % 2 === 0;
    const first = await run(!isFirst);
    const second = await run(isFirst);
    const [off, on] = isFirst ? [first, second] : [second, first];
    shares.push(on / off - 1);
    console.log(`off ${off.toFixed(1)} µs, on ${on.toFixed(1)} µs a call: ${percent(on / off - 1)}`);
  }
  shares.sort((one, other) => one - other);
  console.log(`median of ${String(PAIRS)} pairs: ${percent(shares[Math.floor(shares.length / 2)])}`);
} finally {
  receiver.kill();
}

/**
 * @param {boolean} isRecorded
 * @returns {Promise<number>} the CPU time of a call with its delivery, in microseconds, over all threads
 */
async function run(isRecorded) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-cost-"));
  const clock = createSystemClock();
  const stores = await openStores(join(folder, "store.db"));
  const http = createUndiciHttp({ clock, network: { allow: ["127.0.0.0/8"] } });
  const ports = { store: stores.store, http, clock, random: createSystemRandom() };
  let delivered = 0;
  const observe = (event) => {
    if (event.kind === "delivered") delivered += 1;
  };
  const relay = createRelay({ workspace: workspace(), ...(isRecorded ? recordPorts(ports).ports : ports), observe });
  relay.start();
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => relay.accept(arrival(call + at))));
  }
  while (delivered < CALLS) await new Promise((resolve) => setTimeout(resolve, 5));
  const { user, system } = process.cpuUsage(before);
  await relay.stop();
  await http.close();
  await stores.close();
  rmSync(folder, { recursive: true });
  return (user + system) / CALLS;
}

function arrival(call) {
  const properties = { total: call / 8, currency: "EUR", products: [{ sku: "A-1", quantity: 2, price: 9.5 }] };
  const context = { ip: "10.0.0.1", library: { name: "analytics.js", version: "2.1.0" }, page: { path: "/checkout" } };
  const one = { type: "track", event: "Order Completed", userId: `user-${String(call % 97)}`, properties, context };
  return { source: sourceId("site"), calls: [one] };
}

function workspace() {
  const site = sourceId("site");
  return {
    sources: [{ id: site, name: "Site", writeKey: createSecret("wk_cost") }],
    destinations: [
      {
        ...{ id: destinationId("crm"), name: "crm", enabled: true, paused: false, acceptsHistorical: true },
        sources: [{ source: site, mode: "cloud" }],
        endpoints: [{ url: `http://127.0.0.1:${port}/hook`, headers: [] }],
        secrets: [createSecret("a long shared secret")],
      },
    ],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
  };
}

function percent(share) {
  return `${share < 0 ? "-" : "+"}${Math.abs(100 * share).toFixed(1)} %`;
}

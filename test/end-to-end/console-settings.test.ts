// A save in the console that was answered is kept, though the server is killed before it has the settings in force.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SECRET, TOKEN } from "../canary.js";
import { close, listen } from "../loopback.js";
import { tempFolder } from "../postrider/config-file.js";
import { deliveries } from "./scene.js";
import { serve } from "./server-process.js";

const KEY = "wk_for_this_test_alone";
const DIGEST = `sha256:${createHash("sha256").update(KEY).digest("hex")}`;

it("saves settings in the console, is killed at once, and has them in force after the next start", async () => {
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    arrived.push(String(request.headers["x-signature"]));
    request.resume().once("end", () => response.end());
  });
  const port = await listen(receiver);
  onTestFinished(() => close(receiver));
  const config = join(tempFolder(), "postrider.json");
  const machine = { listen: { port: 0 }, settings: "store", apiToken: TOKEN, sealingKeys: [`${TOKEN}-seal`] };
  writeFileSync(config, JSON.stringify({ ...machine, network: { allow: ["127.0.0.0/8"] } }));
  const first = await serve(config);
  const saved = await saveOn(first.url, `http://127.0.0.1:${String(port)}/hook`);
  await first.kill();
  expect(saved).toEqual({ revision: 1 });

  const second = await serve(config);
  const authorization = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`;
  const body = JSON.stringify({ userId: "u1", event: "Signed Up" });
  expect((await fetch(`${second.url}/v1/track`, { method: "POST", headers: { authorization }, body })).status).toBe(
    200,
  );
  await expect.poll(() => arrived.length).toBe(1);
  expect(arrived[0]).toMatch(/^[\da-f]{40}$/);
  await expect.poll(async () => (await deliveries(second.url)).map(({ state }) => state)).toEqual(["delivered"]);
});

/** Logs in and puts the first settings, as the page does. */
async function saveOn(url: string, hook: string): Promise<unknown> {
  const headers = { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const login = await fetch(`${url}/console/session`, {
    method: "POST",
    headers,
    body: JSON.stringify({ token: TOKEN }),
  });
  const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
  const settings = {
    sources: [{ id: "web", writeKey: DIGEST }],
    destinations: [{ id: "crm", sources: ["web"], endpoints: [{ url: hook }], sharedSecret: SECRET }],
  };
  const put = { method: "PUT", headers: { ...headers, cookie, "if-match": '"0"' }, body: JSON.stringify(settings) };
  return (await fetch(`${url}/console/api/settings`, put)).json();
}

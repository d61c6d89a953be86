// The canaries, and everything that is done with them: a config full of canaries, one with an error in every place, calls,
// requests to the API, and commands.

import { inspect } from "node:util";
import { OLD_SECRET, SECRET, TOKEN, WRITE_KEY } from "../canary.js";
import type { ConfigJson } from "../postrider/config-file.js";
import { runProcess } from "./server-process.js";

/** Goes to receivers, as a header, and nowhere else. */
export const HEADER = "MASKED-header";
/** Part of a URL, which settings and the store show; answers and the log do not. */
export const QUERY = "MASKED-query";

interface EndpointJson {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function destination(id: string, ...urls: readonly string[]): object {
  const endpoints = urls.map((url): EndpointJson => ({
    url: `${url}/hook?key=${QUERY}`,
    headers: { Authorization: `Bearer ${HEADER}` },
  }));
  return { id, sources: ["website"], endpoints, sharedSecret: [SECRET, OLD_SECRET], standardWebhooks: true };
}

export function planted(destinations: readonly object[]): ConfigJson {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    store: "sqlite:./postrider.db",
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations,
    delivery: { timeoutMs: 300, retryWindowMs: 1_500, firstRetryMs: 100, maxRetryMs: 300, leaseMs: 6_000 },
    network: { allow: ["127.0.0.0/8"] },
  };
}

/** A config with every kind of wrong value, and a canary in each place for a value. */
export const BROKEN: ConfigJson = {
  apiToken: [TOKEN],
  store: `mysql:${SECRET}`,
  sources: [
    { id: "website", writeKey: `sha256:${WRITE_KEY}` },
    { id: "shop", writeKey: { key: WRITE_KEY }, rateLimit: WRITE_KEY },
    { id: "a", writeKey: WRITE_KEY },
    { id: "b", writeKey: WRITE_KEY },
  ],
  destinations: [
    {
      id: "crm",
      sources: ["website"],
      endpoints: [
        { url: `ftp://${SECRET}`, headers: { "X-A": `${HEADER}\n`, Host: HEADER, "X-B": [HEADER] } },
        { url: `https://user:${SECRET}@example.com` },
      ],
      sharedSecret: { secret: SECRET },
    },
  ],
  delivery: { timeoutMs: SECRET },
  network: { allow: [SECRET], ca: [SECRET] },
};

const AUTHORIZATION = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;

/** Sends a request, and returns status, headers and body as one text. */
async function ask(url: string, path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${url}${path}`, init);
  return `${String(response.status)} ${inspect([...response.headers])} ${await response.text()}`;
}

function call(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  return ask(url, path, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

/** Good, bad and refused calls, with the key in every place where it is allowed. */
export async function makeCalls(url: string): Promise<readonly string[]> {
  const track = { type: "track", userId: "u1", event: "Signed Up" };
  const basic = { authorization: AUTHORIZATION };
  return [
    await call(url, "/v1/track", track, basic),
    await call(url, "/v1/track", { ...track, writeKey: WRITE_KEY }),
    await call(url, "/v1/batch", { batch: [{ ...track, writeKey: WRITE_KEY }, 7, {}], writeKey: WRITE_KEY }),
    await call(url, "/v1/track", { userId: "u1", writeKey: WRITE_KEY }),
    await call(url, "/v1/track", `{"writeKey":"${WRITE_KEY}"`, basic),
    await call(url, "/v1/track", "x".repeat(600_000), basic),
    await call(url, "/v1/track", track, { authorization: `Bearer ${WRITE_KEY}` }),
    await call(url, "/v1/track", { ...track, writeKey: `${WRITE_KEY}-wrong` }),
    await call(url, `/v1/${WRITE_KEY}`, track, basic),
    await ask(url, `/v1/projects/${WRITE_KEY}-wrong/settings`),
  ];
}

/** Requests to all routes of the API, refused ones included. */
export async function useApi(url: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const list = await ask(url, "/api/deliveries?limit=500", { headers });
  const { deliveries } = JSON.parse(list.slice(list.indexOf("{"))) as { deliveries: readonly { id: string }[] };
  const each = deliveries.map(({ id }) => ask(url, `/api/deliveries/${id}`, { headers }));
  const replays = deliveries.map(({ id }) => ask(url, `/api/deliveries/${id}/replay`, { method: "POST", headers }));
  return [
    list,
    ...(await Promise.all(each)),
    ...(await Promise.all(replays)),
    await ask(url, "/healthz"),
    await ask(url, "/api/stats", { headers }),
    await ask(url, "/api/lanes", { headers }),
    await ask(url, "/api/calls", { headers }),
    await ask(url, "/metrics", { headers }),
    await ask(url, "/metrics", { headers: { ...headers, accept: "application/openmetrics-text;version=1.0.0" } }),
    await ask(url, `/metrics?token=${TOKEN}`, { headers: { authorization: `Bearer ${TOKEN}-wrong` } }),
    await ask(url, `/api/deliveries?state=${TOKEN}`, { headers }),
    await ask(url, `/api/${TOKEN}`, { headers }),
    await ask(url, "/api/stats", { headers: { authorization: `Basic ${TOKEN}` } }),
    await call(url, "/api/replay", { destination: "refusing" }, headers),
    await call(url, "/api/replay", { destination: [TOKEN] }, headers),
  ];
}

export async function useCommands(url: string): Promise<readonly string[]> {
  const send = ["send", "--url", url, "--write-key", WRITE_KEY];
  const replay = ["replay", "--url", url, "--token", TOKEN];
  const lines = [
    [...send, "track", "--user", "u1", "--event", "e"],
    [...send, "track", "--user", "u1"],
    [...send.slice(0, -1), `${WRITE_KEY}-wrong`, "track", "--user", "u1", "--event", "e"],
    ["send", "--url", "http://127.0.0.1:9", "--write-key", WRITE_KEY, "track", "--user", "u1", "--event", "e"],
    [...replay, "999"],
    [...replay, "--destination", "refusing"],
    ["replay", "--url", "http://127.0.0.1:9", "--token", TOKEN, "999"],
  ].map(async (words) => {
    const program = runProcess(words);
    const { code } = await program.exit;
    return [String(code), ...program.out, ...program.err].join("\n");
  });
  return Promise.all(lines);
}

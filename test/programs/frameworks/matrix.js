// Sends each request to each host, and writes down what was answered and how fast. As a program, prints that as a table:
// `npm run build && node test/programs/frameworks/matrix.js`.

import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { createPostrider } from "postrider";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";
import { HOSTS, PREFIX } from "./hosts.js";

/** How often each request is sent; the median of the times counts. */
export const TIMES = 9;

const NO_ANSWER = "none";

const JSON_TYPE = { "content-type": "application/json" };
const callOf = (messageId) => ({ messageId, userId: "u1", event: "Signed Up", properties: { plan: "pro" } });

/** By name: what is sent to which path. The first four have the write key in a header. */
const REQUESTS = {
  json: (messageId) => ({ headers: JSON_TYPE, body: JSON.stringify(callOf(messageId)) }),
  gzip: (messageId) => ({
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
    body: gzipSync(JSON.stringify(callOf(messageId))),
  }),
  "invalid JSON": (messageId) => ({ headers: JSON_TYPE, body: JSON.stringify(callOf(messageId)).slice(0, -1) }),
  empty: () => ({ headers: JSON_TYPE, body: "" }),
  beacon: (messageId, writeKey) => ({
    path: "/v1/batch",
    headers: { "content-type": "text/plain;charset=UTF-8", authorization: "" },
    body: JSON.stringify({ batch: [{ type: "track", ...callOf(messageId) }], writeKey }),
  }),
};

/**
 * A row for each framework, way and request: `answer` is the status, with the code of an error where Postrider gave it, and "of the
 * framework" where it is not; "none" if there was no answer within the limit. `stored`: how many calls were stored.
 * `ms`: the median time until the answer was read.
 */
export async function measure(writeKey) {
  const rows = [];
  for (const [framework, ways] of Object.entries(HOSTS)) {
    for (const [way, start] of Object.entries(ways)) {
      for (const row of await measureHost(way, start, writeKey)) rows.push({ framework, way, ...row });
    }
  }
  return rows;
}

async function measureHost(way, start, writeKey) {
  const prefix = way === "plain" ? "" : PREFIX;
  const postrider = await createPostrider({
    store: "memory:",
    sources: [{ id: "website", writeKey }],
    destinations: [],
    basePath: way === "by koa-mount" ? "" : prefix,
  });
  const server = await start(postrider, prefix);
  const url = `http://127.0.0.1:${server.address().port}${prefix}`;
  const rows = [];
  for (const name of Object.keys(REQUESTS)) rows.push(await measureRequest(name, url, { writeKey, postrider }));
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
  await postrider.close();
  return rows;
}

async function measureRequest(request, url, { writeKey, postrider }) {
  const before = await acceptedBy(postrider);
  const answers = [];
  const times = [];
  for (let time = 0; time < TIMES && !answers.includes(NO_ANSWER); time += 1) {
    const sent = REQUESTS[request](`${request}-${time}`, writeKey);
    const startedAt = performance.now();
    answers.push(await answerTo(sent, url, writeKey));
    times.push(performance.now() - startedAt);
  }
  const ms = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
  return { request, answer: [...new Set(answers)].join(" or "), stored: (await acceptedBy(postrider)) - before, ms };
}

async function acceptedBy(postrider) {
  return (await postrider.relay.stats()).match(
    ({ accepted }) => accepted,
    (error) => Promise.reject(error),
  );
}

async function answerTo({ path = "/v1/track", headers, body }, url, writeKey) {
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
  const signal = AbortSignal.timeout(CONDITION_WATCHDOG_MS);
  const sent = { method: "POST", headers: { authorization, ...headers }, body, signal };
  try {
    const response = await fetch(url + path, sent);
    return `${response.status}${reasonIn(response.status, await response.text())}`;
  } catch {
    return NO_ANSWER;
  }
}

function reasonIn(status, text) {
  if (status === 200) return "";
  try {
    const { error } = JSON.parse(text);
    if (typeof error.code === "string") return ` ${error.code}`;
  } catch {
    // An answer that the framework gave.
  }
  return " of the framework";
}

function tableOf(rows) {
  const names = Object.keys(REQUESTS);
  const cell = ({ answer, ms }) => `${answer}, ${ms.toFixed(1)} ms`;
  const lines = [...byHost(rows)].map(([host, cells]) => `| ${[host, ...cells.map(cell)].join(" | ")} |`);
  return [`| framework | way | ${names.join(" | ")} |`, `|${" --- |".repeat(names.length + 2)}`, ...lines].join("\n");
}

function byHost(rows) {
  const hosts = new Map();
  for (const row of rows) {
    const host = `${row.framework} | ${row.way}`;
    hosts.set(host, [...(hosts.get(host) ?? []), row]);
  }
  return hosts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(tableOf(await measure("wk_matrix")));

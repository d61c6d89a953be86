// Four callers in a separate process, for the benchmark of reloads. Between `begin` and `end` they record how long each
// call waits for its answer.

import { Agent, request } from "node:http";
import { now } from "./now.js";

const [, , url, writeKey] = process.argv;
const CALLERS = 4;
const PAUSE_MS = 4;

const agent = new Agent({ keepAlive: true });
const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
let times = [];
let failed = 0;

function call() {
  const startedAt = now();
  return new Promise((resolve) => {
    const end = (isGood) => {
      if (!isGood) failed += 1;
      times.push(now() - startedAt);
      resolve();
    };
    const calling = request(`${url}/v1/track`, { method: "POST", agent, headers: { authorization } }, (response) => {
      response.resume().on("end", () => end(response.statusCode === 200));
    });
    calling.on("error", () => end(false));
    calling.end(JSON.stringify({ userId: "u1", event: "Signed Up" }));
  });
}

async function keepCalling() {
  for (;;) {
    await call();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

process.on("message", (word) => void hear(word));

/** The answer to a separate call shows that the server has answered those before it. */
async function hear(word) {
  if (word === "begin") [times, failed] = [[], 0];
  await call();
  process.send({ times, failed });
}

for (let caller = 0; caller < CALLERS; caller += 1) void keepCalling();
await call();
process.send("ready");

// A program that uses CPU by its own account, for the tests of what is measured from outside: it burns on its main thread, in a worker or
// in a child, as the message of its parent says, and answers the milliseconds that it has used.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const ITSELF = fileURLToPath(import.meta.url);
const BURNT_US = 200_000;
const WAYS = { main: burn, worker: burnInWorker, child: burnInChild };

if (!isMainThread) parentPort.on("message", () => parentPort.postMessage(burn()));
else if (process.argv[2] === "once") process.send(burnOnce());
else listen();

const worker = isMainThread && process.argv[2] !== "once" ? new Worker(ITSELF, { execArgv: [] }) : undefined;

function listen() {
  process.on("message", answer);
  process.send({ kind: "ready" });
}

async function answer({ way }) {
  if (way !== undefined) process.send({ kind: "burnt", usedMs: await WAYS[way]() });
}

/** Until the whole process has used it, by its own account: the other threads are idle meanwhile. */
function burn() {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= BURNT_US) return (user + system) / 1_000;
  }
}

/** The whole life of a process. */
function burnOnce() {
  burn();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function burnInWorker() {
  const burnt = new Promise((resolve) => worker.once("message", resolve));
  worker.postMessage("burn");
  return burnt;
}

/** In one that has ended before this resolves. */
async function burnInChild() {
  const child = fork(ITSELF, ["once"]);
  const told = new Promise((resolve) => child.once("message", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const usedMs = await told;
  child.disconnect();
  await ended;
  return usedMs;
}

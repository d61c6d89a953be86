// Benchmark 1: as many calls as possible over HTTP in batches, stored, signed, delivered and settled; beside the same job
// on other queues, and beside a bare loop of POSTs. A run is over when all accepted calls have been settled.

import { createBare } from "./arms/bare.js";
import { createOurs } from "./arms/ours.js";
import { createPeer } from "./arms/peer.js";
import { now } from "./now.js";
import { pour } from "./pour.js";
import { cpuMsOf, until } from "./processes.js";
import { ARMS, BARE_CONNECTIONS, BASE, CHECKS, ROUNDS, RUN_MS, WARM_UP_MS } from "./settings.js";
import { shuffled } from "./statistics.js";

/** Answers a result for each arm in each round: `rounds[n][name]`. */
export async function measureThroughput({ receiver, servers, tell }) {
  const arms = armsOf(servers);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = {};
    for (const arm of shuffled(arms)) {
      results[arm.name] = await (arm.isBare ? runBare : runArm)(arm, receiver);
      tell(`${arm.name} ${Math.round(results[arm.name].postsPerSecond)}/s`);
    }
    rounds.push(results);
  }
  return { arms: arms.map(({ name }) => name), rounds };
}

/** The arms that store, if their servers are available. */
export function storingArms({ redis, postgres }) {
  const peers = [
    ...(redis.missing === undefined ? [createPeer("bullmq", redis)] : []),
    ...(postgres.missing === undefined ? [createPeer("pg-boss", postgres)] : []),
    createPeer("plainjob", undefined),
  ];
  const base = BASE === undefined ? [] : [createOurs("base", BASE)];
  return [createOurs(), createOurs("ours again"), ...base, ...peers].filter(isWanted);
}

function armsOf(servers) {
  return [...storingArms(servers), ...BARE_CONNECTIONS.map(createBare).filter(isWanted)];
}

function isWanted({ name }) {
  return ARMS === undefined || ARMS.includes(name);
}

async function runArm(arm, receiver) {
  await receiver.keep(CHECKS ? "requests" : "nothing");
  const running = await arm.start(receiver.url);
  let stopped;
  const result = await measure().finally(async () => {
    stopped = await running.stop();
  });
  return { ...result, ...stopped };

  async function measure() {
    const warm = await pour(running.url, receiver, { forMs: WARM_UP_MS });
    await allSettled(running, receiver, warm);
    const before = readCpu(running);
    const startedAt = now();
    const calls = await pour(running.url, receiver, { forMs: RUN_MS });
    await allSettled(running, receiver, warm + calls);
    const ms = now() - startedAt;
    const after = readCpu(running);
    const perPost = (name) => ((after[name] - before[name]) * 1_000) / calls;
    return {
      postsPerSecond: (calls / ms) * 1_000,
      cpuUs: { process: perPost("process"), servers: perPost("servers"), callers: perPost("callers") },
      ...(CHECKS ? { checks: await check(running, receiver, warm + calls) } : {}),
    };
  }
}

async function runBare(arm, receiver) {
  await receiver.keep(CHECKS ? "requests" : "nothing");
  const running = await arm.start(receiver.url);
  try {
    const warm = await running.run(WARM_UP_MS);
    const before = cpuMsOf([running.pid]);
    const { posts, ms } = await running.run(RUN_MS);
    const cpuUs = { process: ((cpuMsOf([running.pid]) - before) * 1_000) / posts, servers: 0, callers: 0 };
    const checks = CHECKS ? { checks: { calls: warm.posts + posts, ...(await receiver.report()) } } : {};
    return { postsPerSecond: (posts / ms) * 1_000, cpuUs, ...checks };
  } finally {
    await running.stop();
  }
}

/** Resolves when all accepted calls have reached the receiver, and have been settled in the store. */
export async function allSettled(running, receiver, calls) {
  await until(() => receiver.received() >= calls, `the last of ${calls} deliveries`, 1);
  await until(async () => (await running.settled()) >= calls, `the last of ${calls} settlements`, 2);
}

function readCpu({ pid, serverPids }) {
  const { user, system } = process.cpuUsage();
  return { process: cpuMsOf([pid]), servers: cpuMsOf(serverPids), callers: (user + system) / 1_000 };
}

async function check(running, receiver, calls) {
  const report = await receiver.report();
  const durability = await running.durability();
  return { calls, ...report, durability, inStore: await running.inStore() };
}

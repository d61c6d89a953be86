// Benchmark 1: as many calls as possible over HTTP in batches, stored, signed, delivered and settled; beside the same job
// on other queues, and beside a bare loop of POSTs. A run is over when all accepted calls have been settled.

import { createBare } from "./arms/bare.js";
import { createOurs } from "./arms/ours.js";
import { createPeer } from "./arms/peer.js";
import { inRounds } from "./rounds.js";
import { runArm } from "./run-arm.js";
import { ARMS, BARE_CONNECTIONS, BASE } from "./settings.js";

/** Answers a result for each arm in each round: `rounds[n][name]`. */
export async function measureThroughput({ receiver, servers, tell }) {
  const arms = [...storingArms(servers), ...BARE_CONNECTIONS.map((count) => createBare(count)).filter(isWanted)];
  const describe = ({ postsPerSecond, cpuUs }) => `${Math.round(postsPerSecond)}/s, ${cpuUs.process.toFixed(1)} µs`;
  const rounds = await inRounds(arms, { run: (arm) => runArm(arm, receiver), describe, tell });
  return { arms: arms.map(({ name }) => name), rounds };
}

/** The arms that store, if their servers are available. */
export function storingArms({ redis, postgres }) {
  const peers = [
    ...(redis.missing === undefined ? [createPeer("bullmq", redis)] : []),
    ...(postgres.missing === undefined ? [createPeer("pg-boss", postgres)] : []),
    createPeer("plainjob", undefined),
  ];
  return [createOurs(), createOurs("ours again"), ...baseArms(), ...peers].filter(isWanted);
}

/** The other checkout, if there is one. */
export function baseArms() {
  return BASE === undefined ? [] : [createOurs("base", BASE)];
}

export function isWanted({ name }) {
  return ARMS === undefined || ARMS.includes(name);
}

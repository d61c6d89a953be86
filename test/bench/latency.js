// Benchmark 3: single calls at an even rate. The time from the request to its 200, and from the 200 to the receiver's
// first byte. The message may arrive before its caller gets the 200: then the second is negative.

import { startMeter } from "./cpu/meter.js";
import { drip } from "./pour.js";
import { inRounds } from "./rounds.js";
import { allSettled } from "./run-arm.js";
import { CALLS_PER_SECOND, RUN_MS, WARM_UP_MS } from "./settings.js";
import { quantile } from "./statistics.js";
import { storingArms } from "./throughput.js";

/** Answers for each arm in each round `{ toAnswer, toFirstByte, whole, cpuUs }`, each but the last `{ p50, p99 }` in milliseconds. */
export async function measureLatency({ receiver, servers, tell }) {
  const arms = storingArms(servers);
  const describe = ({ toAnswer, toFirstByte }) =>
    `${toAnswer.p50.toFixed(1)} ms, then ${toFirstByte.p50.toFixed(1)} ms`;
  const rounds = await inRounds(arms, { run: (arm) => runPaced(arm, receiver), describe, tell });
  return { arms: arms.map(({ name }) => name), rounds };
}

async function runPaced(arm, receiver) {
  await receiver.keep("times");
  const running = await arm.start({ url: receiver.url });
  try {
    const warm = await drip(running.url, { forMs: WARM_UP_MS, callsPerSecond: CALLS_PER_SECOND });
    const meter = await startMeter(running);
    const calls = await drip(running.url, { forMs: RUN_MS, callsPerSecond: CALLS_PER_SECOND });
    await allSettled(running, receiver, warm.length + calls.length);
    const { cpuUs, kinst } = await meter.read(calls.length);
    const { times } = await receiver.report();
    return { calls: calls.length, cpuUs, kinst, ...latenciesOf(calls, times) };
  } finally {
    await running.stop();
  }
}

/** Joins the records of callers and receiver. A message that came twice counts when it came first. */
export function latenciesOf(calls, times) {
  const firstByteAt = new Map();
  for (const { id, firstByteAt: at } of times) firstByteAt.set(id, Math.min(at, firstByteAt.get(id) ?? Infinity));
  const of = (pick) => {
    const values = calls.map(pick);
    return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
  };
  return {
    toAnswer: of(({ askedAt, answeredAt }) => answeredAt - askedAt),
    toFirstByte: of(({ id, answeredAt }) => firstByteAt.get(id) - answeredAt),
    whole: of(({ id, askedAt }) => firstByteAt.get(id) - askedAt),
  };
}

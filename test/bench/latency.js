// Benchmark 2: single calls at an even rate. The time from the request to its 200, and from the 200 to the receiver's
// first byte. The message may arrive before its caller gets the 200: then the second is negative.

import { drip } from "./pour.js";
import { CALLS_PER_SECOND, ROUNDS, RUN_MS, WARM_UP_MS } from "./settings.js";
import { quantile, shuffled } from "./statistics.js";
import { allSettled, storingArms } from "./throughput.js";

/** Answers for each arm in each round `{ toAnswer, toFirstByte, whole }`, each `{ p50, p99 }` in milliseconds. */
export async function measureLatency({ receiver, servers, tell }) {
  const arms = storingArms(servers);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = {};
    for (const arm of shuffled(arms)) {
      results[arm.name] = await runArm(arm, receiver);
      const { toAnswer, toFirstByte } = results[arm.name];
      tell(`${arm.name} ${toAnswer.p50.toFixed(1)} ms, then ${toFirstByte.p50.toFixed(1)} ms`);
    }
    rounds.push(results);
  }
  return { arms: arms.map(({ name }) => name), rounds };
}

async function runArm(arm, receiver) {
  await receiver.keep("times");
  const running = await arm.start(receiver.url);
  try {
    const warm = await drip(running.url, { forMs: WARM_UP_MS, callsPerSecond: CALLS_PER_SECOND });
    const calls = await drip(running.url, { forMs: RUN_MS, callsPerSecond: CALLS_PER_SECOND });
    await allSettled(running, receiver, warm.length + calls.length);
    const { times } = await receiver.report();
    return { calls: calls.length, ...latenciesOf(calls, times) };
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

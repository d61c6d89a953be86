// One run of one arm: it starts, is warmed up, gets as many calls as it takes, or makes as many POSTs as are answered, and ends. Answers
// how many a second, and what each cost.

import { startMeter, followChild } from "./cpu/meter.js";
import { now } from "./now.js";
import { pour } from "./pour.js";
import { until } from "./processes.js";
import { CHECKS, RUN_MS, WARM_UP_MS } from "./settings.js";

/**
 * `{ postsPerSecond, cpuUs, kinst, loopDelayMs }`. `variant` has the calls of `pour`, and how the receiver answers; a bare loop makes no
 * calls.
 */
export async function runArm(arm, receiver, variant = {}) {
  const { delayMs, answer, isSecure = false, batch, isSingle, callers, bodyBytes } = variant;
  await receiver.keep(CHECKS ? "requests" : "nothing", { delayMs, answer });
  const running = await arm.start(isSecure ? receiver.secure : { url: receiver.url });
  try {
    const load = { batch, isSingle, callers, bodyBytes };
    return await (arm.isBare ? measureBare(running, receiver) : measureCalls(running, receiver, load));
  } finally {
    await running.stop();
  }
}

async function measureCalls(running, receiver, load) {
  const warm = await pour(running.url, receiver, { forMs: WARM_UP_MS, ...load });
  await allSettled(running, receiver, warm);
  const costs = await startCosts(running, receiver);
  const startedAt = now();
  const calls = await pour(running.url, receiver, { forMs: RUN_MS, ...load });
  await allSettled(running, receiver, warm + calls);
  const ms = now() - startedAt;
  const result = { postsPerSecond: (calls / ms) * 1_000, ...(await costs.read(calls)) };
  return CHECKS ? { ...result, checks: await check(running, receiver, warm + calls) } : result;
}

async function measureBare(running, receiver) {
  const warm = await running.run(WARM_UP_MS);
  const costs = await startCosts(running, receiver);
  const { posts, ms } = await running.run(RUN_MS);
  const { cpuUs, ...others } = await costs.read(posts);
  // Nothing but its answers calls it.
  const result = { postsPerSecond: (posts / ms) * 1_000, cpuUs: { ...cpuUs, callers: 0 }, ...others };
  return CHECKS ? { ...result, checks: { calls: warm.posts + posts, ...(await receiver.report()) } } : result;
}

/** Of the arm, of the receiver, and of this process, which makes the calls. */
async function startCosts(running, receiver) {
  const meter = await startMeter(running);
  const ofReceiver = await followChild(receiver.child);
  const own = process.cpuUsage();
  return {
    async read(calls) {
      const { user, system } = process.cpuUsage(own);
      const receiverMs = await ofReceiver.usedMs();
      const { cpuUs, ...others } = await meter.read(calls);
      const callers = (user + system) / calls;
      return { cpuUs: { ...cpuUs, callers, receiver: (receiverMs * 1_000) / calls }, ...others };
    },
  };
}

/** Resolves when all accepted calls have reached the receiver, and have been settled in the store. */
export async function allSettled(running, receiver, calls) {
  await until(() => receiver.received() >= calls, `the last of ${calls} deliveries`, 1);
  await until(async () => (await running.settled()) >= calls, `the last of ${calls} settlements`, 2);
}

async function check(running, receiver, calls) {
  const report = await receiver.report();
  const durability = await running.durability();
  return { calls, ...report, durability, inStore: await running.inStore() };
}

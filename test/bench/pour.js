// Two ways to make calls: as many as are accepted, in step with deliveries; and a fixed number a second, independent of
// deliveries.

import { createCalls } from "./calls.js";
import { openCaller } from "./caller.js";
import { now } from "./now.js";
import { BATCH, CALLERS, PATIENCE_MS, WINDOW } from "./settings.js";

/**
 * Sends requests of `batch` calls to `url` for a time, never with more than WINDOW calls undelivered, until all are answered. `receiver`
 * tells how many were delivered. Returns how many calls were made.
 */
export async function pour(
  url,
  receiver,
  { forMs, writeKeys = [undefined], batch = BATCH, callers: count = CALLERS, ...call },
) {
  const makers = writeKeys.map((writeKey) => createCalls({ batch, writeKey, ...call }));
  const fault = deferred();
  const callers = await Promise.all(Array.from({ length: count }, () => openCaller(url, fault.reject)));
  const isOver = deferred();
  const before = receiver.received();
  const idle = new Set(callers);
  const endAt = now() + forMs;
  let made = 0;

  function step(caller) {
    idle.add(caller);
    if (now() >= endAt) {
      if (idle.size === callers.length) isOver.resolve();
      return;
    }
    if (made - (receiver.received() - before) + batch > WINDOW) return;
    idle.delete(caller);
    const { bytes } = makers[(made / batch) % makers.length].next();
    made += batch;
    caller.post(bytes, () => step(caller));
  }

  const proceed = () => [...idle].forEach(step);
  receiver.onProgress(proceed);
  const timer = setTimeout(proceed, forMs + 1);
  proceed();
  try {
    await Promise.race([isOver.promise, fault.promise]);
  } finally {
    clearTimeout(timer);
    receiver.onProgress(undefined);
    callers.forEach((caller) => caller.close());
  }
  return made;
}

/**
 * Makes single calls at an even rate for a time, in turn for each of `writeKeys`. Returns a record of each: `{ id, maker,
 * askedAt, answeredAt }`. A call for which no connection is free is sent late, and counts from its planned time.
 */
export async function drip(url, { forMs, callsPerSecond, writeKeys = [undefined], callers: count = 64 }) {
  const makers = writeKeys.map((writeKey) => createCalls({ batch: 1, writeKey }));
  const fault = deferred();
  const callers = await Promise.all(Array.from({ length: count }, () => openCaller(url, fault.reject)));
  const calls = Math.round((forMs / 1_000) * callsPerSecond);
  const startAt = now() + 5;
  const records = [];
  let answered = 0;

  function askDue() {
    while (records.length < calls) {
      const dueAt = startAt + (records.length * 1_000) / callsPerSecond;
      if (dueAt > now()) return;
      const caller = callers.find((one) => one.isIdle());
      if (caller === undefined) return;
      ask(caller, dueAt);
    }
  }

  function ask(caller, dueAt) {
    const maker = records.length % makers.length;
    const { bytes, hex } = makers[maker].next();
    const at = now();
    // Timers are up to a millisecond late in any case.
    const record = { id: hex, maker, askedAt: at - dueAt < 2 ? at : dueAt, answeredAt: 0 };
    records.push(record);
    caller.post(bytes, (answeredAt) => {
      record.answeredAt = answeredAt;
      answered += 1;
    });
  }

  try {
    const giveUpAt = startAt + forMs + PATIENCE_MS;
    while (answered < calls && now() < giveUpAt) {
      askDue();
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 1)), fault.promise]);
    }
  } finally {
    callers.forEach((caller) => caller.close());
  }
  if (answered < calls) throw new Error(`${calls - answered} calls were not answered`);
  return records;
}

function deferred() {
  let resolve;
  let reject;
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

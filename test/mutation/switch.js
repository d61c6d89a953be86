// The switch of the instrumented sources: which mutant is on, how often its code ran, and what was reached meanwhile. The
// header of each source (`instrument.js`) makes the object if it is the first to be loaded.

const OFF = -1;

function shared() {
  return globalThis.__mutation__;
}

/** Answers how often each mutant was reached since this was asked last, by its id. */
export function takeCounts() {
  const counts = shared()?.counts ?? [];
  const reached = {};
  for (const [id, times] of counts.entries()) if (times > 0) reached[id] = times;
  counts.fill?.(0);
  return reached;
}

/** Beyond `hitLimit` times the mutated code throws: it would go round forever. */
export function switchOn(id, hitLimit) {
  Object.assign(shared(), { on: Number(id), hits: 0, hitLimit });
}

/** Answers how often the mutated code ran. */
export function switchOff() {
  if (shared() === undefined) return 0;
  shared().on = OFF;
  return shared().hits;
}

// Plays seeds FROM, FROM + STEP, … below UNTIL, on the packages beside this program, and writes the results as one line
// of JSON. Further words: `stop` ends at the first seed that fails; `fleets` plays several servers; `meeting` leaves out the seeds
// that draw neither faults that meet nor a store that takes longer.

import { drawFleet, drawSimulation, simulate } from "@postrider/simulator";

const [from, until, step] = process.argv.slice(2, 5).map(Number);
const stopsAtFirst = process.argv.includes("stop", 5);
const draw = process.argv.includes("fleets", 5) ? drawFleet : drawSimulation;
const isLeftOut = process.argv.includes("meeting", 5) ? (options) => !isMeeting(options) : () => false;
const told = { seeds: 0, calls: 0, deliveries: 0, requests: 0, processes: 0, virtualMs: 0 };
const failed = [];
/** Of the first few, to compare. */
const traces = [];
const MAX_TRACES = 20;

for (let seed = from; seed < until && !(stopsAtFirst && failed.length > 0); seed += step) {
  const options = draw(seed);
  if (isLeftOut(options)) continue;
  told.seeds += 1;
  try {
    const { calls, total, processes, durationMs, trace } = await simulate(options);
    if (traces.length < MAX_TRACES) traces.push(trace);
    told.calls += calls;
    told.deliveries += total.deliveries;
    told.requests += total.requests;
    told.processes += processes;
    told.virtualMs += durationMs;
  } catch (error) {
    const checks = (error.broken ?? []).map(({ check }) => check);
    failed.push({ seed, checks: [...new Set(checks)], message: String(error.message).slice(0, 20_000) });
  }
}

/** Only faults that meet another one are late answers, or happen at a step and are no crash. */
function isMeeting({ faults = [], servers = [], storeLatencyMs }) {
  if (storeLatencyMs !== undefined) return true;
  const all = [...faults, ...servers.flatMap((server) => server.faults ?? [])];
  return all.some(({ kind, step }) => kind === "late-answers" || (kind !== "crash" && step !== undefined));
}

const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ...told, failed, traces: traces.join(" "), cpuMs: (user + system) / 1_000 }));

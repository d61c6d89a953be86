// `npm run soak -- load`: an hour of mixed load in alternating minutes, or as many as `--minutes` says. Prints a line for
// each.

import { expect, it } from "vitest";
import { playBareLoad } from "../bare-load.js";
import { type PhaseTold, PHASES, playMixedLoad } from "../mixed-load.js";
import { quantile } from "../quantile.js";

const MINUTES = Number(process.env["LOAD_MINUTES"] ?? 60);
const MINUTE_MS = 60_000;
/** The longest delay of good calls beside the others, as a factor of their delay alone. */
const MOST = { "good alone": 1, "hard receivers": 1.5, "keyless attackers": 3 };
/** How much more memory may be held in the last third of the minutes than in the middle third. */
const MOST_GROWTH = 1.1;

it(`good callers are little delayed by the others in ${String(MINUTES)} minutes`, async () => {
  const { phases, lost, uncounted } = await playMixedLoad({
    phases: MINUTES,
    phaseMs: MINUTE_MS,
    patienceMs: MINUTE_MS,
    tell: (told) => {
      console.log(lineOf(told));
    },
  });
  const p99 = (phase: string): number =>
    quantile(
      of(phases, phase).map((told) => told.p99),
      0.5,
    );
  const ratios = PHASES.map((phase) => ({ phase, ratio: p99(phase) / p99("good alone") }));
  for (const { phase, ratio } of ratios)
    console.log(`${phase}: median p99 ${p99(phase).toFixed(1)} ms, ratio ${ratio.toFixed(2)}`);
  const third = Math.floor(MINUTES / 3);
  const memory = (from: number): number =>
    quantile(
      phases.slice(from, from + third).map(({ residentMb }) => residentMb),
      0.5,
    );
  console.log(`resident: ${String(memory(third))} MB in the middle third, ${String(memory(2 * third))} MB in the last`);
  const bare = await playBareLoad(MINUTE_MS);
  const bareRatio = (bare.attacked / bare.alone).toFixed(2);
  console.log(`bare: p99 ${bare.alone.toFixed(1)} ms, attacked ${bare.attacked.toFixed(1)} ms, ratio ${bareRatio}`);
  console.log(`lost ${String(lost)}, uncounted ${String(uncounted)}`);
  expect({ lost, uncounted }).toEqual({ lost: 0, uncounted: 0 });
  expect(phases.filter(({ refused }) => refused > 0)).toEqual([]);
  expect(ratios.filter(({ phase, ratio }) => ratio > MOST[phase])).toEqual([]);
  expect(memory(2 * third) / memory(third)).toBeLessThan(MOST_GROWTH);
});

function of(phases: readonly PhaseTold[], wanted: string): readonly PhaseTold[] {
  return phases.filter(({ phase }) => phase === wanted);
}

function lineOf({ phase, p50, p99, p99Written, cpu, answered, refused, residentMb }: PhaseTold): string {
  const ms = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${p99Written.toFixed(1)} ms since written)`;
  const used = Object.entries(cpu).map(([name, perSecond]) => `${name} ${perSecond.toFixed(0)}`);
  const calls = `${String(answered)} answered, ${String(refused)} refused`;
  return `${phase.padEnd(18)} ${ms}, ${calls}, ${String(residentMb)} MB, CPU ms/s: ${used.join(", ")}`;
}

// Ten outages, calculated by hand and simulated, in full: prints a table, and fails if a figure differs by more than 3 %.

import { expect, it } from "vitest";
import type { Figures } from "../by-hand.js";
import { bySimulator, byHand, difference, OUTAGES } from "../outages.js";

const RUNS = Number(process.env["POSTRIDER_RUNS"] ?? 20);
const KEYS = ["delivered", "requests", "p50Ms", "p99Ms"] as const;

it("the simulator and a calculation by hand agree within 3 %", async () => {
  const rows: (readonly [string, Figures, Figures])[] = [];
  for (const outage of OUTAGES) {
    const [hand, simulated] = [byHand(outage, 10 * RUNS), await bySimulator(outage, RUNS)];
    rows.push([outage.name, hand, simulated]);
  }
  console.log(
    [
      "| outage | who | delivered | requests | p50 s | p99 s |",
      "| --- | --- | --- | --- | --- | --- |",
      ...rows.flatMap(lines),
    ].join("\n"),
  );
  for (const [name, hand, simulated] of rows) {
    for (const key of KEYS) expect(difference(simulated, hand, key), `${name}: ${key}`).toBeLessThan(0.03);
  }
});

function lines([name, hand, simulated]: readonly [string, Figures, Figures]): readonly string[] {
  const line = (who: string, { delivered, requests, p50Ms, p99Ms }: Figures): string =>
    `| ${name} | ${who} | ${delivered.toFixed(1)} | ${requests.toFixed(1)} | ${(p50Ms / 1_000).toFixed(1)} | ${(p99Ms / 1_000).toFixed(1)} |`;
  const apart = KEYS.map((key) => `${(difference(simulated, hand, key) * 100).toFixed(1)} %`).join(" | ");
  return [line("by hand", hand), line("simulated", simulated), `| | apart | ${apart} |`];
}

// Writes the arrivals of the demo as a table, in lines of text.

import type { DemoArrival } from "./arrivals.js";

/** A header and a line for each arrival, in columns. */
export function arrivalsTable(arrivals: readonly DemoArrival[]): readonly string[] {
  const rows = arrivals.map(({ kind, signature, latencyMs }) => row(kind, signature, `${latencyMs.toFixed(1)} ms`));
  return [row("kind", "signature", "latency"), ...rows];
}

function row(kind: string, signature: string, latency: string): string {
  return `  ${kind.padEnd(10)}${signature.padEnd(11)}${latency.padStart(10)}`;
}

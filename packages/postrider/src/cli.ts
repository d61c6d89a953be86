// The program `postrider`: the real process as a host, and its exit status. A fault that nobody foresaw ends it with one
// line and status 1; what is stored is safe in any case.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { Host } from "./host.js";
import { runProgram } from "./program.js";

const host: Host = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  env: (name) => process.env[name],
  onSignal: (signal, listener) => {
    process.on(signal, listener);
    return () => void process.removeListener(signal, listener);
  },
  clock: createSystemClock(),
  random: createSystemRandom(),
};

// Whoever reads the output may go away first (`postrider listen | head -1`); a server goes on without a reader.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.on("uncaughtException", crash);
process.on("unhandledRejection", crash);

process.exit(await runProgram(host, process.argv.slice(2)));

function crash(fault: unknown): never {
  host.err(`postrider: ${fault instanceof Error ? `${fault.name}: ${fault.message}` : "an unknown fault"}`);
  process.exit(1);
}

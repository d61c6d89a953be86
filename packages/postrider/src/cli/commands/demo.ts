// postrider demo: runs a server and a receiver on this machine, and sends sample calls. The demo itself is in demo/.

import { type Command, Option } from "commander";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDemo } from "../demo/run-demo.js";
import type { ExitCode, Host } from "../host.js";
import { parsePort } from "../options.js";

interface DemoOptions {
  readonly port: number;
}

const NOTES = `
If the port is taken, the demo says so and uses a free one.

Examples:
  $ postrider demo
  $ PORT=0 postrider demo`;

/** Adds the command; `end` gets its exit code. */
export function addDemo(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const port = new Option("--port <number>", "the port of the server; 0 uses a free one");
  program
    .command("demo")
    .description("Run a server and a receiver, send a call of each kind, show what arrived, and keep running.")
    .addOption(port.env("PORT").argParser(parsePort).default(8080))
    .addHelpText("after", NOTES)
    .action(async (options: DemoOptions) => end(await demo(host, options)));
}

/** The database is in a temporary folder, which is removed when the demo ends. */
async function demo(host: Host, { port }: DemoOptions): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-demo-"));
  try {
    return await runDemo(host, { port, database: join(folder, "postrider.db") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

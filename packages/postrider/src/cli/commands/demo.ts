// postrider demo: the whole path on this machine, to be seen at work, and a server to try one's own calls on.

import { type Command, Option } from "commander";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDemo } from "../demo/run-demo.js";
import type { ExitCode, Host } from "../host.js";
import { portOption } from "../options.js";

interface DemoOptions {
  readonly port: number;
}

const NOTES = `
A port that is taken is no hindrance: the demo says so and takes a free one.

Examples:
  $ postrider demo
  $ PORT=0 postrider demo`;

/** Adds the command; `end` is told how it went. */
export function addDemo(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const port = new Option("--port <number>", "the port of the server; 0 takes a free one");
  program
    .command("demo")
    .description("Run a server and a receiver, send a call of each kind, show what arrived, and stay up.")
    .addOption(port.env("PORT").argParser(portOption).default(8080))
    .addHelpText("after", NOTES)
    .action(async (options: DemoOptions) => end(await demo(host, options)));
}

/** The database lies in a folder of its own, which is gone when the demo is. */
async function demo(host: Host, { port }: DemoOptions): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-demo-"));
  try {
    return await runDemo(host, { port, database: join(folder, "postrider.db") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

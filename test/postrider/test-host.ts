// A host for commands under test: keeps what is written, and sends signals on demand. Its clock is the real one, since
// commands talk over real sockets; progress, which depends on it, is shown as on a terminal and dropped.

import { Readable } from "node:stream";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { ExitCode, Host, Signal } from "../../packages/postrider/src/cli/host.js";
import { plainText } from "../../packages/postrider/src/cli/terminal/line.js";
import { runProgram } from "../../packages/postrider/src/cli/program.js";
import { look } from "../canary.js";

export interface TestHost extends Host {
  readonly lines: { readonly out: readonly string[]; readonly err: readonly string[] };
  signal(signal: Signal): void;
  /** Resolves with the first line of standard output that matches, one that was written before included. */
  line(pattern: RegExp): Promise<string>;
}

export function createTestHost(env: Readonly<Record<string, string>> = {}, input = ""): TestHost {
  const lines = { out: [] as string[], err: [] as string[] };
  const listeners = new Map<Signal, Set<() => void>>();
  const watchers = new Set<() => void>();
  return {
    lines,
    out: (line) => {
      const text = plainText(line);
      look("standard output", text);
      refuseWrongPlural(text);
      lines.out.push(...text.split("\n"));
      for (const watch of [...watchers]) watch();
    },
    err: (line) => {
      const text = plainText(line);
      look("standard error", text);
      refuseWrongPlural(text);
      lines.err.push(...text.split("\n"));
    },
    status: (line) => void look("the line of a terminal", line),
    errIsTerminal: false,
    columns: () => undefined,
    env: (name) => env[name],
    input: () => Readable.from([Buffer.from(input)]),
    onSignal: (signal, listener) => {
      const known = listeners.get(signal) ?? new Set();
      listeners.set(signal, known.add(listener));
      return () => known.delete(listener);
    },
    endBySignal: () => undefined,
    onTrouble: () => undefined,
    clock: createSystemClock(),
    random: createSystemRandom(),
    signal: (signal) => {
      for (const listener of [...(listeners.get(signal) ?? [])]) listener();
    },
    line: (pattern) =>
      new Promise((resolve) => {
        const watch = (): void => {
          const found = lines.out.find((line) => pattern.test(line));
          if (found === undefined) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        watch();
      }),
  };
}

/** A line such as "1 deliveries" fails the test of its command. */
function refuseWrongPlural(text: string): void {
  const [found] = WRONG_PLURAL.exec(text) ?? [];
  if (found !== undefined) throw new Error(`wrong plural: ${found}`);
}

const WRONG_PLURAL =
  /(?<![\w.,=#])1 (?:more )?(?:calls|changes|deliveries|destinations|faults|lines|members|notices|origins|problems|processes|sources|times|users|warnings|are|have|wait|were)\b/;

export interface Ran {
  readonly code: ExitCode;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs a command line to its end; `input` is the text of its standard input. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ran> {
  const host = createTestHost(env, input);
  const code = await runProgram(host, words);
  return { code, ...host.lines };
}

export interface Started {
  readonly host: TestHost;
  /** Where the command listens. */
  readonly url: string;
  readonly ended: Promise<ExitCode>;
}

/** Runs a command line that goes on until it is told to end; resolves once it listens. */
export async function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const host = createTestHost(env);
  const ended = runProgram(host, words);
  const line = await host.line(/^listening on /);
  return { host, url: line.slice("listening on ".length), ended };
}

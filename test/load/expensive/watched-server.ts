// The server program in a separate process, whose event-loop turns and heap are measured from inside. Needs `tsc -b` first.

import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { SHOP_KEY, TOKEN } from "../../canary.js";
import { PROGRAM } from "../../end-to-end/server-process.js";
import { type ConfigJson, tempFolder, writeConfig } from "../../postrider/config-file.js";
import { type Reach, REACHES } from "./requests.js";

/** CPU time of the main thread between two turns of the loop, and the requests under way then. */
export interface Turn {
  readonly cpuMs: number;
  readonly requests: readonly string[];
}

export interface Watched {
  readonly turns: number;
  /** The most expensive first. */
  readonly worst: readonly Turn[];
  /** Live bytes now, and the most while a request was under way. */
  readonly live: number;
  readonly highest: { readonly bytes: number; readonly requests: readonly string[] };
}

export interface WatchedServer {
  readonly url: string;
  /** Starts the measurement again. */
  begin(): void;
  measure(): Promise<Watched>;
}

const WATCH = fileURLToPath(new URL("../programs/watch-turns.js", import.meta.url));

/** Starts a server with a source for each number of destinations. It is killed after the test. */
export async function watchedServer(receiverUrl: string): Promise<WatchedServer> {
  const config = writeDearConfig(receiverUrl);
  const child = fork(PROGRAM, ["serve", "--config", config], {
    execArgv: ["--expose-gc", "--no-warnings", "--import", WATCH],
    silent: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const found = /^listening on (\S+)$/m.exec(chunk.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the server has ended with ${String(code)}: ${errors}`)));
  });
  return {
    url,
    begin: () => void child.send("begin"),
    measure: () =>
      new Promise((resolve, reject) => {
        child.once("message", (word) => resolve(word as Watched));
        child.once("exit", () => reject(new Error(`the server has ended: ${errors}`)));
        child.send("measure");
      }),
  };
}

export function keyOf(reach: Reach): string {
  return `${SHOP_KEY}-${String(REACHES[reach])}`;
}

function writeDearConfig(receiverUrl: string): string {
  const folder = tempFolder();
  const reaches = Object.keys(REACHES) as Reach[];
  const config: ConfigJson = {
    listen: { host: "127.0.0.1", port: 0 },
    store: `sqlite:${join(folder, "postrider.db")}`,
    apiToken: TOKEN,
    sources: reaches.map((reach) => ({ id: idOf(reach), writeKey: keyOf(reach) })),
    destinations: reaches.flatMap((reach) => destinationsOf(reach, receiverUrl)),
    network: { allow: ["127.0.0.0/8"] },
  };
  return writeConfig(config, folder);
}

function destinationsOf(reach: Reach, receiverUrl: string): readonly object[] {
  return Array.from({ length: REACHES[reach] }, (_, index) => ({
    id: `${idOf(reach)}-${String(index)}`,
    name: `d${String(index)}`,
    sources: [idOf(reach)],
    endpoints: [{ url: `${receiverUrl}/${idOf(reach)}/${String(index)}` }],
  }));
}

function idOf(reach: Reach): string {
  return `to-${String(REACHES[reach])}`;
}

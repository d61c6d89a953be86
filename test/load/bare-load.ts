// Measures the effect of the same attackers on good callers of a server without any work: the lowest cost of node:http on
// this machine at the time of the run.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { startAttackers } from "./attackers.js";
import { callEvenly } from "./keyed-caller.js";
import { quantile } from "./quantile.js";

const PROGRAM = fileURLToPath(new URL("programs/bare-server.js", import.meta.url));
/** The rate of all calls that the mixed load makes beside attackers. */
const CALLS_PER_SECOND = 260;

export interface BareTold {
  /** Milliseconds from when a good call was due to its answer, 99th percentile. */
  readonly alone: number;
  readonly attacked: number;
}

/** Plays the two phases once. */
export async function playBareLoad(phaseMs: number): Promise<BareTold> {
  const child = fork(PROGRAM);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child, "message")) as [number];
  const url = `http://127.0.0.1:${String(port)}`;
  const attackers = startAttackers(url);
  const p99 = async (isAttacked: boolean): Promise<number> => {
    await attackers.set(isAttacked);
    const made = await callEvenly(url, WRITE_KEY, { callsPerSecond: CALLS_PER_SECOND, forMs: phaseMs });
    return quantile(
      made.map(({ dueAt, answeredAt }) => answeredAt - dueAt),
      0.99,
    );
  };
  const told = { alone: await p99(false), attacked: await p99(true) };
  await attackers.set(false);
  return told;
}

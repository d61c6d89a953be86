// The callers without a key, as a process that is told when to attack.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { pause } from "../end-to-end/receiver.js";

const PROGRAM = fileURLToPath(new URL("programs/keyless-attackers.js", import.meta.url));

/** Of the server at that URL. None attacks at first. */
export function startAttackers(url: string) {
  const { hostname, port } = new URL(url);
  const child = fork(PROGRAM, [hostname, port]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    set: async (isOn: boolean): Promise<void> => {
      child.send(isOn ? "start" : "stop");
      await once(child, "message");
      // What is under way when a phase ends belongs to neither.
      await pause(200);
    },
  };
}

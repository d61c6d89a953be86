// Starts the process with the callers without a key, and tells it when to attack.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { pause } from "../end-to-end/receiver.js";

const PROGRAM = fileURLToPath(new URL("programs/keyless-attackers.js", import.meta.url));

/** The attackers of the server at this URL. They do not attack at first. */
export function startAttackers(url: string) {
  const { hostname, port } = new URL(url);
  const child = fork(PROGRAM, [hostname, port]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    set: async (isOn: boolean): Promise<void> => {
      child.send(isOn ? "start" : "stop");
      await once(child, "message");
      // Requests under way at the end of a phase belong to neither phase.
      await pause(200);
    },
  };
}

// An address where a connection is neither accepted nor refused: the queue of a stopped process is full, and the system
// drops further connections (row N2). The whole timeout passes during the dial.

import { spawn } from "node:child_process";
import { connect } from "node:net";
import { execPath } from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { ADAPTERS, MAX_LATE_TURNS, openSubject, sendTimed, settles } from "./measure.js";
import { openHandles } from "./memory.js";

const LISTENER = `require("node:net").createServer(() => {}).listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {
  console.log(this.address().port);
})`;
const TIMEOUT_MS = 400;
/** More than the shortest queue that a system keeps. */
const FILLERS = 8;

it.each(ADAPTERS)("an address that neither accepts nor refuses is a timeout, over %s", async (adapter) => {
  const port = await openBlackHole();
  const subject = openSubject(adapter);
  const before = openHandles().sockets;
  const { reply, lateTurns } = await sendTimed(subject, `http://127.0.0.1:${String(port)}/`, TIMEOUT_MS);
  expect(reply).toMatchObject({ kind: "silent", fault: "timeout" });
  expect(lateTurns).toBeLessThanOrEqual(MAX_LATE_TURNS);
  expect(subject.pendingTimers()).toBe(0);
  if (adapter === "undici") {
    await settles(() => openHandles().sockets <= before);
    expect(openHandles().sockets).toBeLessThanOrEqual(before);
  }
  await subject.close();
});

/** The port of a process that is stopped, its queue full. */
async function openBlackHole(): Promise<number> {
  const child = spawn(execPath, ["-e", LISTENER], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = await new Promise<number>((resolve) => {
    child.stdout.once("data", (line) => {
      resolve(Number(String(line)));
    });
  });
  child.kill("SIGSTOP");
  const fillers = Array.from({ length: FILLERS }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  onTestFinished(() => {
    for (const filler of fillers) filler.destroy();
  });
  const connected = (): number => fillers.filter(({ connecting }) => !connecting).length;
  await settles(() => connected() > 0);
  await settles(() => connected() === FILLERS, TIMEOUT_MS);
  expect(connected()).toBeLessThan(FILLERS);
  return port;
}

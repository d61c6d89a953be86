// Plays a script on one connection, step by step. Every wait ends with the connection, so that no step leaves a timer
// or a listener behind. Must not know what the script is for.

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Clock } from "@postrider/core";
import { createRequestReader, type ReceivedRequest } from "./read-requests.js";
import type { ScriptStep } from "./script.js";

/** The connection and the receiver on which a script is played. */
export interface ScriptContext {
  readonly clock: Clock;
  readonly socket: Socket;
  readonly note: (request: ReceivedRequest) => void;
  /** Ends the whole receiver. */
  readonly die: () => void;
}

/** How often a `drips` step without `times` sends its text, and how often a script that ends in `repeats` is played. */
const MAX_REPEATS = 1_000;

/** Resolves after the last step, or when the connection has closed. */
export async function playScript(steps: readonly ScriptStep[], stage: ScriptContext): Promise<void> {
  const play = createPlayer(stage);
  const times = steps.at(-1)?.kind === "repeats" ? MAX_REPEATS : 1;
  for (let played = 0; played < times && !stage.socket.destroyed; played += 1) {
    for (const step of steps) await play(step);
  }
}

/** Returns a function that plays one step. A step on a closed connection does nothing. */
function createPlayer({ clock, socket, note, die }: ScriptContext): (step: ScriptStep) => Promise<void> {
  const reader = createRequestReader();
  socket.on("data", (chunk: Uint8Array) => {
    reader.add(chunk);
  });
  return play;

  async function play(step: ScriptStep): Promise<void> {
    if (socket.destroyed) return;
    switch (step.kind) {
      case "reads":
        return read();
      case "says":
        socket.write(Buffer.from(step.text, "latin1"));
        return;
      case "drips":
        return drip(step);
      case "floods":
        return flood(step);
      case "waits":
        return wait(step.delayMs);
      case "ends":
        socket.end();
        return;
      case "resets":
        socket.resetAndDestroy();
        return;
      case "dies":
        die();
        return;
      case "repeats":
        return;
    }
  }

  async function read(): Promise<void> {
    while (!socket.destroyed) {
      const request = reader.take();
      if (request !== undefined) {
        note(request);
        return;
      }
      await untilHeard("data");
    }
  }

  async function drip({ text, everyMs, times = MAX_REPEATS }: Extract<ScriptStep, { kind: "drips" }>): Promise<void> {
    for (let said = 0; said < times && !socket.destroyed; said += 1) {
      socket.write(Buffer.from(text, "latin1"));
      await wait(everyMs);
    }
  }

  async function flood({ text, bytes }: Extract<ScriptStep, { kind: "floods" }>): Promise<void> {
    const part = Buffer.from(text, "latin1");
    for (let said = 0; said < bytes && !socket.destroyed; said += part.length) {
      if (!socket.write(part)) await untilHeard("drain");
    }
  }

  function wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, done);
      socket.once("close", done);

      function done(): void {
        cancel();
        socket.off("close", done);
        resolve();
      }
    });
  }

  /** Resolves at the event, or when the connection closes. */
  function untilHeard(what: "data" | "drain"): Promise<void> {
    return new Promise((resolve) => {
      socket.once(what, done).once("close", done);

      function done(): void {
        socket.off(what, done).off("close", done);
        resolve();
      }
    });
  }
}

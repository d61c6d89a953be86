// Cases of failures on the way: the port always replies, never rejects, and the reply names the fault.

import { type EndpointId, endpointId, type Fault } from "@postrider/core";
import type { Socket } from "node:net";
import { expectEqual, expectThat } from "../check.js";
import { findClosedPort } from "./receiver.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo, expectSilence } from "./scene.js";

interface Mishap {
  readonly what: string;
  readonly fault: Fault;
  readonly greet: (socket: Socket) => void;
}

/** Failures of a receiver. Each happens once the request has begun to arrive. */
const MISHAPS: readonly Mishap[] = [
  { what: "resets the connection", fault: "connection-reset", greet: onData((socket) => socket.resetAndDestroy()) },
  { what: "closes before its status line", fault: "connection-closed", greet: onData((socket) => socket.end()) },
  { what: "closes in its status line", fault: "connection-closed", greet: say("HTTP/1.1 2") },
  { what: "answers with garbage", fault: "bad-response", greet: say("220 mail.example ESMTP\r\n\r\n") },
  { what: "answers without a status", fault: "bad-response", greet: say("<html>HTTP/0.9</html>") },
  { what: "answers with status 099", fault: "bad-response", greet: say(head(99)) },
  { what: "answers with status 600", fault: "bad-response", greet: say(head(600)) },
  { what: "answers with status 999", fault: "bad-response", greet: say(head(999)) },
  {
    what: "switches protocols unasked",
    fault: "bad-response",
    greet: say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n"),
  },
  { what: "sends a failure with headers without end", fault: "bad-response", greet: say(head(500, 40_000)) },
];

export const FAILING_CASES: readonly HttpCase[] = [
  {
    name: "never rejects, for any behaviour of the receiver",
    async play(scene) {
      for (const { greet, what } of MISHAPS) {
        const receiver = await scene.listen(greet);
        const reply = await scene.send(receiver.url());
        expectThat(reply.kind === "silent", `a receiver that ${what} was taken for one that answers`);
      }
      expectSilence(await scene.send(await closedPortUrl()));
    },
  },
  {
    name: "answers `connection-refused` if no process listens",
    needs: ["socketFaults"],
    async play(scene) {
      expectEqual(expectSilence(await scene.send(await closedPortUrl())).fault, "connection-refused", "the fault");
    },
  },
  ...MISHAPS.map(mishapCase),
  {
    name: "answers `tls` for a receiver that speaks plain HTTP in place of TLS",
    needs: ["socketFaults"],
    async play(scene) {
      const receiver = await scene.listen(say(head(200)));
      const url = endpointId(`https://127.0.0.1:${String(receiver.port)}/`);
      expectEqual(expectSilence(await scene.send(url)).fault, "tls", "the fault");
    },
  },
  {
    name: "sends normally after each of these failures",
    async play(scene) {
      const http = scene.open();
      for (const { greet } of MISHAPS) {
        const receiver = await scene.listen(greet);
        await http.send(requestTo(receiver.url()));
      }
      const goodReceiver = await scene.serve((response) => response.writeHead(204).end());
      expectEqual(expectAnswer(await http.send(requestTo(goodReceiver.url()))).status, 204, "the status");
    },
  },
];

function mishapCase({ what, fault, greet }: Mishap): HttpCase {
  return {
    name: `answers \`${fault}\` for a receiver that ${what}`,
    needs: ["socketFaults"],
    play: (scene) => expectFault(scene, fault, greet),
  };
}

async function expectFault(scene: HttpScene, fault: Fault, greet: (socket: Socket) => void): Promise<void> {
  const receiver = await scene.listen(greet);
  expectEqual(expectSilence(await scene.send(receiver.url())).fault, fault, "the fault");
}

async function closedPortUrl(): Promise<EndpointId> {
  return endpointId(`http://127.0.0.1:${String(await findClosedPort())}/`);
}

function onData(react: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.once("data", () => {
      react(socket);
    });
  };
}

function say(text: string): (socket: Socket) => void {
  return onData((socket) => socket.end(text));
}

function head(status: number, fieldBytes = 1): string {
  return `HTTP/1.1 ${String(status).padStart(3, "0")} X\r\nX-Field: ${"a".repeat(fieldBytes)}\r\nContent-Length: 0\r\n\r\n`;
}

// How much of an answer is read. The receiver writes in small steps, each of which has been read before the next, so that
// the buffers of the two sockets hide nothing.

import { MAX_REPLY_BYTES } from "@postrider/core";
import type { ServerResponse } from "node:http";
import { expectEqual, expectThat } from "../check.js";
import { BEFORE_TIMEOUT_MS, expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

const STEP = new Uint8Array(8_192);
/** What is not cut by then is read to its end. */
const OFFERED_BYTES = 4 * MAX_REPLY_BYTES;
/** One read buffer beyond the bound, and some steps that were under way when the connection was closed. */
const MAX_WRITTEN_BYTES = 2 * MAX_REPLY_BYTES;
/** Turns of the event loop in which a step is read. */
const TURNS_A_STEP = 4;

export const BOUND_CASES: readonly HttpCase[] = [
  bounded("success", 200),
  bounded("failure", 500),
  {
    name: "does not use the connection of a cut answer again, and gives the next request its own answer",
    async play(scene) {
      const sockets: unknown[] = [];
      const receiver = await scene.serve((response, { path }) => {
        sockets.push(response.socket);
        if (path === "/next") response.writeHead(202).end();
        else response.writeHead(500, { "Content-Length": String(OFFERED_BYTES) }).end(new Uint8Array(OFFERED_BYTES));
      });
      const http = scene.open();
      for (let round = 0; round < 3; round += 1) {
        expectEqual(expectAnswer(await http.send(requestTo(receiver.url("/long")))).status, 500, "the status");
        expectEqual(expectAnswer(await http.send(requestTo(receiver.url("/next")))).status, 202, "the next status");
      }
      const isReused = sockets.some((socket, index) => index % 2 === 1 && socket === sockets[index - 1]);
      expectThat(!isReused, "the connection of a cut answer was used again");
    },
  },
];

function bounded(word: string, status: number): HttpCase {
  return {
    name: `reads no more than 65,536 bytes of a ${word}, and then closes its connection`,
    async play(scene) {
      let written = 0;
      const receiver = await scene.serve((response) => {
        response.writeHead(status, { "Content-Length": String(2 * OFFERED_BYTES) });
        void writeInSteps(scene, response).then((bytes) => (written = bytes));
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, status, "the status");
      await scene.until(() => written > 0, BEFORE_TIMEOUT_MS, "writing or closing");
      expectThat(written <= MAX_WRITTEN_BYTES, `${String(written)} bytes were taken before the connection was closed`);
    },
  };
}

/** Writes until the connection is closed, or all that is offered has been taken. Resolves with the bytes written. */
async function writeInSteps(scene: HttpScene, response: ServerResponse): Promise<number> {
  let written = 0;
  while (!response.destroyed && written < OFFERED_BYTES) {
    response.write(STEP);
    written += STEP.length;
    for (let turn = 0; turn < TURNS_A_STEP; turn += 1) await scene.wait(1);
  }
  return written;
}

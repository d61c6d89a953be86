// Bytes that were not asked for: before the end of a request, in place of one answer, after it, or on an idle connection. Each
// reply is the one to its request, and the next request does not get what is left over.

import { expectEqual } from "../check.js";
import { answer, NEXT, STALE } from "./raw-answers.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

const LARGE_BODY = new Uint8Array(512_000);

export const UNASKED_CASES: readonly HttpCase[] = [
  {
    name: "takes nothing that comes on an idle connection for the answer to the next request",
    async play(scene) {
      const texts = [STALE, "HTTP/1.1 299 ", "\r\n", "nonsense\r\n\r\n"];
      await Promise.all(texts.map((text) => expectIgnored(scene, text)));
    },
  },
  {
    name: "takes an answer that comes before its request is complete, and sends the next request whole",
    async play(scene) {
      const ended: number[] = [];
      const receiver = await scene.converse({
        onHead(socket, turn) {
          if (turn === 0) socket.write(answer(413, "own"));
        },
        onRequest(socket, turn) {
          ended.push(turn);
          if (turn > 0) socket.write(answer(NEXT));
        },
      });
      const http = scene.open();
      const first = expectAnswer(await http.send(requestTo(receiver.url("/first"), { body: LARGE_BODY })));
      const next = expectAnswer(await http.send(requestTo(receiver.url("/next"), { body: LARGE_BODY })));
      expectEqual([first.status, next.status], [413, NEXT], "the statuses");
      expectEqual(ended.at(-1), 1, "the request that came whole last");
    },
  },
  {
    name: "gives each of many requests on few connections its own answer, although every second one is odd",
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(answer(turn % 2 === 0 ? 500 : NEXT, String(turn)) + (turn % 2 === 0 ? STALE : ""));
        },
      });
      const http = scene.open();
      for (let turn = 0; turn < 20; turn += 1) {
        const reply = expectAnswer(await http.send(requestTo(receiver.url(`/${String(turn)}`))));
        expectEqual(reply.status, turn % 2 === 0 ? 500 : NEXT, `the status of request ${String(turn)}`);
        if (turn % 2 === 0) expectEqual(new TextDecoder().decode(reply.excerpt), String(turn), "its excerpt");
      }
    },
  },
];

/** Expects that bytes that come on an idle connection answer no request. */
async function expectIgnored(scene: HttpScene, text: string): Promise<void> {
  const receiver = await scene.converse({
    onRequest(socket, turn) {
      socket.write(answer(turn === 0 ? 500 : NEXT, "own"));
      // After the answer has been read, and its connection is idle.
      if (turn === 0) void scene.settle().then(() => socket.write(text));
    },
  });
  const http = scene.open();
  const first = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
  await scene.settle();
  await scene.settle();
  const next = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
  expectEqual([first.status, next.status], [500, NEXT], `the statuses around ${JSON.stringify(text)}`);
}

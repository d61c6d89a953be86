// The bodies of requests: exactly the given bytes, with their length and no other framing.

import { expectEqual, expectThat } from "../check.js";
import { headerOf } from "./received-headers.js";
import type { AnswerRequest } from "./receiver.js";
import { type HttpCase, requestTo } from "./scene.js";

const accept: AnswerRequest = (response) => response.writeHead(204).end();

/** Around what one packet, one read and one send buffer hold. 512,000 bytes are more than any message has. */
const LENGTHS = [0, 1, 1_460, 65_535, 65_536, 65_537, 512_000];

export const BODY_CASES: readonly HttpCase[] = [
  {
    name: "sends a body of any bytes unchanged, with its length",
    async play(scene) {
      const receiver = await scene.serve(accept);
      const body = Uint8Array.from({ length: 40_000 }, (_, index) => (index * 31) % 256);
      await scene.send(receiver.url(), { body });
      const [request] = receiver.requests;
      expectEqual(request?.body, body, "the body that came");
      expectEqual(headerOf(request, "content-length"), ["40000"], "the length that was said");
    },
  },
  {
    name: "sends bodies of 0 bytes to 512,000 with their exact length, and no other framing",
    async play(scene) {
      const receiver = await scene.serve(accept);
      const http = scene.open();
      for (const length of LENGTHS) {
        const body = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
        await http.send(requestTo(receiver.url(), { body }));
        const request = receiver.requests.at(-1);
        const isSame = Buffer.from(body).equals(request?.body ?? new Uint8Array());
        expectThat(isSame, `another body came than the one of ${String(length)} bytes`);
        const framing = ["content-length", "transfer-encoding", "content-encoding", "expect", "trailer", "te"];
        const seen = framing.map((name) => headerOf(request, name));
        expectEqual(seen, [[String(length)], [], [], [], [], []], `the framing of ${String(length)} bytes`);
      }
    },
  },
  {
    name: "sends only the view of a larger buffer, and an empty body as an empty one",
    async play(scene) {
      const receiver = await scene.serve(accept);
      const body = new TextEncoder().encode("--{}--").subarray(2, 4);
      await scene.send(receiver.url(), { body });
      await scene.send(receiver.url(), { body: new Uint8Array() });
      expectEqual(
        receiver.requests.map((request) => request.body.length),
        [2, 0],
        "the lengths that came",
      );
    },
  },
  {
    name: "sends the same bytes each time, and does not change the given ones",
    async play(scene) {
      const receiver = await scene.serve(accept);
      const body = new TextEncoder().encode('{"userId":"\u00fc"}');
      const before = Uint8Array.from(body);
      await scene.send(receiver.url(), { body });
      await scene.send(receiver.url(), { body });
      expectEqual(body, before, "the bytes given, afterwards");
      expectEqual(
        receiver.requests.map((request) => request.body),
        [before, before],
        "the bytes that came",
      );
    },
  },
];

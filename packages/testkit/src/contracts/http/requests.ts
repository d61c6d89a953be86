// Cases of the requests that an adapter sends: exactly the given bytes as body, with their length and no other framing,
// and the given headers with no others but those that `supports` names.

import type { Header } from "@postrider/core";
import { expectEqual, expectThat, expectPresent } from "../check.js";
import type { AnswerRequest, RecordedRequest } from "./receiver.js";
import { type HttpCase, requestTo, expectSilence } from "./scene.js";

const answer204: AnswerRequest = (response) => response.writeHead(204).end();

/** Lengths around what one packet, one read and one send buffer hold. 512,000 bytes are more than any message has. */
const LENGTHS = [0, 1, 1_460, 65_535, 65_536, 65_537, 512_000];

export const BODY_CASES: readonly HttpCase[] = [
  {
    name: "sends a body of any bytes unchanged, with its length",
    async play(scene) {
      const receiver = await scene.serve(answer204);
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
      const receiver = await scene.serve(answer204);
      const http = scene.open();
      for (const length of LENGTHS) {
        const body = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
        await http.send(requestTo(receiver.url(), { body }));
        const request = receiver.requests.at(-1);
        const isSame = Buffer.from(body).equals(request?.body ?? new Uint8Array());
        expectThat(isSame, `another body came than the one of ${String(length)} bytes`);
        const framing = ["content-length", "transfer-encoding", "content-encoding", "expect", "trailer", "te"];
        const framingHeaders = framing.map((name) => headerOf(request, name));
        expectEqual(framingHeaders, [[String(length)], [], [], [], [], []], `the framing of ${String(length)} bytes`);
      }
    },
  },
  {
    name: "sends only the view of a larger buffer, and an empty body as an empty one",
    async play(scene) {
      const receiver = await scene.serve(answer204);
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
      const receiver = await scene.serve(answer204);
      const body = new TextEncoder().encode('{"userId":"\u00fc"}');
      const originalBytes = Uint8Array.from(body);
      await scene.send(receiver.url(), { body });
      await scene.send(receiver.url(), { body });
      expectEqual(body, originalBytes, "the bytes given, afterwards");
      expectEqual(
        receiver.requests.map((request) => request.body),
        [originalBytes, originalBytes],
        "the bytes that came",
      );
    },
  },
];

const HEADERS: readonly Header[] = [
  ["User-Agent", "Postrider/1.0"],
  ["Content-Type", "application/json"],
  ["Accept-Encoding", "identity"],
  ["Accept", "text/x-receiver"],
  ["X-Signature", "2f9a00"],
  ["x-Odd-CASE", 'a,b; c="d"\te'],
  ["X-Latin", "caf\u00e9 \u00ff"],
  ["X-Empty", ""],
  ["X-Many", "1"],
  ["Authorization", "Basic dTpw"],
  // A script in a browser may not set those that follow.
  ["Cookie", "a=b"],
  ["Origin", "https://sender.example"],
  ["Referer", "https://sender.example/"],
  ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["Via", "1.1 sender"],
  ["Proxy-Authorization", "Basic dTpw"],
  ["X-Many", "2, 2"],
  ["x-many", "1"],
];

/** Headers that only the adapter sets. */
const FRAMING = new Set(["host", "content-length", "connection"]);

export const SENDING_CASES: readonly HttpCase[] = [
  {
    name: "adds no header but those that it says, whatever the request",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const { exactHeaders: exact } = scene.supports;
      const allowedNames = new Set([...FRAMING, ...(exact === true ? [] : (exact.adds ?? []))]);
      const http = scene.open();
      for (const headers of [[], HEADERS.slice(0, 2), HEADERS]) {
        await http.send(requestTo(receiver.url(), { headers }));
        const knownNames = new Set([...allowedNames, ...headers.map(([name]) => name.toLowerCase())]);
        const names = receiver.requests.at(-1)?.headers.map(([name]) => name.toLowerCase()) ?? [];
        const addedNames = names.filter((name) => !knownNames.has(name));
        expectEqual(addedNames, [], "headers that were neither given nor said");
      }
    },
  },
  {
    name: "sends every header with its value as given, and each value of a header that is given repeatedly",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      await scene.send(receiver.url(), { headers: HEADERS });
      const request = expectPresent(receiver.requests[0], "the request");
      for (const name of new Set(HEADERS.map(([headerName]) => headerName.toLowerCase()))) {
        // Fields of one name may come as one (RFC 9110, §5.3), in their order.
        expectEqual(headerOf(request, name).join(", "), valuesOf(HEADERS, name).join(", "), `header ${name}`);
      }
    },
  },
  {
    name: "sends the headers in their order and case, and adds none but Host, Content-Length and Connection",
    needs: ["exactHeaders"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      await scene.send(receiver.url(), { headers: HEADERS });
      const request = expectPresent(receiver.requests[0], "the request");
      const receivedHeaders = request.headers.filter(([name]) => !FRAMING.has(name.toLowerCase()));
      expectEqual(receivedHeaders, HEADERS, "the headers that came");
    },
  },
  {
    name: "sends Accept once, as given, and adds no other",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      for (const value of ["*/*", "application/json"]) {
        await scene.send(receiver.url(), { headers: [["Accept", value]] });
        expectEqual(headerOf(receiver.requests.at(-1), "accept"), [value], "Accept");
      }
    },
  },
  {
    name: "answers `invalid-header` for a header that HTTP cannot carry, and sends nothing",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const bad: readonly Header[] = [
        ["X-Line", "a\r\nX-Other: b"],
        ["X-Nul", "a\u0000"],
        ["X-Wide", "\u20ac"],
        ["X Space", "a"],
        ["", "a"],
      ];
      const http = scene.open();
      for (const header of bad) {
        const reply = expectSilence(await http.send(requestTo(receiver.url(), { headers: [header] })));
        expectEqual(reply.fault, "invalid-header", `the fault of ${JSON.stringify(header)}`);
      }
      expectThat(receiver.requests.length === 0, "a request with a bad header was sent");
    },
  },
];

function headerOf(request: RecordedRequest | undefined, lowerName: string): readonly string[] {
  return valuesOf(request?.headers ?? [], lowerName);
}

function valuesOf(headers: readonly Header[], lowerName: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === lowerName).map(([, value]) => value);
}

// Requests: one POST, with its bytes and headers as given.

import type { Header } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import type { AnswerRequest, RecordedRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, requestTo, expectSilence } from "./scene.js";

const accept: AnswerRequest = (response) => response.writeHead(204).end();

const HEADERS: readonly Header[] = [
  ["User-Agent", "Postrider/1.0"],
  ["Content-Type", "application/json"],
  ["Accept-Encoding", "identity"],
  ["Accept", "text/x-receiver"],
  ["X-Signature", "2f9a00"],
  ["x-Odd-CASE", 'a,b; c="d"\te'],
  ["X-Latin", "caf\u00e9 \u00ff"],
  ["X-Empty", ""],
  ["Authorization", "Basic dTpw"],
];

/** Headers that only the adapter sets. */
const FRAMING = new Set(["host", "content-length", "connection"]);

export const SENDING_CASES: readonly HttpCase[] = [
  {
    name: "sends one POST, to the path and the query of the URL",
    async play(scene) {
      const receiver = await scene.serve(accept);
      expectEqual(expectAnswer(await scene.send(receiver.url("/a%20b/c?x=1&y=%2F&x=2"))).status, 204, "the status");
      const seen = receiver.requests.map(({ method, path }) => `${method} ${path}`);
      expectEqual(seen, ["POST /a%20b/c?x=1&y=%2F&x=2"], "the requests");
    },
  },
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
  {
    name: "sends every header with its value as given",
    async play(scene) {
      const receiver = await scene.serve(accept);
      await scene.send(receiver.url(), { headers: HEADERS });
      const request = expectPresent(receiver.requests[0], "the request");
      for (const [name, value] of HEADERS)
        expectEqual(headerOf(request, name.toLowerCase()), [value], `header ${name}`);
    },
  },
  {
    name: "sends the headers in their order and case, and adds none but Host, Content-Length and Connection",
    needs: ["exactHeaders"],
    async play(scene) {
      const receiver = await scene.serve(accept);
      await scene.send(receiver.url(), { headers: HEADERS });
      const request = expectPresent(receiver.requests[0], "the request");
      const given = request.headers.filter(([name]) => !FRAMING.has(name.toLowerCase()));
      expectEqual(given, HEADERS, "the headers that came");
    },
  },
  {
    name: "sends Accept once, as given, and adds no other",
    async play(scene) {
      const receiver = await scene.serve(accept);
      for (const value of ["*/*", "application/json"]) {
        await scene.send(receiver.url(), { headers: [["Accept", value]] });
        expectEqual(headerOf(receiver.requests.at(-1), "accept"), [value], "Accept");
      }
    },
  },
  {
    name: "sends the host of the URL as Host",
    async play(scene) {
      const receiver = await scene.serve(accept);
      await scene.send(receiver.url());
      expectEqual(headerOf(receiver.requests[0], "host"), [`127.0.0.1:${String(receiver.port)}`], "Host");
    },
  },
  {
    name: "answers `invalid-header` for a header that HTTP cannot carry, and sends nothing",
    async play(scene) {
      const receiver = await scene.serve(accept);
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
  const headers = request?.headers ?? [];
  return headers.filter(([name]) => name.toLowerCase() === lowerName).map(([, value]) => value);
}

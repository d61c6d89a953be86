// The headers of requests: as they are given, and no others but those that `supports` names.

import type { Header } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { headerOf, valuesOf } from "./received-headers.js";
import type { AnswerRequest } from "./receiver.js";
import { type HttpCase, requestTo, expectSilence } from "./scene.js";

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
  ["X-Many", "1"],
  ["Authorization", "Basic dTpw"],
  ["X-Many", "2, 2"],
  ["x-many", "1"],
];

/** Headers that only the adapter sets. */
const FRAMING = new Set(["host", "content-length", "connection"]);

export const SENDING_CASES: readonly HttpCase[] = [
  {
    name: "adds no header but those that it says, whatever the request",
    async play(scene) {
      const receiver = await scene.serve(accept);
      const { exactHeaders: exact } = scene.supports;
      const own = new Set([...FRAMING, ...(exact === true ? [] : (exact.adds ?? []))]);
      const http = scene.open();
      for (const given of [[], HEADERS.slice(0, 2), HEADERS]) {
        await http.send(requestTo(receiver.url(), { headers: given }));
        const known = new Set([...own, ...given.map(([name]) => name.toLowerCase())]);
        const names = receiver.requests.at(-1)?.headers.map(([name]) => name.toLowerCase()) ?? [];
        const added = names.filter((name) => !known.has(name));
        expectEqual(added, [], "headers that were neither given nor said");
      }
    },
  },
  {
    name: "sends every header with its value as given, and each value of a header that is given repeatedly",
    async play(scene) {
      const receiver = await scene.serve(accept);
      await scene.send(receiver.url(), { headers: HEADERS });
      const request = expectPresent(receiver.requests[0], "the request");
      for (const name of new Set(HEADERS.map(([given]) => given.toLowerCase()))) {
        // Fields of one name may come as one (RFC 9110, §5.3), in their order.
        expectEqual(headerOf(request, name).join(", "), valuesOf(HEADERS, name).join(", "), `header ${name}`);
      }
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

// Cases of targets: the path and the query are sent as they are in the URL, and its host as Host. The URL is in its normal
// form already, so that there is nothing left for an adapter to change.

import { type EndpointId, endpointId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import type { AnswerRequest, RecordedRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, requestTo } from "./scene.js";

const answer204: AnswerRequest = (response) => response.writeHead(204).end();

/** Each is in the form in which `URL` writes it. */
const TARGETS = [
  "/",
  "/a%20b/c?x=1&y=%2F&x=2",
  "/a%2Fb%2fc",
  "//a//b/",
  "/UPPER/lower/MiXeD?Key=Value",
  "/%C3%BC/%E2%82%AC?q=%C3%BC",
  "/%c3%bc",
  "/a%00b%0d%0a",
  "/100%/%zz",
  "/a;v=1,2/b:c@d!$&'()*+,;=",
  "/?a=b?c/d&e[]=1&e[]=2&plus=+",
  "/?=&&",
  "/.hidden/...dots./",
  `/${"long/".repeat(400)}?${"q=1&".repeat(400)}`,
];

export const TARGET_CASES: readonly HttpCase[] = [
  {
    name: "sends one POST, to the path and the query as they are in the URL",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open();
      for (const target of TARGETS) expectAnswer(await http.send(requestTo(receiver.url(target))));
      const requestLines = receiver.requests.map(({ method, path }) => `${method} ${path}`);
      const expected = TARGETS.map((target) => `POST ${target}`);
      expectEqual(requestLines, expected, "the requests");
    },
  },
  {
    name: "sends the `?` of an empty query",
    needs: ["emptyQueries"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open();
      for (const target of ["/a?", "/?", "/a/?"]) await http.send(requestTo(receiver.url(target)));
      expectEqual(pathsOf(receiver.requests), ["/a?", "/?", "/a/?"], "the targets");
    },
  },
  {
    name: "sends neither the fragment of a URL nor its credentials",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open();
      await http.send(requestTo(receiver.url("/a?b=1#part?c")));
      expectEqual(pathsOf(receiver.requests), ["/a?b=1"], "the target");
      // An adapter may refuse such a URL: the settings do.
      await http.send(requestTo(receiver.url("/a?b=1", "nobody:knows@127.0.0.1")));
      const requestText = JSON.stringify(receiver.requests.map(({ path, headers }) => [path, headers]));
      expectThat(!/authorization|nobody|knows/i.test(requestText), `credentials were sent: ${requestText}`);
    },
  },
  {
    name: "sends the host and the port of the URL as Host",
    async play(scene) {
      const receiver = await scene.serve(answer204);
      await scene.send(receiver.url());
      expectEqual(hostsOf(receiver.requests), [`127.0.0.1:${String(receiver.port)}`], "Host");
    },
  },
  {
    name: "reaches an IPv6 address, and sends it in brackets as Host, where this machine has one",
    async play(scene) {
      const receiver = await scene.serve(answer204, { host: "::1" }).catch(() => undefined);
      if (receiver === undefined) return;
      expectAnswer(await scene.send(receiver.url("/six")));
      expectEqual(pathsOf(receiver.requests), ["/six"], "the target");
      expectEqual(hostsOf(receiver.requests), [`[::1]:${String(receiver.port)}`], "Host");
    },
  },
  {
    name: "sends a name as Host as it is in the URL, also with a dot at its end",
    needs: ["ownResolver"],
    async play(scene) {
      const receiver = await scene.serve(answer204);
      const http = scene.open({ names: () => Promise.resolve(["127.0.0.1"]) });
      const hosts = ["inside.example", "inside.example.", "xn--bcher-kva.example", "a_b.example", "1.example"];
      const url = (host: string): EndpointId => endpointId(receiver.url("/", host));
      for (const host of hosts) expectAnswer(await http.send(requestTo(url(host))));
      const expected = hosts.map((host) => `${host}:${String(receiver.port)}`);
      expectEqual(hostsOf(receiver.requests), expected, "the Host headers");
    },
  },
];

function pathsOf(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.map(({ path }) => path);
}

function hostsOf(requests: readonly RecordedRequest[]): readonly (string | undefined)[] {
  return requests.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === "host")?.[1]);
}

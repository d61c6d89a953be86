// Cases of answers that ask for another request, another place, another time, or to be remembered. An adapter sends one
// request for each call, and keeps nothing of an answer; the scene counts.

import type { OutgoingHttpHeaders } from "node:http";
import { expectEqual } from "../check.js";
import type { AnswerRequest, RecordedRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

export const INVITATION_CASES: readonly HttpCase[] = [
  {
    name: "follows no redirect, and no other header to another place",
    async play(scene) {
      const otherReceiver = await scene.serve((response) => response.end());
      await expectOneEach(scene, redirectsTo(otherReceiver.url("/there")));
      expectEqual(otherReceiver.connections(), 0, "connections to the other place");
    },
  },
  {
    name: "sends no second request, whatever an answer asks for",
    play: (scene) => expectOneEach(scene, RETRY_INVITATIONS),
  },
  {
    name: "reports 407 and 421 as they came, and sends no second request",
    needs: ["everyStatus"],
    play: (scene) =>
      expectOneEach(scene, [
        [407, { "Proxy-Authenticate": 'Basic realm="here"' }],
        [421, {}],
      ]),
  },
  {
    name: "keeps nothing of an answer for the next request: neither cookie, nor tag, nor answer, nor place",
    async play(scene) {
      const statuses = [200, 301, 308, 410, 401, 204];
      const receiver = await scene.serve((response) => {
        const status = statuses[receiver.requests.length - 1] ?? 204;
        const location = status < 400 && status >= 300 ? { Location: receiver.url("/moved") } : {};
        response.writeHead(status, { ...KEEPSAKES, ...location }).end();
      });
      const http = scene.open();
      const receivedStatuses: number[] = [];
      while (receivedStatuses.length < statuses.length)
        receivedStatuses.push(expectAnswer(await http.send(requestTo(receiver.url("/same")))).status);
      expectEqual(receivedStatuses, statuses, "the statuses");
      const [first, ...laterRequests] = receiver.requests.map(withoutConnection);
      for (const request of laterRequests) expectEqual(request, first, "a later request");
    },
  },
];

/** Expects that each answer is reported as it came, and that its receiver gets one request for it. */
async function expectOneEach(scene: HttpScene, invitations: readonly Invitation[]): Promise<void> {
  const answer: AnswerRequest = (response, { path }) => {
    const [status, headers] = invitations[Number(path.slice(1))] ?? [500, {}];
    response.writeHead(status, headers).end();
  };
  const receiver = await scene.serve(answer);
  const http = scene.open();
  const receivedStatuses: number[] = [];
  for (const index of invitations.keys()) {
    receivedStatuses.push(expectAnswer(await http.send(requestTo(receiver.url(`/${String(index)}`)))).status);
  }
  await scene.settle();
  expectEqual(
    receivedStatuses,
    invitations.map(([status]) => status),
    "the statuses",
  );
  const paths = receiver.requests.map(({ method, path }) => `${method} ${path}`);
  expectEqual(
    paths,
    invitations.map((_, index) => `POST /${String(index)}`),
    "the requests",
  );
}

function withoutConnection({ method, path, headers, body }: RecordedRequest): unknown {
  return { method, path, body, headers: headers.filter(([name]) => name.toLowerCase() !== "connection") };
}

/** A status and headers that ask for something. */
type Invitation = readonly [status: number, headers: OutgoingHttpHeaders];

/** Answers that ask to go to another place, which is a separate receiver. */
function redirectsTo(otherUrl: string): readonly Invitation[] {
  const redirects = [300, 301, 302, 303, 304, 305, 307, 308].map((status): Invitation => [
    status,
    { Location: otherUrl },
  ]);
  return [
    ...redirects,
    [201, { Location: otherUrl, "Content-Location": otherUrl }],
    [200, { Refresh: `0; url=${otherUrl}` }],
    [500, { Refresh: `0; url=${otherUrl}`, Location: otherUrl }],
    [500, { Link: `<${otherUrl}>; rel=preload, <${otherUrl}>; rel=preconnect` }],
    [200, { "Alt-Svc": `http/1.1="${new URL(otherUrl).host}"; ma=3600` }],
    [503, { "Content-Location": otherUrl, "Alt-Svc": `h2="${new URL(otherUrl).host}"` }],
  ];
}

/** Answers that ask to try once more, at once or in another way. */
const RETRY_INVITATIONS: readonly Invitation[] = [
  [401, { "WWW-Authenticate": 'Basic realm="here"' }],
  [408, { Connection: "close" }],
  [409, {}],
  [412, {}],
  [417, {}],
  [425, { "Retry-After": "0" }],
  [426, { Upgrade: "h2c", Connection: "Upgrade" }],
  [429, { "Retry-After": "0" }],
  [449, {}],
  [500, {}],
  [502, {}],
  [503, { "Retry-After": "0" }],
  [504, {}],
  [511, {}],
];

/** Headers that ask to be remembered. */
const KEEPSAKES: OutgoingHttpHeaders = {
  "Set-Cookie": ["a=1; Path=/; Max-Age=3600", "b=2"],
  ETag: '"one"',
  "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT",
  "Cache-Control": "public, max-age=3600, immutable",
  "Strict-Transport-Security": "max-age=3600",
  "Accept-CH": "Sec-CH-UA, Downlink",
  "WWW-Authenticate": 'Basic realm="here"',
};

// The receiver, in a separate process: answers 200 at once or after a while, counts, and records when each request's first byte came.
// Parses HTTP by hand, so that it is never the bottleneck. Paths that begin with /hang are never answered. It listens with TLS as well.

import { verifySignature } from "@postrider/core";
import { createAuthority } from "@postrider/testkit/hostile-receivers";
import { createServer } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { now } from "./now.js";
import { SECRET } from "./scene.js";

const PROGRESS_MS = 2;
const HEAD_END = Buffer.from("\r\n\r\n");
const ANSWERS = {
  short: Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
  // As Express 5 answers `response.json({ received: true })`.
  express: Buffer.from(
    [
      "HTTP/1.1 200 OK",
      "X-Powered-By: Express",
      "Content-Type: application/json; charset=utf-8",
      "Content-Length: 17",
      'ETag: W/"11-4Rc3CCCQNWV3cNGVHLkzJJDGHb8"',
      "Vary: Accept-Encoding",
      "Date: Sat, 31 Jan 2026 12:00:00 GMT",
      "Connection: keep-alive",
      "Keep-Alive: timeout=5",
      "",
      '{"received":true}',
    ].join("\r\n"),
  ),
};
const ID_MARK = Buffer.from('"messageId":"');

let keeps = "nothing";
let answer = ANSWERS.short;
let delayMs = 0;
let received = 0;
let hung = 0;
let told = 0;
let bytes = 0;
let kept = [];

const authority = createAuthority();
const identity = authority.issue({ hosts: ["127.0.0.1"] });
const servers = [createServer({ noDelay: true }, serve), createSecureServer({ noDelay: true, ...identity }, serve)];
const [port, securePort] = await Promise.all(servers.map(listen));
process.send({ kind: "listening", port, securePort, ca: authority.cert });

setInterval(() => {
  if (received === told) return;
  told = received;
  process.send({ kind: "progress", received });
}, PROGRESS_MS);

process.on("message", (message) => {
  if (message.kind === "keep") {
    keeps = message.what;
    delayMs = message.delayMs;
    answer = ANSWERS[message.answer];
    kept = [];
    received = hung = told = bytes = 0;
    process.send({ kind: "kept" });
  } else if (message.kind === "report") {
    process.send({ kind: "report", received, hung, bytes, ...reportOf(kept) });
  }
});
process.on("disconnect", () => process.exit(0));

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

function serve(socket) {
  let rest;
  let firstByteAt = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    const at = now();
    if (rest === undefined) firstByteAt = at;
    const buffer = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = requestEnd(buffer, from); end !== undefined; end = requestEnd(buffer, from)) {
      take(socket, buffer.subarray(from, end.at), end, firstByteAt);
      from = end.at;
      firstByteAt = at;
    }
    rest = from === buffer.length ? undefined : buffer.subarray(from);
  });
}

function requestEnd(buffer, from) {
  const headEnd = buffer.indexOf(HEAD_END, from);
  if (headEnd === -1) return undefined;
  const head = buffer.latin1Slice(from, headEnd);
  const bodyFrom = headEnd + HEAD_END.length;
  const at = bodyFrom + Number(/content-length: (\d+)/i.exec(head)[1]);
  return at > buffer.length ? undefined : { at, head, bodyLength: at - bodyFrom };
}

function take(socket, request, { head, bodyLength }, firstByteAt) {
  if (head.startsWith("POST /hang")) {
    hung += 1;
    return;
  }
  if (delayMs === 0) socket.write(answer);
  else setTimeout(() => socket.write(answer), delayMs);
  received += 1;
  bytes += bodyLength;
  if (keeps === "times") kept.push({ id: idOf(request), firstByteAt, path: head.slice(5, head.indexOf(" ", 5)) });
  if (keeps === "requests") kept.push({ head, body: Buffer.from(request.subarray(request.length - bodyLength)) });
}

function idOf(request) {
  const from = request.indexOf(ID_MARK) + ID_MARK.length;
  return request.latin1Slice(from, from + 32);
}

function reportOf(requests) {
  if (keeps === "times") return { times: requests };
  if (keeps !== "requests") return {};
  const ids = requests.map(({ body }) => JSON.parse(body.toString()).messageId);
  const badSignatures = requests.filter(
    ({ head, body }) => !verifySignature(SECRET, body, /^x-signature: (\w+)/im.exec(head)?.[1]),
  ).length;
  return { ids: new Set(ids).size, badSignatures };
}

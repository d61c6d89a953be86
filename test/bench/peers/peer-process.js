// A peer as one process: accepts calls over HTTP, answers 200 once its queue has them, and delivers them. The peer, its
// storage and the receiver are given as JSON on the command line.

import { createServer } from "node:http";
import { deliver, messagesOf } from "./deliver.js";

const PEERS = {
  bullmq: () => import("./bullmq.js"),
  "pg-boss": () => import("./pg-boss.js"),
  plainjob: () => import("./plainjob.js"),
};

const { peer, place, receiverUrl } = JSON.parse(process.argv[2]);
const { open } = await PEERS[peer]();
const queue = await open(place, (text) => deliver(receiverUrl, text));

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    accept(Buffer.concat(chunks)).then(
      (accepted) => answer(response, 200, { accepted }),
      (error) => answer(response, 503, { error: String(error) }),
    );
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send({ kind: "listening", url: `http://127.0.0.1:${server.address().port}` });
});

process.on("message", async ({ ask }) => {
  if (ask === undefined) return;
  process.send({ kind: ask, value: await queue[ask]() });
  if (ask === "close") process.exit(0);
});
process.on("disconnect", () => process.exit(0));

async function accept(body) {
  const messages = messagesOf(JSON.parse(body.toString()));
  await queue.accept(messages);
  return messages.length;
}

function answer(response, status, value) {
  const text = JSON.stringify(value);
  response
    .writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
    .end(text);
}

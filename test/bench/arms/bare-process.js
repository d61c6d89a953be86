// The bare loop: POSTs of the same bytes under the same headers by `Pool.dispatch`, as fast as they are answered. No
// calls arrive, nothing is stored, and signatures are computed before.

import { signBody } from "@postrider/core";
import { encodeMessage, mapCall } from "@postrider/core/engine";
import { randomBytes } from "node:crypto";
import { Pool } from "undici";
import { sampleCall } from "../calls.js";
import { now } from "../now.js";
import { SECRET } from "../scene.js";

const BODIES = 1_000;

const { receiverUrl, ca, connections, bodyBytes } = JSON.parse(process.argv[2]);
const requests = Array.from({ length: BODIES }, makeRequest);
let made = 0;
const secure = ca === undefined ? {} : { connect: { ca } };
const pool = new Pool(receiverUrl, { connections, pipelining: 1, ...secure });

process.on("message", async ({ forMs }) => {
  if (forMs !== undefined) process.send({ kind: "ran", ...(await run(forMs)) });
});
process.on("disconnect", () => process.exit(0));
process.send({ kind: "ready" });

async function run(forMs) {
  const startedAt = now();
  const endAt = startedAt + forMs;
  let posts = 0;
  let under = 0;
  await new Promise((resolve, reject) => {
    const handler = {
      onRequestStart: () => undefined,
      onResponseStart: (_, status) => {
        if (status !== 200) reject(new Error(`the receiver answered ${status}`));
      },
      onResponseData: () => undefined,
      onResponseEnd: () => {
        under -= 1;
        posts += 1;
        if (now() < endAt) post();
        else if (under === 0) resolve();
      },
      onResponseError: (_, error) => reject(error),
    };
    function post() {
      const request = requests[made % BODIES];
      made += 1;
      under += 1;
      pool.dispatch(request, handler);
    }
    for (let index = 0; index < connections; index += 1) post();
  });
  return { posts, ms: now() - startedAt };
}

function makeRequest() {
  const call = { ...sampleCall(bodyBytes), messageId: randomBytes(16).toString("hex") };
  const at = Date.parse(call.timestamp);
  const stamped = { messageId: call.messageId, timestamp: at, originalTimestamp: at, sentAt: at, receivedAt: at };
  const body = encodeMessage(mapCall({ ...stamped, call: { ...call, timestamp: at } }));
  const headers = [
    ...["User-Agent", "Postrider/1.0", "Content-Type", "application/json", "Accept-Encoding", "identity"],
    ...["X-Signature", signBody(SECRET, body)],
  ];
  return { method: "POST", path: "/", headers, body, headersTimeout: 0, bodyTimeout: 0 };
}

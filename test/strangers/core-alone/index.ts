// A user of the decisions alone: maps a call, signs it, judges a 503 and asks when to try again.

import {
  createSecret,
  DEFAULT_RETRY_POLICY,
  type EndpointId,
  epochMs,
  judgeReply,
  readEndpointUrl,
  type Reply,
  scheduleRetry,
  verifySignature,
} from "@postrider/core";
import { buildRequest, checkCall, encodeMessage, formatTimestamp, mapCall, stampCall } from "@postrider/core/engine";

const receivedAt = epochMs(Date.UTC(2026, 0, 31, 12));
const SECRET = "a long shared secret";

const checked = checkCall({ type: "track", userId: "u1", event: "Signed Up", properties: { plan: "pro" } });
if (checked.kind === "refused") throw new Error(`${checked.refusal.code} at ${checked.refusal.path}`);

const body = encodeMessage(mapCall(stampCall(checked.call, { messageId: "m1" }, receivedAt)));
console.log("message", new TextDecoder().decode(body));

const request = buildRequest(body, {
  endpoint: endpointAt("https://example.com/hook"),
  headers: [["X-Team", "growth"]],
  secrets: [createSecret(SECRET)],
  timeoutMs: 5_000,
});
const signature = request.headers.find(([name]) => name === "X-Signature")?.[1];
console.log("signature", signature, verifySignature(SECRET, request.body, signature) ? "is right" : "is wrong");

const reply: Reply = { kind: "answered", status: 503, afterMs: 12, excerpt: new Uint8Array() };
const verdict = judgeReply(reply);
console.log("verdict", verdict);

const past = { rounds: 1, firstAttemptAt: receivedAt, roundStartedAt: receivedAt };
const next = scheduleRetry(DEFAULT_RETRY_POLICY, past, { delay: 0.5, slot: 0.5 }, receivedAt);
console.log("next", next.kind === "due" ? formatTimestamp(next.dueAt) : next.kind);

function endpointAt(text: string): EndpointId {
  const url = readEndpointUrl(text);
  if (url.kind === "refused") throw new Error(url.expected);
  return url.id;
}

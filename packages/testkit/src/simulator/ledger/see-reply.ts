// Reads a reply at the moment at which a process hears it.

import { type EndpointId, judgeReply, type MonoMs, type Reply } from "@postrider/core";
import { type KnownRequest, type Ledger, nameOf, tell } from "./ledger.js";

export interface SeenReply {
  readonly process: number;
  readonly endpoint: EndpointId;
  readonly request: KnownRequest;
  readonly reply: Reply;
}

export function seeReply(ledger: Ledger, { process, endpoint, request, reply }: SeenReply): void {
  request.result = reply.kind === "answered" ? String(reply.status) : reply.fault;
  const known = request.of;
  tell(ledger, `heard ${nameOf(known)} ${request.result}`);
  const verdict = judgeReply(reply);
  if (verdict === "success") {
    known.succeeded = true;
    known.succeededSinceClaim = true;
  }
  if (verdict !== "retry" || reply.kind !== "answered" || reply.retryAfter === undefined) return;
  const seconds = Number(reply.retryAfter);
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return;
  const holdMs = Math.min(seconds * 1_000, ledger.policy.retryWindowMs);
  ledger.holds.set(`${String(process)} ${endpoint}`, (ledger.clock.monotonic() + holdMs) as MonoMs);
}

// Records a reply when a process gets it: its result, and the hold that it asks for.

import { type EndpointId, plusMs, type Reply } from "@postrider/core";
import { expectProbes, observeBlock } from "./blocked.js";
import { type KnownRequest, laneOf, type Ledger, nameOf, addTraceLine } from "./ledger.js";

export interface ObservedReply {
  readonly process: number;
  readonly endpoint: EndpointId;
  readonly request: KnownRequest;
  readonly reply: Reply;
}

export function observeReply(ledger: Ledger, { process, endpoint, request, reply }: ObservedReply): void {
  request.result = reply.kind === "answered" ? String(reply.status) : reply.fault;
  const known = request.of;
  expectProbes(laneOf(ledger, known.lane), process, request.result);
  if (request.isOnly) observeBlock(ledger, known, process, request.result);
  addTraceLine(ledger, `heard ${nameOf(known)} ${request.result}`);
  if (request.result === "local") known.event.hadLocalFault = true;
  if (reply.kind !== "answered") return;
  if (reply.status >= 200 && reply.status <= 299) {
    known.succeeded = true;
    // A process that was frozen may get a success while another process has the delivery; the settlement of the frozen
    // process is stale.
    if (request.token === known.token) known.succeededUnderLease = true;
  }
  if (!isRetryable(reply.status) || reply.retryAfter === undefined) return;
  const seconds = Number(reply.retryAfter);
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return;
  const { maxRetryAfterMs, retryWindowMs } = ledger.policy;
  // The process extends the hold at random by up to a fifth, which is not known here.
  const holdMs = Math.min(seconds * 1_000, maxRetryAfterMs, retryWindowMs);
  ledger.holds.set(`${String(process)} ${endpoint}`, plusMs(ledger.clock.monotonic(), holdMs));
}

/** Whether a status leads to a retry. Implemented separately from core, so that an error in core is not repeated. */
function isRetryable(status: number): boolean {
  return status >= 500 || [408, 423, 429].includes(status);
}

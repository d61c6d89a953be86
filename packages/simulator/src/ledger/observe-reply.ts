// Records a reply when a process gets it: its result, and the hold that it asks for.

import { type EndpointId, plusMs, type Reply } from "@postrider/core";
import { expectProbes, observeBlock } from "./blocked.js";
import { observeAsked } from "./fleet/holds-of-all.js";
import { observeExchangeEnd } from "./fleet/observe-exchange.js";
import { resultOf, verdictOf } from "./known-verdict.js";
import { type KnownRequest, laneOf, type Ledger, nameOf, addTraceLine } from "./ledger.js";
import { observeRefusingRest } from "./refusing-rests.js";
import { observeStanding } from "./standings.js";

export interface ObservedReply {
  readonly process: number;
  readonly endpoint: EndpointId;
  readonly request: KnownRequest;
  readonly reply: Reply;
}

export function observeReply(ledger: Ledger, { process, endpoint, request, reply }: ObservedReply): void {
  const result = resultOf(reply);
  request.result = result;
  request.heardAt = ledger.clock.monotonic();
  const known = request.of;
  expectProbes(laneOf(ledger, known.lane), process, result);
  if (request.isOnly) observeBlock(ledger, known, process, result);
  addTraceLine(ledger, `heard ${nameOf(known)} ${result}`);
  observeStanding(ledger, process, request);
  observeRefusingRest(ledger, process, request);
  if (result === "local") known.event.hadLocalFault = true;
  const isSuccess = verdictOf(result) === "success";
  observeExchangeEnd(ledger, process, request, isSuccess);
  if (isSuccess) {
    known.succeeded = true;
    // A process that was frozen may get a success while another process has the delivery; the settlement of the frozen
    // process is stale.
    if (request.token !== undefined && request.token === known.token) known.succeededUnderLease = true;
  }
  const holdMs = askedMs(ledger, reply);
  if (holdMs === undefined) return;
  ledger.holds.set(`${String(process)} ${endpoint}`, plusMs(ledger.clock.monotonic(), holdMs));
  observeAsked(ledger, endpoint, process, holdMs);
}

/** For how long a reply asks for a pause. The process extends it at random by up to a fifth, which is not known here. */
function askedMs({ policy }: Ledger, reply: Reply): number | undefined {
  if (reply.kind !== "answered" || reply.retryAfter === undefined) return undefined;
  if (verdictOf(resultOf(reply)) !== "retry") return undefined;
  const seconds = Number(reply.retryAfter);
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return undefined;
  return Math.min(seconds * 1_000, policy.maxRetryAfterMs, policy.retryWindowMs);
}

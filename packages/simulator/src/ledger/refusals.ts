// Checks which refusals are for good: those that speak of one body, and those that were confirmed while the endpoint took other
// messages (decision: refusals). Does not call core, so that an error of core is not repeated.

import type { AttemptRecord, EndpointId, Settlement } from "@postrider/core";
import { requestsOf } from "./fleet/same-start.js";
import { isOfOneBody, resultOf, verdictOf } from "./known-verdict.js";
import { type KnownDelivery, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";
import { hasSucceededBetween } from "./standings.js";

/** Records what the endpoints of a settlement have refused, and checks each refusal that is for good from now on. */
export function observeRefusals(ledger: Ledger, known: KnownDelivery, { attempts, endpoints }: Settlement): void {
  const { final, refusedAt } = known.event;
  for (const { endpoint, refused } of endpoints) {
    if (!refused || final.has(endpoint)) continue;
    const attempt = attempts.find((one) => one.endpoint === endpoint);
    const wrong = attempt === undefined ? "it got no attempt" : wrongFinal(ledger, known, attempt);
    if (wrong !== undefined)
      reportBroken(ledger, "refused-for-good", `${endpoint} has refused ${nameOf(known)} for good: ${wrong}`);
    final.add(endpoint);
  }
  for (const attempt of attempts) {
    const heardAt = requestsOf(ledger, known, attempt).map((request) => request.heardAt ?? ledger.clock.monotonic());
    const [first] = heardAt.toSorted((one, other) => one - other);
    if (first !== undefined && verdictOf(resultOf(attempt.result)) === "refused")
      refusedAt.set(attempt.endpoint, first);
    else refusedAt.delete(attempt.endpoint);
  }
}

/** What is wrong with a refusal that is for good; undefined if nothing is. */
function wrongFinal(ledger: Ledger, known: KnownDelivery, attempt: AttemptRecord): string | undefined {
  const { endpoint } = attempt;
  const result = resultOf(attempt.result);
  if (verdictOf(result) !== "refused") return `the result was ${result}`;
  if (isOfOneBody(result)) return undefined;
  const before = known.event.refusedAt.get(endpoint);
  if (before === undefined) return "it was the first refusal";
  const requests = requestsOf(ledger, known, attempt);
  const place = { lane: laneOf(ledger, known.lane), endpoint };
  const sentBy = Math.max(...requests.map(({ sentAt }) => sentAt));
  if (!hasSucceededBetween(ledger, place, [before, sentBy])) return "it has taken no message since the refusal before";
  // Of several endpoints, another one may have decided the round, at a later time.
  const wasRefusing = requests.every((request) => request.isOnly && request.wasRefusing);
  return wasRefusing ? "it refuses whatever it gets" : undefined;
}

/** Whether every endpoint in force has refused the delivery for good. */
export function areAllFinal(ledger: Ledger, { lane, event }: KnownDelivery): boolean {
  return laneOf(ledger, lane).endpoints.every((endpoint) => event.final.has(endpoint));
}

/** Checks that a delivery whose time is over died as refused if, and only if, each endpoint had refused it when it was last asked. */
export function checkRefusedDeath(ledger: Ledger, known: KnownDelivery, reason: string): void {
  const { final, refusedAt } = known.event;
  const hasRefused = (endpoint: EndpointId): boolean => final.has(endpoint) || refusedAt.has(endpoint);
  const isRefused = laneOf(ledger, known.lane).endpoints.every(hasRefused);
  if (isRefused === (reason === "refused")) return;
  const what = isRefused ? "all its endpoints refused it" : "not all its endpoints refused it last";
  reportBroken(ledger, "dies-refused", `${nameOf(known)} died as ${reason}, and ${what}`);
}

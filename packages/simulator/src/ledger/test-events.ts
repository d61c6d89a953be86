// Records the requests of test events, which are no deliveries, and checks what is reported of them.

import type { EndpointId } from "@postrider/core";
import type { TestReport } from "@postrider/relay";
import { addHistoryLine, type Ledger, reportBroken } from "./ledger.js";

/** Records a request of a test event. */
export function observeTestRequest(ledger: Ledger, endpoint: EndpointId, messageId: string): void {
  addHistoryLine(ledger, `sent the test ${messageId} ${endpoint}`);
  ledger.tests.set(messageId, [...(ledger.tests.get(messageId) ?? []), endpoint]);
}

/** True if a message says of itself that it is a test event. */
export function isTestEvent(body: string): boolean {
  return body.includes('"context":{"test":true');
}

/** Checks that each endpoint that is reported got one request, no other one got any, and that nothing is stored. */
export function checkTestReport(ledger: Ledger, { messageId, attempts }: TestReport): void {
  const sentTo = ledger.tests.get(messageId) ?? [];
  const endpoints = [...new Set(attempts.map(({ endpoint }) => endpoint))];
  if (sentTo.join(" ") !== endpoints.join(" "))
    reportBroken(
      ledger,
      "tests-are-apart",
      `${messageId} went to ${sentTo.join(", ")}, not once to ${endpoints.join(", ")}`,
    );
  if (ledger.storedIds.has(messageId)) reportBroken(ledger, "tests-are-apart", `${messageId} is stored`);
}

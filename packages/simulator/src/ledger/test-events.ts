// Records the requests of test events, which are no deliveries, and checks what is reported of them.

import type { HttpRequest } from "@postrider/core";
import type { TestReport } from "@postrider/relay";
import { addHistoryLine, type Ledger, nameInBody, reportBroken } from "./ledger.js";

const decoder = new TextDecoder();

/** Records a request, and returns true, if it is one of a test event. */
export function observeTestRequest(ledger: Ledger, { url, body }: Pick<HttpRequest, "url" | "body">): boolean {
  const text = decoder.decode(body);
  if (!text.includes('"context":{"test":true')) return false;
  const messageId = nameInBody(text);
  addHistoryLine(ledger, `sent the test ${messageId} ${url}`);
  ledger.tests.set(messageId, [...(ledger.tests.get(messageId) ?? []), url]);
  return true;
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

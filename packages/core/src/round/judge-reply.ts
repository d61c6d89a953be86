// Decides what a reply means for its delivery (spec, webhook destination §7; decision: rounds and verdicts). Total:
// every reply has a verdict. Knows neither the delivery nor the time.

import type { AttemptResult, Detail, Verdict } from "../delivery/delivery.js";
import type { Fault, Reply } from "../http/reply.js";

/** A verdict, or `local`: the fault was ours, the receiver was never asked. */
export type Judgement = Verdict | "local";

const RETRYABLE_4XX: ReadonlySet<number> = new Set([408, 423, 429]);

/** Judges a reply. */
export function judgeReply(reply: Reply): Judgement {
  return reply.kind === "answered" ? judgeStatus(reply.status) : judgeFault(reply.fault);
}

function judgeStatus(status: number): Verdict {
  if (status >= 200 && status <= 299) return "success";
  if (RETRYABLE_4XX.has(status)) return "retry";
  // A redirect is a refusal: it is never followed. So is every other 4xx.
  return status >= 300 && status <= 499 ? "refused" : "retry";
}

function judgeFault(fault: Fault): Judgement {
  switch (fault) {
    case "self-signed":
    case "forbidden-address":
    case "invalid-header":
      return "refused";
    case "local":
      return "local";
    case "timeout":
    case "dns":
    case "connection-refused":
    case "connection-reset":
    case "connection-closed":
    case "bad-response":
    case "network":
    case "tls":
    case "certificate-expired":
    case "certificate-host":
    case "certificate-issuer":
      return "retry";
  }
}

/** A result in short: the status, `gone` for 410, or the fault. */
export function describeResult(result: AttemptResult): Detail {
  if (result.kind === "silent") return result.fault;
  return result.status === 410 ? "gone" : String(result.status);
}

// Calls as a store sees them, for benchmarks of stores alone.

import { randomBytes } from "node:crypto";

export const LEASE_MS = 30_000;
export const NOTHING = {
  ...{ accept: [], settle: [], replay: [], append: [], tally: [] },
  lease: { token: "", leaseMs: LEASE_MS },
};

const BODY_BYTES = 580;

/** A call of one user with one delivery. */
export function newMessage(start, lane = "crm") {
  const text = randomBytes(BODY_BYTES / 2).toString("hex");
  return {
    text,
    source: "website",
    messageId: randomBytes(16).toString("hex"),
    type: "track",
    receivedAt: Date.now(),
    userIds: [`user-${randomBytes(8).toString("hex")}`],
    body: Buffer.from(text),
    deliveries: [{ destination: lane, start }],
    filtered: [],
  };
}

/** How one request ended the delivery. */
export function settlementOf(id, token, startedAt, outcome = { kind: "delivered" }) {
  const endpoint = "https://hooks.example/in";
  const [status, verdict] = outcome.kind === "delivered" ? [200, "success"] : [503, "retry"];
  const attempts = [{ round: 1, endpoint, startedAt, durationMs: 12, result: { kind: "answered", status }, verdict }];
  return { id, token, outcome, attempts, endpoints: [{ endpoint, refused: false }] };
}

// The calls that the demo makes, one of each kind.

import type { CallKind, JsonObject } from "@postrider/core";

/** The calls, each with the messageId that identifies its arrival. */
export const SAMPLE_CALLS: readonly {
  readonly kind: CallKind;
  readonly messageId: string;
  readonly call: JsonObject;
}[] = [
  sample("identify", { userId: "u1", traits: { name: "Ada", plan: "pro" } }),
  sample("track", { userId: "u1", event: "Order Completed", properties: { revenue: 39.95, currency: "EUR" } }),
  sample("page", { anonymousId: "a1", name: "Home", properties: { path: "/" } }),
  sample("screen", { userId: "u1", name: "Inbox", properties: { unread: 3 } }),
  sample("group", { userId: "u1", groupId: "g1", traits: { name: "Initech", employees: 329 } }),
  sample("alias", { userId: "u1", previousId: "a1" }),
];

function sample(kind: CallKind, fields: JsonObject): (typeof SAMPLE_CALLS)[number] {
  const messageId = `demo-${kind}`;
  return { kind, messageId, call: { messageId, ...fields } };
}

// What a notification says, and the JSON that a hook gets.

import { type DestinationId, epochMs, NOTIFICATION_KINDS, type NotificationKind } from "@postrider/core";
import { type Notification, type NotifiedPlace, writeNotification } from "@postrider/core/engine";
import { expect, it } from "vitest";

const AT = epochMs(Date.UTC(2026, 0, 31, 12));
const CRM: NotifiedPlace = {
  destination: "crm" as DestinationId,
  count: 1,
  since: AT,
  details: ["503"],
  lane: { mode: "held", waiting: 12, windowEndsAt: epochMs(AT + 1_000) },
};
const SHOP: NotifiedPlace = { destination: "shop" as DestinationId, count: 2, since: AT, details: ["dns", "503"] };
const WHOLE: NotifiedPlace = { count: 3, since: AT, details: ["full"] };

function body(changes: Partial<Notification>, leftOut = 0): Record<string, unknown> {
  const notification: Notification = { id: "ntf_1", kind: "lane-held", at: AT, places: [CRM], more: 0, ...changes };
  return JSON.parse(new TextDecoder().decode(writeNotification(notification, leftOut))) as Record<string, unknown>;
}

it("the body has the kind, the text, the places with their lanes, and a link", () => {
  expect(body({}, 4)).toEqual({
    type: "notification",
    id: "ntf_1",
    kind: "lane-held",
    at: "2026-01-31T12:00:00.000Z",
    text: "crm is held: only probes are sent (503). Its lane is held; 12 deliveries wait.",
    places: [
      {
        destination: "crm",
        count: 1,
        since: "2026-01-31T12:00:00.000Z",
        details: ["503"],
        lane: { mode: "held", waiting: 12, windowEndsAt: "2026-01-31T12:00:01.000Z" },
      },
    ],
    more: 0,
    leftOut: 4,
    help: "https://github.com/postrider/postrider/blob/main/docs/operate/notifications.md#lane-held",
  });
});

it("a lane without a window, and a place without a destination, have no such fields", () => {
  const lane = { mode: "open", waiting: 1 } as const;
  expect(body({ places: [{ ...CRM, lane }] })["places"]).toEqual([expect.objectContaining({ lane })]);
  expect(body({ kind: "store", places: [WHOLE] })["places"]).toEqual([
    { count: 3, since: "2026-01-31T12:00:00.000Z", details: ["full"] },
  ]);
});

it.each<[NotificationKind, string, string]>([
  [
    "lane-failing",
    "crm fails in a large share of first attempts (503).",
    "crm, shop and 2 others fail in a large share of first attempts (503, dns).",
  ],
  [
    "lane-held",
    "crm is held: only probes are sent (503).",
    "crm, shop and 2 others are held: only probes are sent (503, dns).",
  ],
  ["lane-open", "crm is not held any more (503).", "crm, shop and 2 others are not held any more (503, dns)."],
  [
    "window-at-risk",
    "crm: deliveries expire soon, since less than a quarter of the retry window is left (503).",
    "crm, shop and 2 others: deliveries expire soon, since less than a quarter of the retry window is left (503, dns).",
  ],
  [
    "deaths",
    "crm: 1 delivery has ended without success (503).",
    "crm, shop and 2 others: 3 deliveries have ended without success (503, dns).",
  ],
])("the text of %s names one destination, or several", (kind, one, several) => {
  const { lane, ...bare } = CRM;
  expect(lane).toBeDefined();
  expect(body({ kind, places: [bare] })["text"]).toBe(one);
  expect(body({ kind, places: [CRM, SHOP], more: 2 })["text"]).toBe(several);
});

it.each<[NotificationKind, string, string]>([
  ["shedding", "1 call was turned away.", "3 calls were turned away (full)."],
  ["store", "The store failed 1 time.", "The store failed 3 times (full)."],
  [
    "deletion-late",
    "1 request about users is unfinished for more than an hour.",
    "3 requests about users are unfinished for more than an hour (full).",
  ],
  [
    "outbox",
    "1 call of the outbox waits, since the settings do not have its source.",
    "3 calls of the outbox wait, since the settings do not have its source (full).",
  ],
])("the text of %s counts", (kind, one, several) => {
  expect(body({ kind, places: [{ count: 1, since: AT, details: [] }] })["text"]).toBe(one);
  expect(body({ kind, places: [WHOLE] })["text"]).toBe(several);
});

it("one further destination is one other", () => {
  expect(body({ more: 1 })["text"]).toBe("crm and 1 other are held: only probes are sent (503).");
});

it("each kind has a text", () => {
  for (const kind of NOTIFICATION_KINDS) expect(body({ kind })["text"]).not.toBe("");
});

// Writes a notification as the JSON body that a hook gets. Fields may be added, and are never removed; see the guide.

import { DOCS_URL } from "../docs-url.js";
import type { Body } from "../ids.js";
import { encodeText } from "../message/encode-text.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import type { NotifiedPlace, Notification } from "./notification.js";
import { describeNotification } from "./notification-text.js";

/** The body; `leftOut` is how many earlier notifications this hook did not get, since too many waited for it. */
export function writeNotification(notification: Notification, leftOut: number): Body {
  const { id, kind, at, places, more } = notification;
  const body = {
    type: "notification",
    id,
    kind,
    at: formatTimestamp(at),
    text: describeNotification(notification),
    places: places.map(writePlace),
    more,
    leftOut,
    help: `${DOCS_URL}/operate/notifications.md#${kind}`,
  };
  return encodeText(JSON.stringify(body)) as Body;
}

function writePlace({ destination, count, since, details, lane }: NotifiedPlace) {
  return {
    ...(destination === undefined ? {} : { destination }),
    count,
    since: formatTimestamp(since),
    details,
    ...(lane === undefined ? {} : { lane: writeLane(lane) }),
  };
}

function writeLane({ mode, waiting, windowEndsAt }: NonNullable<NotifiedPlace["lane"]>) {
  return { mode, waiting, ...(windowEndsAt === undefined ? {} : { windowEndsAt: formatTimestamp(windowEndsAt) }) };
}

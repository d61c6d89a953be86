// Writes a notification as the JSON body that a hook gets, with one sentence for a chat or a mail; its times stand in the
// fields. Fields may be added, and are never removed; see the guide.

import { DOCS_URL } from "../docs-url.js";
import type { Body } from "../ids.js";
import { encodeText } from "../message/encode-message.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import type { NotifiedPlace, Notification, NotifiedLane } from "./notification.js";

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

/** Such as `crm is held: only probes are sent to it (503). 12 deliveries wait.` */
function describeNotification({ kind, places, more }: Notification): string {
  const [first] = places;
  const isOne = places.length === 1 && more === 0;
  const sentence = `${sentenceOf(kind, { places, more, isOne })}${detailsOf(places)}.`;
  const lane = isOne ? first?.lane : undefined;
  return lane === undefined ? sentence : `${sentence} ${laneInWords(lane)}`;
}

/** The subject of the sentence. */
interface Subject {
  readonly places: readonly NotifiedPlace[];
  readonly more: number;
  readonly isOne: boolean;
}

function sentenceOf(kind: Notification["kind"], subject: Subject): string {
  const { places, isOne } = subject;
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const names = destinationsOf(subject);
  const [is, fails] = isOne ? ["is", "fails"] : ["are", "fail"];
  switch (kind) {
    case "lane-failing":
      return `${names} ${fails} in a large share of first attempts`;
    case "lane-held":
      return `${names} ${is} held: only probes are sent`;
    case "lane-open":
      return `${names} ${is} not held any more`;
    case "window-at-risk":
      return `${names}: deliveries expire soon, since less than a quarter of the retry window is left`;
    case "deaths":
      return `${names}: ${inNumbers(count, "delivery has", "deliveries have")} ended without success`;
    case "shedding":
      return `${inNumbers(count, "call was", "calls were")} turned away`;
    case "store":
      return `The store failed ${inNumbers(count, "time", "times")}`;
    case "deletion-late":
      return `${inNumbers(count, "request about users is", "requests about users are")} unfinished for more than an hour`;
    case "outbox":
      return `${inNumbers(count, "call of the outbox waits", "calls of the outbox wait")}, since the settings do not have its source`;
  }
}

function destinationsOf({ places, more }: Subject): string {
  const names = places.flatMap(({ destination }) => (destination === undefined ? [] : [destination]));
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${inNumbers(more, "other", "others")}`;
}

function detailsOf(places: readonly NotifiedPlace[]): string {
  const details = [...new Set(places.flatMap((place) => place.details))];
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}

function laneInWords({ mode, waiting }: NotifiedLane): string {
  return `Its lane is ${mode}; ${inNumbers(waiting, "delivery waits", "deliveries wait")}.`;
}

function inNumbers(count: number, singular: string, plural: string): string {
  return `${String(count)} ${count === 1 ? singular : plural}`;
}

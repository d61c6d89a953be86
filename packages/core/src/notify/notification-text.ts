// Says in one sentence what a notification tells, for a chat or a mail. Times are not said here: they stand in the fields.

import type { NotifiedLane, NotifiedPlace, Notification } from "./notification.js";

/** Such as `crm is held: only probes are sent to it (503). 12 deliveries wait.` */
export function describeNotification({ kind, places, more }: Notification): string {
  const [first] = places;
  const isOne = places.length === 1 && more === 0;
  const sentence = `${sentenceOf(kind, { places, more, isOne })}${detailsOf(places)}.`;
  const lane = isOne ? first?.lane : undefined;
  return lane === undefined ? sentence : `${sentence} ${laneInWords(lane)}`;
}

interface Said {
  readonly places: readonly NotifiedPlace[];
  readonly more: number;
  readonly isOne: boolean;
}

function sentenceOf(kind: Notification["kind"], said: Said): string {
  const { places, isOne } = said;
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const who = destinationsOf(said);
  const [is, fails] = isOne ? ["is", "fails"] : ["are", "fail"];
  switch (kind) {
    case "lane-failing":
      return `${who} ${fails} in a large share of first attempts`;
    case "lane-held":
      return `${who} ${is} held: only probes are sent`;
    case "lane-open":
      return `${who} ${is} not held any more`;
    case "window-at-risk":
      return `${who}: deliveries expire soon, since less than a quarter of the retry window is left`;
    case "deaths":
      return `${who}: ${numbered(count, "delivery has", "deliveries have")} ended without success`;
    case "shedding":
      return `${numbered(count, "call was", "calls were")} turned away`;
    case "store":
      return `The store failed ${numbered(count, "time", "times")}`;
    case "deletion-late":
      return `${numbered(count, "request about users is", "requests about users are")} unfinished for more than an hour`;
    case "outbox":
      return `${numbered(count, "call of the outbox waits", "calls of the outbox wait")}, since the settings do not have its source`;
  }
}

function destinationsOf({ places, more }: Said): string {
  const names = places.flatMap(({ destination }) => (destination === undefined ? [] : [destination]));
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${numbered(more, "other", "others")}`;
}

function detailsOf(places: readonly NotifiedPlace[]): string {
  const details = [...new Set(places.flatMap((place) => place.details))];
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}

function laneInWords({ mode, waiting }: NotifiedLane): string {
  return `Its lane is ${mode}; ${numbered(waiting, "delivery waits", "deliveries wait")}.`;
}

function numbered(count: number, one: string, several: string): string {
  return `${String(count)} ${count === 1 ? one : several}`;
}

// GET /api/events: what happens in this process, as server-sent events, for as long as the caller reads.

import { type DestinationId, destinationId, type SourceId, sourceId } from "@postrider/core";
import { type Answer, type IncomingRequest, notFoundAnswer, overloadedAnswer } from "@postrider/http";
import { textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { choicesField, type Fields, textField } from "../read-fields.js";
import { readQuery } from "../read-query.js";
import { problemAnswer } from "../refuse.js";
import { EVENT_KINDS, type ToldEvent } from "./event-json.js";
import type { RecentEvents } from "./recent-events.js";
import { streamEvents } from "./stream-events.js";

interface EventsQuery {
  readonly kind: readonly ToldEvent["kind"][];
  readonly source: SourceId;
  readonly destination: DestinationId;
}

const FILTERS: Fields<EventsQuery> = {
  kind: choicesField(EVENT_KINDS),
  source: textField((id) => sourceId(id)),
  destination: textField((id) => destinationId(id)),
};

const FRAMES = textSchema({
  description:
    "Frames of server-sent events. `event` is the kind of an event, `data` the event as one line of JSON; `id` is what a " +
    "reader shows as `Last-Event-ID`. `dropped` tells how many events a reader has missed.",
});

export const STREAM_EVENTS: ApiOperation = {
  id: "streamEvents",
  summary: "Streams what happens in this process, for as long as the caller reads.",
  readBy: "viewer",
  query: { fields: FILTERS },
  headers: { "Last-Event-ID": textSchema({ description: "Go on after this event." }) },
  answer: {
    status: 200,
    description: "what happens from now on, as server-sent events",
    schema: FRAMES,
    contentType: "text/event-stream",
  },
  refusals: ["not-found", "overloaded"],
};

/** Answers a stream of frames, 404 if the host remembers no events, or 503 if as many read as may. */
export function handleStreamEvents(events: RecentEvents | undefined, request: IncomingRequest): Answer {
  if (events === undefined) return notFoundAnswer();
  const read = readQuery(request.query, FILTERS);
  if (read.kind === "refused") return problemAnswer("bad-query", read.problems);
  if (events.isFull()) return overloadedAnswer();
  const wanted = { lastId: request.headers.get("last-event-id"), isWanted: filterOf(read.value) };
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/event-stream"],
      // A proxy that gathers answers would keep the events.
      ["X-Accel-Buffering", "no"],
    ],
    body: streamEvents(events, wanted),
  };
}

function filterOf({ kind, source, destination }: Partial<EventsQuery>): (event: ToldEvent) => boolean {
  return (event) =>
    (kind === undefined || kind.includes(event.kind)) &&
    (source === undefined || ("source" in event && event.source === source)) &&
    (destination === undefined || ("destination" in event && event.destination === destination));
}

// GET /api/events: streams the events of this process as server-sent events (WHATWG HTML, 9.2), each with an id from which
// a reader that was cut off goes on. A reader that is too slow gets a frame `dropped` in place of the events it missed.

import { type AnswerStream, type Answer, type IncomingRequest, notFoundAnswer, overloadedAnswer } from "../../index.js";
import { type DestinationId, destinationId, type SourceId, sourceId } from "@postrider/core";
import {
  type StreamedEvent,
  EVENT_KINDS,
  EVENTS_PIECE_LENGTH,
  HEARTBEAT_MS,
  MAX_RECENT_EVENTS,
  RECONNECT_MS,
} from "./event-json.js";
import type { NumberedEvent, RecentEvents } from "./recent-events.js";
import { textSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { choicesField, type Fields, textField, readQuery } from "../read-request.js";
import { problemAnswer } from "../refuse.js";

const FILTERS: Fields<EventsQuery> = {
  kind: choicesField(EVENT_KINDS),
  source: textField((id) => sourceId(id)),
  destination: textField((id) => destinationId(id)),
};

interface EventsQuery {
  readonly kind: readonly StreamedEvent["kind"][];
  readonly source: SourceId;
  readonly destination: DestinationId;
}

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

/** Answers a stream of frames, 404 if the host remembers no events, or 503 if no further reader may join. */
export function handleStreamEvents(events: RecentEvents | undefined, request: IncomingRequest): Answer {
  if (events === undefined) return notFoundAnswer();
  const filters = readQuery(request.query, FILTERS);
  if (filters.kind === "refused") return problemAnswer("bad-query", filters.problems);
  if (events.isFull()) return overloadedAnswer();
  const wanted = { lastId: request.headers.get("last-event-id"), isWanted: filterOf(filters.value) };
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

function filterOf({ kind, source, destination }: Partial<EventsQuery>): (event: StreamedEvent) => boolean {
  return (event) =>
    (kind === undefined || kind.includes(event.kind)) &&
    (source === undefined || ("source" in event && event.source === source)) &&
    (destination === undefined || ("destination" in event && event.destination === destination));
}

/** The events that a reader wants. */
export interface WantedEvents {
  /** The `Last-Event-ID` that the reader shows; without one, it gets the events from now on. */
  readonly lastId: string | undefined;
  readonly isWanted: (event: StreamedEvent) => boolean;
}

/** The frames after `lastId`, until the caller leaves. The stream ends at once if no further reader may join. */
export function streamEvents(events: RecentEvents, { lastId, isWanted }: WantedEvents): AnswerStream {
  return async function* (signal): AsyncGenerator<string, void, void> {
    if (events.isFull()) return;
    const leave = events.join();
    try {
      const { position, isUnknown } = startOf(events, lastId);
      yield `retry: ${String(RECONNECT_MS)}\n${markOf(events, position)}${isUnknown ? droppedFrame(null) : ""}`;
      yield* piecesAfter(events, position, { isWanted, signal });
    } finally {
      leave();
    }
  };
}

interface PieceOptions extends Pick<WantedEvents, "isWanted"> {
  readonly signal: AbortSignal;
}

/** The pieces after a position, as they come, and a comment after each silence. */
async function* piecesAfter(
  events: RecentEvents,
  start: number,
  { isWanted, signal }: PieceOptions,
): AsyncGenerator<string, void, void> {
  let position = start;
  while (!signal.aborted) {
    const piece = nextPiece(events, position, isWanted);
    if (piece.text !== "") yield piece.text;
    else if ((await events.change(signal, HEARTBEAT_MS)) === "quiet")
      yield `: still here\n${markOf(events, piece.position)}`;
    ({ position } = piece);
  }
}

interface Start {
  readonly position: number;
  /** True if the reader has missed an unknown number of events. */
  readonly isUnknown: boolean;
}

function startOf(events: RecentEvents, lastId: string | undefined): Start {
  if (lastId === undefined) return { position: events.latest(), isUnknown: false };
  const position = numberIn(events, lastId);
  return position === undefined ? { position: events.forgotten(), isUnknown: true } : { position, isUnknown: false };
}

/** The number in an id; undefined if no event of this process has the id. */
function numberIn(events: RecentEvents, lastId: string): number | undefined {
  const [, process, digits] = /^(\d{1,16})-(\d{1,16})$/.exec(lastId) ?? [];
  const number = Number(digits);
  return Number(process) === events.startedAt && number <= events.latest() ? number : undefined;
}

interface Piece {
  readonly text: string;
  readonly position: number;
}

/** The frames after a position, as many as one piece holds. */
function nextPiece(events: RecentEvents, position: number, isWanted: WantedEvents["isWanted"]): Piece {
  const page = events.after(position, MAX_RECENT_EVENTS);
  let text = page.dropped > 0 ? droppedFrame(page.dropped) : "";
  let reached = position + page.dropped;
  for (const numbered of page.events) {
    if (text.length >= EVENTS_PIECE_LENGTH) break;
    if (isWanted(numbered.event)) text += frameOf(events, numbered);
    reached = numbered.number;
  }
  return { text, position: reached };
}

function frameOf(events: RecentEvents, { number, event, json }: NumberedEvent): string {
  return `id: ${idOf(events, number)}\nevent: ${event.kind}\ndata: ${json()}\n\n`;
}

/** Sets the id of a reader, without an event. */
function markOf(events: RecentEvents, position: number): string {
  return `id: ${idOf(events, position)}\n\n`;
}

/** Tells how many events of any kind were missed: null if that is unknown, since another process had them. */
function droppedFrame(dropped: number | null): string {
  return `event: dropped\ndata: ${JSON.stringify({ kind: "dropped", events: dropped })}\n\n`;
}

function idOf({ startedAt }: RecentEvents, number: number): string {
  return `${String(startedAt)}-${String(number)}`;
}

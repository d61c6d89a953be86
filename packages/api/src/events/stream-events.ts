// Writes events as server-sent events (WHATWG HTML, 9.2): a frame for each, with an id by which a reader that was cut off goes on.
// A reader that is too slow gets a frame `dropped` in place of what it has missed. Knows no request.

import type { AnswerStream } from "@postrider/http";
import type { ToldEvent } from "./event-json.js";
import { EVENTS_PIECE_LENGTH, HEARTBEAT_MS, MAX_RECENT_EVENTS, RECONNECT_MS } from "./limits.js";
import type { NumberedEvent, RecentEvents } from "./recent-events.js";

/** The events that a reader wants. */
export interface WantedEvents {
  /** The `Last-Event-ID` that the reader shows; without one, it is told what happens from now on. */
  readonly lastId: string | undefined;
  readonly isWanted: (event: ToldEvent) => boolean;
}

/** The frames from there on, until the caller leaves. It ends at once if as many read as may. */
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

/** The pieces after a position, as they come; a comment where none comes. */
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
  /** Whether the reader has missed events of which it is not known how many they are. */
  readonly isUnknown: boolean;
}

function startOf(events: RecentEvents, lastId: string | undefined): Start {
  if (lastId === undefined) return { position: events.latest(), isUnknown: false };
  const position = numberIn(events, lastId);
  return position === undefined ? { position: events.forgotten(), isUnknown: true } : { position, isUnknown: false };
}

/** The number in an id; undefined if it is an id of another process. */
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

/** Sets the id of a reader, and tells nothing. */
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

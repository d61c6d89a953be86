// A reader of GET /api/events on a manual clock: it reads as fast, or as slowly, as a test says.

import type { RecentEvents } from "@postrider/http/api";
import { streamEvents, type WantedEvents } from "../../packages/http/src/api/events/stream-events.js";

/** A frame as a browser would see it. */
export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** The frames of a text. Comments and `retry` are left out. */
export function framesIn(text: string): readonly Frame[] {
  return text
    .split("\n\n")
    .map(fieldsIn)
    .filter((fields) => fields.size > 0)
    .map((fields) => {
      const data = fields.get("data");
      return {
        id: fields.get("id"),
        event: fields.get("event"),
        data: data === undefined ? undefined : (JSON.parse(data) as Frame["data"]),
      };
    });
}

function fieldsIn(frame: string): ReadonlyMap<string, string> {
  const lines = frame.split("\n").map((line) => /^(id|event|data): (.*)$/.exec(line));
  return new Map(lines.flatMap((found) => (found === null ? [] : [[found[1]!, found[2]!] as const])));
}

export function createReader(events: RecentEvents, wanted: Partial<WantedEvents> = {}) {
  const controller = new AbortController();
  const stream = streamEvents(events, { lastId: undefined, isWanted: () => true, ...wanted });
  const pieces = stream(controller.signal)[Symbol.asyncIterator]();
  return {
    /** The next piece; undefined at the end. */
    next: async (): Promise<string | undefined> => {
      const { done, value } = await pieces.next();
      return done === true ? undefined : String(value);
    },
    leave: async (): Promise<void> => {
      controller.abort();
      await pieces.return?.();
    },
  };
}

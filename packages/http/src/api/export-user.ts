// GET /api/users/ID/export: writes all data of a user as lines of JSON, for the right of access. The lines are read from
// the store while the caller reads them; an answer that is not whole has no line `end`. Exports at one time are bounded.

import { type Answer, type AnswerStream, overloadedAnswer } from "../index.js";
import type { UserDataPage, UserDataRequests, Membership, UserDatum } from "@postrider/relay";
import { textSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { faultAnswer } from "./refuse.js";
import { type DeletionJson, describeDeletion } from "./deletions/describe-deletion.js";
import { describeRecord, type RecordJson } from "./handle-show-delivery.js";

/** The largest number of exports under way at the same time; a further one is answered 503. */
export const MAX_EXPORTS = 4;

const LINES = textSchema({
  description:
    "A line of JSON for each thing that is held: its `kind` is suppression, deletion-request, membership or delivery. The last line " +
    "is `end` with the number of lines before it; an answer without it is not whole.",
});

export const EXPORT_USER: ApiOperation = {
  id: "exportUser",
  summary: "Shows all that is held of a user, as lines of JSON.",
  readBy: "content",
  answer: {
    status: 200,
    description: "all that is held of a user, as lines of JSON",
    schema: LINES,
    contentType: "application/x-ndjson",
  },
  refusals: ["overloaded", "store-unavailable"],
};

/** Answers a stream of lines, or 503 if too many exports are under way. */
export async function handleExportUser(relay: UserDataRequests, exportPlaces: Places, userId: string): Promise<Answer> {
  if (exportPlaces.isFull()) return overloadedAnswer();
  // The first page is read before the answer begins, so that a store which does not answer causes a status, not a cut answer.
  return relay.userData({ userId }).match(
    (firstPage) => ({
      status: 200,
      headers: [["Content-Type", "application/x-ndjson"]],
      body: streamOf(relay, exportPlaces, { userId, firstPage }),
    }),
    faultAnswer,
  );
}

interface BegunExport {
  readonly userId: string;
  readonly firstPage: UserDataPage;
}

function streamOf(relay: UserDataRequests, exportPlaces: Places, { userId, firstPage }: BegunExport): AnswerStream {
  return async function* (signal): AsyncGenerator<string, void, void> {
    // Requests that came together have all passed the check of `handleExportUser`.
    if (exportPlaces.isFull()) throw new Error("too many exports are under way: this one is cut");
    const leave = exportPlaces.take();
    try {
      yield* linesOf(relay, { userId, firstPage }, signal);
    } finally {
      leave();
    }
  };
}

async function* linesOf(
  relay: UserDataRequests,
  { userId, firstPage }: BegunExport,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  let page = firstPage;
  let lines = 0;
  for (;;) {
    for (const datum of page.data) yield `${JSON.stringify(describeDatum(datum))}\n`;
    lines += page.data.length;
    const { next: after } = page;
    if (after === undefined) break;
    if (signal.aborted) return;
    page = await relay.userData({ userId, after }).match(
      (nextPage) => nextPage,
      ({ code }) => {
        throw new Error(`the store is ${code}: the export is cut`);
      },
    );
  }
  yield `${JSON.stringify({ kind: "end", lines })}\n`;
}

/** A line of an export. */
type DatumJson =
  | { readonly kind: "suppression" }
  | { readonly kind: "deletion-request"; readonly request: DeletionJson }
  | MembershipJson
  | { readonly kind: "delivery"; readonly delivery: RecordJson };

interface MembershipJson extends Pick<Membership, "kind" | "audience" | "isCurrent" | "destinations"> {
  /** Of a computed trait; null for a member of an audience. */
  readonly value: unknown;
}

/** The line of one datum. */
function describeDatum(datum: UserDatum): DatumJson {
  switch (datum.kind) {
    case "suppression":
      return { kind: datum.kind };
    case "deletion-request":
      return { kind: datum.kind, request: describeDeletion(datum.request) };
    case "membership": {
      const { kind, audience, isCurrent, destinations, value } = datum;
      return {
        kind,
        audience,
        isCurrent,
        destinations,
        value: value === undefined ? null : (JSON.parse(value) as unknown),
      };
    }
    case "delivery":
      return { kind: datum.kind, delivery: describeRecord(datum.delivery) };
  }
}

/** Bounds the exports that are under way at the same time. */
export interface Places {
  /** True if all places are taken. */
  isFull(): boolean;
  /** Takes a place until the returned function is called. */
  take(): () => void;
}

export function createPlaces(limit: number): Places {
  let occupied = 0;
  return {
    isFull: () => occupied >= limit,
    take: () => {
      occupied += 1;
      return () => {
        occupied -= 1;
      };
    },
  };
}

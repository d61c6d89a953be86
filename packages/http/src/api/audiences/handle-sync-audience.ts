// POST /api/audiences/KEY/sync: reads all members of an audience as a stream. Answers as soon as the members are
// stored; then the changes are sent. Receivers may need hours for the changes of ten million users, and no connection
// should stay open for hours.

import { defined } from "@postrider/core/engine";
import {
  type Answer,
  unsupportedEncodingAnswer,
  type IncomingRequest,
  jsonAnswer,
  overloadedAnswer,
  type RequestBody,
} from "../../index.js";
import type { Relay, SyncFault } from "@postrider/relay";
import { integerSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { readMemberFormat, type MemberUpload, readMembers } from "../members/read-members.js";
import {
  type ApiCode,
  docsOf,
  faultAnswer,
  notSupportedAnswer,
  problemAnswer,
  refuse,
  unavailableAnswer,
} from "../refuse.js";
import { noAudienceAnswer } from "./handle-audiences.js";
import { SYNC, describeReport, describeLatestReport, type ProgressByAudience } from "./audience-json.js";

type SyncRelay = Pick<Relay, "audience" | "syncAudience">;

interface AudienceSync {
  readonly relay: SyncRelay;
  readonly progress: ProgressByAudience;
  readonly key: string;
}

export const SYNC_AUDIENCE: ApiOperation = {
  id: "syncAudience",
  summary: "Replaces all members of an audience. Answers as soon as they are stored; then the changes are sent.",
  body: {
    kind: "streamed",
    contentTypes: ["application/x-ndjson", "text/csv"],
    description:
      "All the members, in any order: one JSON text a line, or CSV with a column user_id. It may have any length.",
    code: "bad-members",
    headers: { "X-Confirm-Remove": integerSchema() },
  },
  answer: { status: 202, description: "a sync whose members are safe", schema: SYNC },
  refusals: ["not-found", "would-remove", "sync-running", "not-supported", "store-unavailable"],
  beside: { "would-remove": { members: integerSchema(), entered: integerSchema(), departed: integerSchema() } },
};

/**
 * Answers the report so far: `{ sync, members, entered, departed, changed, endedAt }`; `endedAt` is null until all
 * changes are sent.
 */
export async function handleSyncAudience(
  audienceSync: AudienceSync,
  { body, headers }: IncomingRequest,
): Promise<Answer> {
  if (body.kind === "no-room") return overloadedAnswer();
  if (body.kind === "unread-encoding") return unsupportedEncodingAnswer();
  if (body.kind === "too-large") return refuse(413, "too-large", "this listener streams no bodies");
  const confirmedCount = readConfirmedCount(headers.get("x-confirm-remove"));
  if (confirmedCount === "bad") return problemAnswer("bad-members", [BAD_CONFIRMATION]);
  const memberFormat = readMemberFormat(headers.get("content-type"));
  if (memberFormat.kind === "refused")
    return problemAnswer("bad-members", [{ path: "Content-Type", expected: memberFormat.expected }]);
  const memberUpload = readMembers(chunksOf(body), memberFormat.format);
  return new Promise((resolve, reject) => {
    const answerStored = (): void => void answerSoFar(audienceSync).then(resolve, reject);
    sync(audienceSync, { memberUpload, confirmedCount }, answerStored).then(resolve, reject);
  });
}

interface ConfirmedMembers {
  readonly memberUpload: MemberUpload;
  /** The number of departing members that the caller confirms; undefined if the request has no `X-Confirm-Remove`. */
  readonly confirmedCount: number | undefined;
}

function readConfirmedCount(header: string | undefined): number | undefined | "bad" {
  if (header === undefined) return undefined;
  return /^\d{1,15}$/.test(header.trim()) ? Number(header) : "bad";
}

const BAD_CONFIRMATION = { path: "X-Confirm-Remove", expected: "how many members would leave, in digits" };

/** Resolves when the sync has ended; calls `onStored` once its members are stored. */
async function sync(
  { relay, progress, key }: AudienceSync,
  { memberUpload, confirmedCount }: ConfirmedMembers,
  onStored: () => void,
): Promise<Answer> {
  let isStored = false;
  const answer = await relay
    .syncAudience(key, memberUpload.members, {
      ...defined({ confirmRemove: confirmedCount }),
      onProgress: (latest) => {
        progress.note(key, latest);
        if (isStored || latest.phase !== "sending") return;
        isStored = true;
        onStored();
      },
    })
    .match(
      (report) => jsonAnswer(202, describeReport(report)),
      (fault) => syncFaultAnswer(fault, memberUpload),
    );
  progress.forget(key);
  return answer;
}

async function answerSoFar({ relay, key }: AudienceSync): Promise<Answer> {
  return relay.audience(key).match((record) => {
    const report = record && describeLatestReport(record);
    return report === undefined ? noAudienceAnswer() : jsonAnswer(202, report);
  }, faultAnswer);
}

function syncFaultAnswer(fault: SyncFault, memberUpload: MemberUpload): Answer {
  switch (fault.code) {
    case "bad-member":
      return badLineAnswer(memberUpload.line(), fault.expected);
    case "members-failed": {
      const badLine = memberUpload.badLine();
      return badLine === undefined
        ? refuse(400, "bad-members", "the upload broke off")
        : badLineAnswer(badLine.line, badLine.expected);
    }
    case "unknown-audience":
      return noAudienceAnswer();
    case "would-remove":
      return wouldRemoveAnswer(fault);
    case "sync-running":
      return refuse(409, fault.code, "an earlier sync is still under way");
    case "not-supported":
      return notSupportedAnswer("audiences");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return unavailableAnswer();
  }
}

/** The answer has the counts beside `error`, since the next upload has to confirm `departed`. */
function wouldRemoveAnswer({ members, entered, departed }: Extract<SyncFault, { code: "would-remove" }>): Answer {
  const message = `${String(departed)} members would leave; if that is right, send the list again with X-Confirm-Remove: ${String(departed)}`;
  const code = "would-remove" satisfies ApiCode;
  const error = { code, message, docs: docsOf(code) };
  return jsonAnswer(409, { success: false, code, message, error, members, entered, departed });
}

function badLineAnswer(line: number, expected: string): Answer {
  return problemAnswer("bad-members", [{ path: `line ${String(line)}`, expected }]);
}

/** The chunks of a body. A body that the listener has read is one chunk. */
function chunksOf(body: Extract<RequestBody, { kind: "read" | "streamed" }>): AsyncIterable<Uint8Array> {
  return body.kind === "streamed" ? body.chunks : onePiece(body.bytes);
}

// eslint-disable-next-line @typescript-eslint/require-await -- it has nothing to wait for
async function* onePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

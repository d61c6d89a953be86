// Packs the replies of one turn of the event loop, each with the number of its request. Most have neither an excerpt nor a
// Retry-After.

import type { Fault, Reply } from "@postrider/core";
import {
  type FlatReader,
  readKeptBytes,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
} from "../flat-reader.js";
import {
  type FlatWriter,
  packFlat,
  writeKeptBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
} from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import type { AllFields } from "./all-fields.js";

/** A reply, and the number of its request. */
export interface NumberedReply {
  readonly id: number;
  readonly reply: Reply;
}

export const HTTP_REPLIES: Packing<readonly NumberedReply[]> = {
  pack: (replies) => packFlat((to) => writeList(to, replies, writeNumbered)),
  unpack: (parcel) => unpackFlat(parcel, (from) => readList(from, readNumbered)),
};

function writeNumbered(to: FlatWriter, { id, reply }: NumberedReply): void {
  writeNumber(to, id);
  writeReply(to, reply);
}

function readNumbered(from: FlatReader): NumberedReply {
  return { id: takeNumber(from), reply: readReply(from) };
}

type WrittenReply = AllFields<Reply, "kind" | "status" | "fault" | "afterMs" | "retryAfter" | "excerpt">;

/** In place of a status. */
const SILENT = 0;
/** Bits that say what follows. */
const HAS_RETRY_AFTER = 1;
const HAS_EXCERPT = 2;

function writeReply(to: FlatWriter, reply: WrittenReply): void {
  if (reply.kind === "silent") {
    writeNumber(to, SILENT);
    writeNumber(to, reply.afterMs);
    writeShared(to, reply.fault);
    return;
  }
  const { excerpt, retryAfter } = reply;
  writeNumber(to, reply.status);
  writeNumber(to, reply.afterMs);
  writeNumber(to, (retryAfter === undefined ? 0 : HAS_RETRY_AFTER) | (excerpt.length === 0 ? 0 : HAS_EXCERPT));
  if (retryAfter !== undefined) writeText(to, retryAfter);
  if (excerpt.length > 0) writeKeptBytes(to, excerpt);
}

function readReply(from: FlatReader): Reply {
  const status = takeNumber(from);
  const afterMs = takeNumber(from);
  if (status === SILENT) return { kind: "silent", fault: takeSharedText(from) as Fault, afterMs };
  const present = takeNumber(from);
  const retryAfter = (present & HAS_RETRY_AFTER) === 0 ? undefined : takeText(from);
  const excerpt = (present & HAS_EXCERPT) === 0 ? NO_BYTES : readKeptBytes(from);
  if (retryAfter === undefined) return { kind: "answered", status, afterMs, excerpt };
  return { kind: "answered", status, afterMs, excerpt, retryAfter };
}

const NO_BYTES = new Uint8Array();

// The messages on the channel of an HTTP port: the requests and the replies of one turn of the event loop, packed with their numbers, and
// the addresses on which the caller listens. They keep their order: the addresses come before the requests that must not go there.

import type { Reply, EndpointId, Header, HttpRequest, Fault } from "@postrider/core";
import type { Parcel, Packing } from "../channel.js";
import {
  type FlatReader,
  readList,
  takeBytes,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
  type FlatWriter,
  packFlat,
  writeBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
  type AllFields,
  readKeptBytes,
  writeKeptBytes,
} from "../flat.js";

/** The reply to a request that was not sent. */
export const NOT_SENT: Reply = { kind: "silent", fault: "local", afterMs: 0 };

/** An address on which the calling process listens. `0.0.0.0` and `::` mean all addresses of this machine. */
export interface CallerAddress {
  readonly host: string;
  readonly port: number;
}

/** To the thread that sends. */
export type SenderMessage =
  | { readonly kind: "requests"; readonly parcel: Parcel }
  | { readonly kind: "listening"; readonly addresses: readonly CallerAddress[] }
  | { readonly kind: "close" };

/** From the thread that sends: packed replies; none in the first message, which says that it is ready. */
export type RepliesMessage = Parcel;

/** A request, and the number under which its reply is sent. */
export interface NumberedRequest {
  readonly id: number;
  readonly request: HttpRequest;
}

export const HTTP_REQUESTS: Packing<readonly NumberedRequest[]> = {
  pack: (requests) => packFlat((to) => writeList(to, requests, writeNumberedRequest)),
  unpack: (parcel) => unpackFlat(parcel, (from) => readList(from, readNumberedRequest)),
};

function writeNumberedRequest(to: FlatWriter, { id, request }: NumberedRequest): void {
  writeNumber(to, id);
  writeRequest(to, request);
}

function readNumberedRequest(from: FlatReader): NumberedRequest {
  return { id: takeNumber(from), request: readRequest(from) };
}

function writeRequest(to: FlatWriter, request: AllFields<HttpRequest, "url" | "headers" | "body" | "timeoutMs">): void {
  writeShared(to, request.url);
  writeList(to, request.headers, writeHeader);
  writeBytes(to, request.body);
  writeNumber(to, request.timeoutMs);
}

function readRequest(from: FlatReader): HttpRequest {
  return {
    url: takeSharedText(from) as EndpointId,
    headers: readList(from, readHeader),
    body: takeBytes(from),
    timeoutMs: takeNumber(from),
  };
}

function writeHeader(to: FlatWriter, [name, value]: Header): void {
  writeShared(to, name);
  writeText(to, value);
}

function readHeader(from: FlatReader): Header {
  return [takeSharedText(from), takeText(from)];
}

/** A reply, and the number of its request. */
export interface NumberedReply {
  readonly id: number;
  readonly reply: Reply;
}

export const HTTP_REPLIES: Packing<readonly NumberedReply[]> = {
  pack: (replies) => packFlat((to) => writeList(to, replies, writeNumberedReply)),
  unpack: (parcel) => unpackFlat(parcel, (from) => readList(from, readNumberedReply)),
};

function writeNumberedReply(to: FlatWriter, { id, reply }: NumberedReply): void {
  writeNumber(to, id);
  writeReply(to, reply);
}

function readNumberedReply(from: FlatReader): NumberedReply {
  return { id: takeNumber(from), reply: readReply(from) };
}

type WrittenReply = AllFields<Reply, "kind" | "status" | "fault" | "afterMs" | "retryAfter" | "excerpt">;

/** In place of a status. */
const SILENT = 0;

/** Bits that mark the parts that follow. */
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
  const bits = takeNumber(from);
  const retryAfter = (bits & HAS_RETRY_AFTER) === 0 ? undefined : takeText(from);
  const excerpt = (bits & HAS_EXCERPT) === 0 ? NO_BYTES : readKeptBytes(from);
  if (retryAfter === undefined) return { kind: "answered", status, afterMs, excerpt };
  return { kind: "answered", status, afterMs, excerpt, retryAfter };
}

const NO_BYTES = new Uint8Array();

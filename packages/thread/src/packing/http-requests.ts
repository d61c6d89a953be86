// Packs the requests of one turn of the event loop, each with its number. Their bodies are views for the receiver, which writes
// them out at once.

import type { EndpointId, Header, HttpRequest } from "@postrider/core";
import {
  type FlatReader,
  readList,
  takeBytes,
  takeNumber,
  takeSharedText,
  takeText,
  unpackFlat,
} from "../flat-reader.js";
import {
  type FlatWriter,
  packFlat,
  writeBytes,
  writeList,
  writeNumber,
  writeShared,
  writeText,
} from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import type { AllFields } from "./all-fields.js";

/** A request, and the number under which its reply is sent. */
export interface NumberedRequest {
  readonly id: number;
  readonly request: HttpRequest;
}

export const HTTP_REQUESTS: Packing<readonly NumberedRequest[]> = {
  pack: (requests) => packFlat((to) => writeList(to, requests, writeNumbered)),
  unpack: (parcel) => unpackFlat(parcel, (from) => readList(from, readNumbered)),
};

function writeNumbered(to: FlatWriter, { id, request }: NumberedRequest): void {
  writeNumber(to, id);
  writeRequest(to, request);
}

function readNumbered(from: FlatReader): NumberedRequest {
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

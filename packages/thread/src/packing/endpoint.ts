// Packs the state of an endpoint. Most states have no excerpt.

import { type EndpointId, type EndpointState, epochMs } from "@postrider/core";
import { type FlatReader, readKeptBytes, takeNumber, takeSharedText } from "../flat-reader.js";
import { type FlatWriter, writeKeptBytes, writeNumber, writeShared } from "../flat-writer.js";
import type { AllFields, Unfinished } from "./all-fields.js";

const IS_REFUSED = 1;
const HAS_EXCERPT = 2;
const HAS_REFUSED_AT = 4;

export function writeEndpoint(
  to: FlatWriter,
  state: AllFields<EndpointState, "endpoint" | "refused" | "refusedAt" | "excerpt">,
): void {
  const { refusedAt, excerpt } = state;
  writeShared(to, state.endpoint);
  writeNumber(
    to,
    (state.refused ? IS_REFUSED : 0) |
      (excerpt === undefined ? 0 : HAS_EXCERPT) |
      (refusedAt === undefined ? 0 : HAS_REFUSED_AT),
  );
  if (refusedAt !== undefined) writeNumber(to, refusedAt);
  if (excerpt !== undefined) writeKeptBytes(to, excerpt);
}

export function readEndpoint(from: FlatReader): EndpointState {
  const endpoint = takeSharedText(from) as EndpointId;
  const bits = takeNumber(from);
  const state: Unfinished<EndpointState> = { endpoint, refused: (bits & IS_REFUSED) !== 0 };
  if ((bits & HAS_REFUSED_AT) !== 0) state.refusedAt = epochMs(takeNumber(from));
  if ((bits & HAS_EXCERPT) !== 0) state.excerpt = readKeptBytes(from);
  return state;
}

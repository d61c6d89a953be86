// Packs the result of `find`: a delivery in full, or none. Only its bytes and the endpoints that have them are packed flat.

import type { DeliveryRecord } from "@postrider/core";
import { readKeptBytes, readList, takeNumber, takeText, unpackFlat } from "../flat-reader.js";
import { packFlat, writeKeptBytes, writeList, writeNumber, writeText } from "../flat-writer.js";
import type { Packing } from "../parcel.js";
import { readEndpoint, writeEndpoint } from "./endpoint.js";

/** An empty text means that no delivery was found. */
export const FIND_RESPONSE: Packing<DeliveryRecord | undefined> = {
  pack: (record) => {
    if (record === undefined) return { text: "" };
    const { body, endpoints, ...rest } = record;
    return packFlat((to) => {
      writeText(to, JSON.stringify(rest));
      writeList(to, endpoints, writeEndpoint);
      writeNumber(to, body === undefined ? 0 : 1);
      if (body !== undefined) writeKeptBytes(to, body);
    });
  },
  unpack: (parcel) => {
    if (parcel.text === "") return undefined;
    return unpackFlat(parcel, (from) => {
      const rest = JSON.parse(takeText(from)) as Omit<DeliveryRecord, "body" | "endpoints">;
      const endpoints = readList(from, readEndpoint);
      return takeNumber(from) === 0 ? { ...rest, endpoints } : { ...rest, endpoints, body: readKeptBytes(from) };
    });
  },
};

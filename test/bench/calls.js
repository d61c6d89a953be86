// Requests as a Segment-style library makes them, ready to be written to a socket. Made as cheaply as possible, since
// their CPU counts in the result: one text, into which new ids are written. Ids are random, as in practice: each is on
// another page of an index.

import { randomFillSync } from "node:crypto";
import { authorization } from "./scene.js";

const ID_LENGTH = 32;
const USER_LENGTH = 8;
const ID_HOLE = "#".repeat(ID_LENGTH);
const USER_HOLE = "%".repeat(USER_LENGTH);
const CALL = {
  type: "track",
  messageId: ID_HOLE,
  userId: `user-${USER_HOLE}`,
  event: "Order Completed",
  properties: {
    orderId: "50314b8e9bcf000000000000",
    total: 27.5,
    currency: "EUR",
    coupon: "spring",
    products: [
      { productId: "507f1f77bcf86cd799439011", name: "Monopoly: 3rd Edition", price: 19, quantity: 1 },
      { productId: "505bd76785ebb509fc183733", name: "Uno Card Game", price: 3, quantity: 2 },
    ],
  },
  context: { ip: "203.0.113.7", locale: "de-DE", library: { name: "bench", version: "1.0.0" } },
};

/** The length of a message of the sample, and what each further product adds. */
const SAMPLE_BYTES = 677;
const PRODUCT_BYTES = JSON.stringify(CALL.properties.products[0]).length + 1;

/** The call that all arms make, with equal ids: with as many products as make a message of about `bodyBytes`. */
export function sampleCall(bodyBytes = 0) {
  const timestamp = new Date().toISOString();
  const { products } = CALL.properties;
  const missing = Math.max(0, bodyBytes - SAMPLE_BYTES);
  const more = Array.from({ length: Math.round(missing / PRODUCT_BYTES) }, () => products[0]);
  return { ...CALL, properties: { ...CALL.properties, products: [...products, ...more] }, timestamp };
}

/**
 * Returns a maker of requests: `next()` is `{ bytes, hex }`, where `hex` has a separate `messageId` for each of `batch` calls. A call that
 * `isSingle` is sent without a batch around it.
 */
export function createCalls({ batch, isSingle = batch === 1, bodyBytes, writeKey }) {
  const template = Buffer.from(requestOf({ batch, isSingle, bodyBytes }, authorization(writeKey)));
  const idPlaces = placesOf(template, ID_HOLE);
  const userPlaces = placesOf(template, USER_HOLE);
  const random = Buffer.alloc((batch * ID_LENGTH) / 2);
  return {
    next() {
      const bytes = Buffer.allocUnsafe(template.length);
      template.copy(bytes);
      const hex = randomFillSync(random).hexSlice();
      for (let index = 0; index < batch; index += 1) {
        const from = index * ID_LENGTH;
        bytes.latin1Write(hex.slice(from, from + ID_LENGTH), idPlaces[index]);
        bytes.latin1Write(hex.slice(from, from + USER_LENGTH), userPlaces[index]);
      }
      return { bytes, hex };
    },
  };
}

function requestOf({ batch, isSingle, bodyBytes }, authorizationHeader) {
  const call = sampleCall(bodyBytes);
  const body = isSingle
    ? JSON.stringify({ ...call, sentAt: call.timestamp })
    : JSON.stringify({ batch: Array.from({ length: batch }, () => call), sentAt: call.timestamp });
  return [
    `POST ${isSingle ? "/v1/track" : "/v1/batch"} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: ${authorizationHeader}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

function placesOf(bytes, hole) {
  const places = [];
  for (let at = bytes.indexOf(hole); at !== -1; at = bytes.indexOf(hole, at + hole.length)) places.push(at);
  return places;
}

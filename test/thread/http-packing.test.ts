// Requests and replies that cross a channel are equal to what was sent.

import { type EndpointId, FAULTS, type HttpRequest, type Reply } from "@postrider/core";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { expect, it } from "vitest";
import { HTTP_REPLIES, HTTP_REQUESTS } from "../../packages/thread/src/packing/http.js";
import { buffersOf, type Parcel } from "../../packages/thread/src/channel.js";

const bytes = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(4_095, 4_096, 5_000).map(filled));
const headers = fc.array(fc.tuple(nastyStrings(), nastyStrings()), { maxLength: 4 });
const times = fc.double({ min: 0, noNaN: true });

const requests: fc.Arbitrary<HttpRequest> = fc.record({
  url: nastyStrings() as fc.Arbitrary<EndpointId>,
  headers,
  body: bytes,
  timeoutMs: times,
});

const replies: fc.Arbitrary<Reply> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("answered" as const),
      status: fc.integer({ min: 200, max: 599 }),
      afterMs: times,
      retryAfter: nastyStrings(),
      excerpt: bytes,
    },
    { requiredKeys: ["kind", "status", "afterMs", "excerpt"] },
  ),
  fc.record({ kind: fc.constant("silent" as const), fault: fc.constantFrom(...FAULTS), afterMs: times }),
);

it("requests of one turn, with their numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.nat(), request: requests })), (list) => {
      expect(HTTP_REQUESTS.unpack(crossed(HTTP_REQUESTS.pack(list)))).toEqual(list);
    }),
  );
});

it("replies of one turn, with their numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.nat(), reply: replies })), (list) => {
      expect(HTTP_REPLIES.unpack(crossed(HTTP_REPLIES.pack(list)))).toEqual(list);
    }),
  );
});

function crossed(parcel: Parcel): Parcel {
  return structuredClone(parcel, { transfer: buffersOf(parcel) });
}

function filled(length: number): Uint8Array {
  return new Uint8Array(length).fill(length % 251);
}

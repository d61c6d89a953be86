// The few names that all commands of a run share, so that many commands concern the same rows. Some are texts that
// break careless stores.

import {
  type DestinationId,
  destinationId,
  type EndpointId,
  endpointId,
  type LeaseToken,
  leaseToken,
  type MessageType,
  type SourceId,
  sourceId,
} from "@postrider/core";
import fc from "fast-check";

const NUL = "\u0000";

export const sources: fc.Arbitrary<SourceId> = fc.constantFrom("web", "app", `app${NUL}`).map((id) => sourceId(id));
export const lanes: fc.Arbitrary<DestinationId> = fc.constantFrom("a", "a", "b", "é").map((id) => destinationId(id));
export const types: fc.Arbitrary<MessageType> = fc.constantFrom("track", "page");
export const messageIds: fc.Arbitrary<string> = fc.constantFrom(
  "1",
  `${NUL}1`,
  "2",
  "3",
  "\udfff",
  `x${NUL}y`,
  "x",
  "",
);
export const tokens: fc.Arbitrary<LeaseToken> = fc.constantFrom("t1", "t2", "t3").map((token) => leaseToken(token));
export const endpoints: fc.Arbitrary<EndpointId> = fc
  .constantFrom("https://a.test/", "https://b.test/")
  .map((url) => endpointId(url));

/** The lengths of leases: mostly equal, so that leases end together. */
export const leasesMs: fc.Arbitrary<number> = fc.constantFrom(1_000, 1_000, 400);

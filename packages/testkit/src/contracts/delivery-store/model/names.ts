// The few names that all commands of a run share, so that many commands concern the same rows. Some are texts that
// break careless stores.

import {
  CALL_KINDS,
  type DeletionId,
  deletionId,
  type DestinationId,
  destinationId,
  type EndpointId,
  endpointId,
  type LeaseToken,
  leaseToken,
  type MessageType,
  processId,
  type ProcessId,
  type SourceId,
  sourceId,
} from "@postrider/core";
import { audienceSource } from "@postrider/core/engine";
import fc from "fast-check";

const NUL = "\u0000";

const sourceIds = ["web", "app", `app${NUL}`].map((id) => sourceId(id));

/** The sources of messages: three of the settings, and that of an audience. */
export const sources: fc.Arbitrary<SourceId> = fc.constantFrom(...sourceIds, ...sourceIds, audienceSource("vip"));
/** The sources that a request about users may name. */
export const namedSources: fc.Arbitrary<SourceId> = fc.constantFrom(...sourceIds);
export const lanes: fc.Arbitrary<DestinationId> = fc.constantFrom("a", "a", "b", "é").map((id) => destinationId(id));
export const types: fc.Arbitrary<MessageType> = fc.constantFrom(...CALL_KINDS, "delete");
export const messageIds: fc.Arbitrary<string> = fc.constantFrom(
  ...["1", "1", "1", "1"],
  `${NUL}1`,
  "2",
  "3",
  "\udfff",
  `x${NUL}y`,
  "x",
  "",
);
export const tokens: fc.Arbitrary<LeaseToken> = fc.constantFrom("t1", "t2", "t3").map((token) => leaseToken(token));
export const processes: fc.Arbitrary<ProcessId> = fc
  .constantFrom("p1", "p1", "p2", "P2", `p2${NUL}`)
  .map((process) => processId(process));
export const endpoints: fc.Arbitrary<EndpointId> = fc
  .constantFrom("https://a.test/", "https://b.test/", "https://b.test/x")
  .map((url) => endpointId(url));
export const userIds: fc.Arbitrary<string> = fc.constantFrom("ann", "ann", "Ann", `ann${NUL}`, "bob", "\ud800");

/** The ids of all requests about users that a run may store. */
export const DELETION_IDS: readonly DeletionId[] = ["d1", "d2", "d3", "d4", "d5", "D1"].map((id) => deletionId(id));
export const deletionIds: fc.Arbitrary<DeletionId> = fc.constantFrom(...DELETION_IDS);

/** The lengths of leases: mostly equal, so that leases end together. */
export const leasesMs: fc.Arbitrary<number> = fc.constantFrom(1_000, 1_000, 400);

/** More than all deliveries of a run. */
export const LARGE_LIMIT = 500;

/** The number of deliveries that a command may change: few, none, or all. */
export const limits: fc.Arbitrary<number> = fc.constantFrom(0, 1, 1, 2, 3, 5, LARGE_LIMIT, LARGE_LIMIT);

/** The number of rows that a page may have. */
export const pageLimits: fc.Arbitrary<number> = fc.constantFrom(1, 2, 3, 4, 5, LARGE_LIMIT);

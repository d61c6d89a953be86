// The lines of an export: one thing each that is held of a user, as JSON. Every key is always present, null if it does not apply.

import type { Membership, UserDatum } from "@postrider/relay";
import { type DeletionJson, describeDeletion } from "../deletions/describe-deletion.js";
import { describeRecord, type RecordJson } from "../handle-show-delivery.js";

/** A line of an export. */
export type DatumJson =
  | { readonly kind: "suppression" }
  | { readonly kind: "deletion-request"; readonly request: DeletionJson }
  | MembershipJson
  | { readonly kind: "delivery"; readonly delivery: RecordJson };

interface MembershipJson extends Pick<Membership, "kind" | "audience" | "isCurrent" | "destinations"> {
  /** Of a computed trait; null for a member of an audience. */
  readonly value: unknown;
}

/** The line of one thing. */
export function describeDatum(datum: UserDatum): DatumJson {
  switch (datum.kind) {
    case "suppression":
      return { kind: datum.kind };
    case "deletion-request":
      return { kind: datum.kind, request: describeDeletion(datum.request) };
    case "membership": {
      const { kind, audience, isCurrent, destinations, value } = datum;
      return {
        kind,
        audience,
        isCurrent,
        destinations,
        value: value === undefined ? null : (JSON.parse(value) as unknown),
      };
    }
    case "delivery":
      return { kind: datum.kind, delivery: describeRecord(datum.delivery) };
  }
}

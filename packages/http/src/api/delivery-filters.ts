// The filters by which deliveries are listed and counted, as callers write them in a query.

import {
  CALL_KINDS,
  DEAD_REASONS,
  type DeadReason,
  DELIVERY_STATES,
  type DeliveryState,
  type DestinationId,
  destinationId,
  type Detail,
  type EpochMs,
  FAULTS,
  type ListQuery,
  type MessageType,
  type SourceId,
  sourceId,
} from "@postrider/core";
import { defined, describeResult } from "@postrider/core/engine";
import {
  choiceField,
  choicesField,
  type Field,
  type Fields,
  flagField,
  instantField,
  textField,
} from "./read-request.js";
import { textSchema } from "./contract/json-schema.js";

/** The filters of a query, by the names that callers write. */
export interface QueryFilters {
  readonly state: readonly DeliveryState[];
  readonly reason: DeadReason;
  readonly destination: DestinationId;
  readonly source: SourceId;
  readonly type: MessageType;
  readonly messageId: string;
  readonly user: string;
  readonly status: readonly Detail[];
  readonly fault: readonly Detail[];
  readonly since: EpochMs;
  readonly until: EpochMs;
  readonly notReplayed: true;
}

const STATUS = /^[1-5](xx|\d\d)$/;

/** Any filter may be left out. `status` and `fault` are of the last attempt; with both, either is enough. */
export const FILTERS: Fields<QueryFilters> = {
  state: choicesField(DELIVERY_STATES),
  reason: choiceField(DEAD_REASONS),
  destination: textField((id) => destinationId(id)),
  source: textField((id) => sourceId(id)),
  type: choiceField<MessageType>([...CALL_KINDS, "delete"]),
  messageId: textField(String),
  user: textField(String),
  status: statusField(),
  fault: choicesField(FAULTS),
  since: instantField(),
  until: instantField(),
  notReplayed: flagField(),
};

/** The detail of a delivery whose last attempt was answered with this status. */
function detailOf(status: number): Detail {
  return describeResult({ kind: "answered", status });
}

/** The filters and the page of a query, as the storage port takes them. */
export function queryOf(filters: Partial<QueryFilters & Pick<ListQuery, "limit" | "after">>): Partial<ListQuery> {
  const { state: states, user: userId, since: acceptedSince, until: acceptedBefore, ...others } = filters;
  const { status, fault, ...sameNames } = others;
  const details = status === undefined && fault === undefined ? undefined : [...(status ?? []), ...(fault ?? [])];
  return { ...sameNames, ...defined({ states, details, userId, acceptedSince, acceptedBefore }) };
}

/** A status such as 503, or a class of them such as 5xx. */
function statusField(): Field<readonly Detail[]> {
  return {
    expected: "a status such as 503, or a class such as 5xx",
    schema: textSchema({ pattern: STATUS.source }),
    read: (value) => {
      if (typeof value !== "string" || !STATUS.test(value)) return undefined;
      if (!value.endsWith("xx")) return [detailOf(Number(value))];
      return Array.from({ length: 100 }, (_, offset) => detailOf(Number(value.slice(0, 1)) * 100 + offset));
    },
  };
}

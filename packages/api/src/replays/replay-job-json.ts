// The shapes and schemas of replay jobs and of their previews. Every key is always present, null if it does not apply.

import { DEAD_REASONS, type DeadReason, type MessageType, type ReplayedState, type ReplayJob } from "@postrider/core";
import type { ReplayPreview } from "@postrider/relay";
import {
  choiceSchema,
  component,
  flagSchema,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  orNull,
  type SchemaOf,
  textSchema,
} from "../contract/json-schema.js";
import { DELIVERY, type DeliveryJson } from "../handle-list-deliveries.js";

export interface ReplayFilterJson {
  readonly states: readonly ReplayedState[];
  readonly reason: DeadReason | null;
  readonly details: readonly string[] | null;
  readonly source: string | null;
  readonly destination: string | null;
  readonly type: MessageType | null;
  readonly since: string | null;
  readonly until: string | null;
}

export interface ReplayJobJson {
  readonly id: string;
  readonly state: ReplayJob["state"];
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly filter: ReplayFilterJson;
}

export interface ReplayPreviewJson {
  readonly deliveries: number;
  readonly isWhole: boolean;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly byDestination: readonly { readonly destination: string; readonly deliveries: number }[];
  readonly byReason: readonly { readonly reason: DeadReason | "delivered"; readonly deliveries: number }[];
  readonly outOfReach: ReplayPreview["outOfReach"];
  readonly examples: readonly DeliveryJson[];
}

const FILTER = objectSchema<ReplayFilterJson>({
  states: listSchema(choiceSchema<ReplayedState>(["dead", "delivered"])),
  reason: DELIVERY.reason,
  details: orNull(listSchema(textSchema())),
  source: orNull(textSchema()),
  destination: orNull(textSchema()),
  type: orNull(DELIVERY.type),
  since: orNull(instantSchema()),
  until: orNull(instantSchema()),
});

export const JOB: SchemaOf<ReplayJobJson> = component("ReplayJob", {
  id: textSchema(),
  state: choiceSchema<ReplayJob["state"]>(["running", "done", "cancelled"]),
  createdAt: instantSchema(),
  endedAt: orNull(instantSchema()),
  expected: integerSchema(),
  replayed: integerSchema(),
  skipped: integerSchema(),
  filter: FILTER,
});

export const PREVIEW: SchemaOf<ReplayPreviewJson> = component("ReplayPreview", {
  deliveries: integerSchema(),
  isWhole: flagSchema(),
  oldest: orNull(instantSchema()),
  newest: orNull(instantSchema()),
  byDestination: listSchema(objectSchema({ destination: textSchema(), deliveries: integerSchema() })),
  byReason: listSchema(
    objectSchema({
      reason: choiceSchema<DeadReason | "delivered">([...DEAD_REASONS, "delivered"]),
      deliveries: integerSchema(),
    }),
  ),
  outOfReach: objectSchema({ purged: integerSchema(), "destination-removed": integerSchema() }),
  examples: listSchema(component("Delivery", DELIVERY)),
});

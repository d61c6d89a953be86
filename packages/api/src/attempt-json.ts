// The shape of an attempt in an answer, and of a request of a test event: as types, and as schemas for the document of the API.

import { type Fault, FAULTS, type Verdict } from "@postrider/core";
import {
  choiceSchema,
  component,
  instantSchema,
  integerSchema,
  orNull,
  type Properties,
  type SchemaOf,
  textSchema,
  unionSchema,
} from "./contract/json-schema.js";

/** One request and what was answered. Of `status` and `fault` one is null. */
export interface ExchangeJson {
  readonly endpoint: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: Fault | null;
  readonly excerpt: string | null;
}

/** The keys of an exchange. */
export const EXCHANGE: Properties<ExchangeJson> = {
  endpoint: textSchema(),
  startedAt: instantSchema(),
  durationMs: integerSchema(),
  status: orNull(integerSchema()),
  fault: orNull(choiceSchema(FAULTS)),
  excerpt: orNull(textSchema()),
};

/** An attempt in an answer. */
export interface AttemptJson extends ExchangeJson {
  readonly round: number;
  readonly verdict: Verdict;
}

export const ATTEMPT: SchemaOf<AttemptJson> = component<AttemptJson>("Attempt", {
  round: integerSchema(),
  ...EXCHANGE,
  verdict: unionSchema<Verdict>({ success: true, retry: true, refused: true }),
});

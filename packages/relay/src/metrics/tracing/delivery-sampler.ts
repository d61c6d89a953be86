// Decides for a host's SDK which rounds and attempts are recorded: all of them, since Postrider makes their spans only if their
// call was recorded. Without it a sampler that takes one trace in a hundred would take one round in a hundred of those calls, as
// each round is a separate trace.

import { DELIVERY_ID } from "./attributes.js";

/** A `Sampler` of OpenTelemetry's SDK, by its structure. */
export interface SpanSampler {
  shouldSample(
    context: object,
    traceId: string,
    spanName: string,
    spanKind: number,
    attributes: Readonly<Record<string, unknown>>,
    links: object[],
  ): { decision: number };
  toString(): string;
}

/** `RECORD_AND_SAMPLED` of `SamplingDecision`. */
const SAMPLED = 2;

/** A sampler that records rounds and attempts of Postrider, and leaves all other spans to `others`. */
export function createDeliverySampler(others: SpanSampler): SpanSampler {
  return {
    shouldSample: (...args) => {
      const [, , , , attributes] = args;
      return Object.hasOwn(attributes, DELIVERY_ID) ? { decision: SAMPLED } : others.shouldSample(...args);
    },
    toString: () => `Postrider{${others.toString()}}`,
  };
}

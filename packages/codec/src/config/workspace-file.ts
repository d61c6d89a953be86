// The JSON form of sources, destinations and delivery settings in a config file (decision: settings): shapes only, as
// io-ts codecs that change nothing. Defaults and core's types are added in `build-workspace`, rules in core.

import type { DeliveryPolicy, Retention } from "@postrider/core";
import * as t from "io-ts";
import { closedObject } from "./closed-object.js";
import { amount, flag, hours, milliseconds, mode, text } from "./leaves.js";

export interface SourceEntry {
  readonly id: string;
  readonly writeKey: string;
  readonly name?: string;
  readonly rateLimit?: RateLimitEntry;
}

export interface RateLimitEntry {
  readonly perSecond: number;
  readonly burst?: number;
}

/** An entry that is only the id of a source means cloud mode. */
export type ConnectionEntry = string | { readonly source: string; readonly mode?: "cloud" | "device" };

export interface EndpointEntry {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface DestinationEntry {
  readonly id: string;
  readonly sources: readonly ConnectionEntry[];
  readonly endpoints: readonly EndpointEntry[];
  readonly name?: string;
  readonly enabled?: boolean;
  readonly paused?: boolean;
  readonly acceptsHistorical?: boolean;
  /** One secret, or several, newest first. */
  readonly sharedSecret?: string | readonly string[];
  readonly standardWebhooks?: boolean;
  readonly rateLimit?: RateLimitEntry;
}

/** The numbers of delivery that a file may set. Growth and jitter can only be set in code. */
export type DeliveryEntry = Partial<Omit<DeliveryPolicy, "growth" | "jitter">>;

export interface WorkspaceFile {
  readonly sources?: readonly SourceEntry[];
  readonly destinations?: readonly DestinationEntry[];
  readonly delivery?: DeliveryEntry;
  readonly retention?: Partial<Retention>;
}

const rateLimit = closedObject("an object", { required: { perSecond: amount }, optional: { burst: amount } });

/** @internal */
export const sourceEntryCodec: t.Type<SourceEntry, unknown> = closedObject("a source: an object", {
  required: { id: text, writeKey: text },
  optional: { name: text, rateLimit },
});

/** @internal */
export const destinationEntryCodec: t.Type<DestinationEntry, unknown> = closedObject("a destination: an object", {
  required: {
    id: text,
    sources: t.readonlyArray(connectionEntry(), "a list of sources"),
    endpoints: t.readonlyArray(endpointEntry(), "a list of endpoints"),
  },
  optional: {
    name: text,
    enabled: flag,
    paused: flag,
    acceptsHistorical: flag,
    sharedSecret: textOr(secretList()),
    standardWebhooks: flag,
    rateLimit,
  },
});

/** @internal */
export const deliveryEntryCodec: t.Type<DeliveryEntry, unknown> = closedObject("an object", {
  required: {},
  optional: {
    timeoutMs: milliseconds,
    retryWindowMs: milliseconds,
    firstRetryMs: milliseconds,
    maxRetryMs: milliseconds,
    maxRetryAfterMs: milliseconds,
    leaseMs: milliseconds,
    historicalAfterMs: milliseconds,
  },
});

/** @internal */
export const retentionEntryCodec: t.Type<Partial<Retention>, unknown> = closedObject("an object", {
  required: {},
  optional: { deliveredHours: hours, deadHours: hours },
});

/** The keys of a workspace; a config file has the keys of the server as well. @internal */
export const workspaceFieldCodecs: {
  readonly sources: t.Type<readonly SourceEntry[], unknown>;
  readonly destinations: t.Type<readonly DestinationEntry[], unknown>;
  readonly delivery: t.Type<DeliveryEntry, unknown>;
  readonly retention: t.Type<Partial<Retention>, unknown>;
} = {
  sources: t.readonlyArray(sourceEntryCodec, "a list of sources"),
  destinations: t.readonlyArray(destinationEntryCodec, "a list of destinations"),
  delivery: deliveryEntryCodec,
  retention: retentionEntryCodec,
};

/** Refuses an empty list: with it, messages would silently be sent unsigned. */
function secretList(): t.Type<readonly string[], unknown> {
  const expected = "a secret, or a list of at least one secret; leave out sharedSecret to send unsigned messages";
  const list = t.readonlyArray(text, expected);
  return new t.Type<readonly string[], unknown>(
    expected,
    (value): value is readonly string[] => list.is(value) && value.length > 0,
    (value, context) =>
      Array.isArray(value) && value.length === 0 ? t.failure(value, context) : list.validate(value, context),
    t.identity,
  );
}

function connectionEntry(): t.Type<ConnectionEntry, unknown> {
  return textOr(closedObject("the id of a source, or an object", { required: { source: text }, optional: { mode } }));
}

function endpointEntry(): t.Type<EndpointEntry, unknown> {
  const headers = t.record(t.string, text, "an object of strings");
  return closedObject("an endpoint: an object", { required: { url: text }, optional: { headers } });
}

/** A text is valid; any other value is checked by `other`. A union of io-ts would name its branches in the paths. */
function textOr<A>(other: t.Type<A, unknown>): t.Type<string | A, unknown> {
  return new t.Type<string | A, unknown>(
    other.name,
    (value): value is string | A => text.is(value) || other.is(value),
    (value, context) => (text.is(value) ? t.success(value) : other.validate(value, context)),
    t.identity,
  );
}

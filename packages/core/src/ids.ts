// Ids and instants, branded so that the compiler refuses one in place of another. The functions here only brand a value:
// values are checked where they enter the program.

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** The id of a source, as the settings give it. */
export type SourceId = Brand<string, "SourceId">;
/** The id of a destination, as the settings give it. It also names the destination's lane. */
export type DestinationId = Brand<string, "DestinationId">;
/** An endpoint is its normalised URL; a changed URL is a new endpoint without history. */
export type EndpointId = Brand<string, "EndpointId">;
/** Opaque, given by the store. */
export type DeliveryId = Brand<string, "DeliveryId">;
/** The id of a deletion request. Opaque, given by the caller that makes the request. */
export type DeletionId = Brand<string, "DeletionId">;
/** Random, new for each claim; proves that a settlement comes from the claim that still holds the delivery. */
export type LeaseToken = Brand<string, "LeaseToken">;
/** A point on the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Brand<number, "EpochMs">;
/** A point on a monotonic clock, in milliseconds since an arbitrary start. Only differences mean anything. */
export type MonoMs = Brand<number, "MonoMs">;
/** The JSON text of a message as UTF-8 bytes: stored, signed and sent unchanged. */
export type Body = Brand<Uint8Array, "Body">;

/** From the id in the settings. */
export function sourceId(text: string): SourceId {
  return text as SourceId;
}

/** From the id in the settings. */
export function destinationId(text: string): DestinationId {
  return text as DestinationId;
}

/** From a normalised URL, as `new URL(text).href` writes it. Does not check it; `readEndpointUrl` does. */
export function endpointId(url: string): EndpointId {
  return url as EndpointId;
}

/** For a store, which creates the ids, and for an id that was stored as text. */
export function deliveryId(text: string): DeliveryId {
  return text as DeliveryId;
}

/** For an id that was stored as text, such as one from the answer to a request. */
export function deletionId(text: string): DeletionId {
  return text as DeletionId;
}

/** From random text that was created for one claim. */
export function leaseToken(text: string): LeaseToken {
  return text as LeaseToken;
}

/** From whole milliseconds, as `Date.now()` gives them. */
export function epochMs(ms: number): EpochMs {
  return ms as EpochMs;
}

/** From milliseconds of a clock that never goes back, as `performance.now()` gives them. */
export function monoMs(ms: number): MonoMs {
  return ms as MonoMs;
}

/** The instant `ms` later on the same clock; earlier if `ms` is negative. Whole milliseconds stay whole. */
export function plusMs<Instant extends EpochMs | MonoMs>(at: Instant, ms: number): Instant {
  return (at + ms) as Instant;
}

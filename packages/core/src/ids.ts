// Ids and instants, branded so that the compiler refuses one kind of id or instant where another is expected. The functions
// here only brand a value; values are checked where they enter the program.

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** The id of a source, as the settings give it. */
export type SourceId = Brand<string, "SourceId">;
/** The id of a destination, as the settings give it. It also names the destination's lane. */
export type DestinationId = Brand<string, "DestinationId">;
/** The id of an endpoint: its normalised URL. A changed URL is a new endpoint without history. */
export type EndpointId = Brand<string, "EndpointId">;
/** The id of a delivery. Opaque; created by the store. */
export type DeliveryId = Brand<string, "DeliveryId">;
/** The id of a deletion request. Opaque; created by the relay. */
export type DeletionId = Brand<string, "DeletionId">;
/** The id of a replay job. Opaque; created by the relay. */
export type ReplayJobId = Brand<string, "ReplayJobId">;
/** A place in the order in which the lanes of a store change. Opaque; created by the store. */
export type LaneMark = Brand<string, "LaneMark">;
/**
 * The token of a claim: the id of its process, and then random characters that are new for each claim. It proves that a settlement
 * comes from the claim that is in force.
 */
export type LeaseToken = Brand<string, "LeaseToken">;
/** The id of one process that uses a store: random, new at each start. */
export type ProcessId = Brand<string, "ProcessId">;
/** A point on the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Brand<number, "EpochMs">;
/** A point on a monotonic clock, in milliseconds since an arbitrary start. Only the difference of two points has a meaning. */
export type MonoMs = Brand<number, "MonoMs">;
/** The JSON text of a message as UTF-8 bytes: stored, signed and sent unchanged. */
export type Body = Brand<Uint8Array, "Body">;

/** Brands the id of a source, such as one from the settings. */
export function sourceId(text: string): SourceId {
  return text as SourceId;
}

/** Brands the id of a destination, such as one from the settings. */
export function destinationId(text: string): DestinationId {
  return text as DestinationId;
}

/** Brands a normalised URL, as `new URL(text).href` writes it. Does not check the URL; `readEndpointUrl` does. */
export function endpointId(url: string): EndpointId {
  return url as EndpointId;
}

/** Brands the id of a delivery: a new id that a store creates, or an id that was stored as text. */
export function deliveryId(text: string): DeliveryId {
  return text as DeliveryId;
}

/** Brands the id of a deletion request: a new id, or an id that was stored as text. */
export function deletionId(text: string): DeletionId {
  return text as DeletionId;
}

/** Brands the id of a replay job: a new id, or an id that was stored as text. */
export function replayJobId(text: string): ReplayJobId {
  return text as ReplayJobId;
}

/** Brands a place in the order of changes: a new one that a store creates. */
export function laneMark(text: string): LaneMark {
  return text as LaneMark;
}

/** Brands a text that was created for one claim. */
export function leaseToken(text: string): LeaseToken {
  return text as LeaseToken;
}

/** Brands random text that was created for one process, or that was stored as text. */
export function processId(text: string): ProcessId {
  return text as ProcessId;
}

/** Brands whole milliseconds since 1970, as `Date.now()` returns them. */
export function epochMs(ms: number): EpochMs {
  return ms as EpochMs;
}

/** Brands milliseconds of a clock that never goes back, as `performance.now()` returns them. */
export function monoMs(ms: number): MonoMs {
  return ms as MonoMs;
}

/** The instant `ms` later on the same clock; earlier if `ms` is negative. Whole milliseconds stay whole. */
export function plusMs<Instant extends EpochMs | MonoMs>(at: Instant, ms: number): Instant {
  return (at + ms) as Instant;
}

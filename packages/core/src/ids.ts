// The names of things, branded so that the compiler refuses one where another is due.
// Knows no rules: what a valid id looks like is decided where it comes in.

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
/** The id of a deletion request. Opaque, given by whoever takes the request. */
export type DeletionId = Brand<string, "DeletionId">;
/** Random, new for each claim; proves that a settlement comes from the claim that still holds the delivery. */
export type LeaseToken = Brand<string, "LeaseToken">;
/** A point on the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Brand<number, "EpochMs">;
/** A point on a monotonic clock, in milliseconds since an arbitrary start. Only differences mean anything. */
export type MonoMs = Brand<number, "MonoMs">;
/** The JSON text of a message as UTF-8 bytes: stored, signed and sent as they are. Nobody changes them. */
export type Body = Brand<Uint8Array, "Body">;

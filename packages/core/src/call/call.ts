// The kinds of calls (spec, client library §2.2) after decoding: an absent field is undefined, ids are strings, instants
// are numbers. Which fields a call requires is decided in intake/, not here.

import type { EpochMs } from "../ids.js";

/** The kinds of calls that a caller can make. */
export const CALL_KINDS = ["identify", "track", "page", "screen", "group", "alias"] as const;
/** One of the kinds of calls. */
export type CallKind = (typeof CALL_KINDS)[number];

/** A JSON object as the caller sent it. Only own properties count. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The fields that every kind of call may have. */
export interface CallBase {
  /** At most 100 characters. If absent, the server creates a messageId. */
  readonly messageId?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  /** The time of the call, by the caller's clock. If `timestamp` and `originalTimestamp` are both absent, the time of receipt is used. */
  readonly timestamp?: EpochMs;
  /** Used where `timestamp` is absent. */
  readonly originalTimestamp?: EpochMs;
  /** The time at which the caller sent the call, by the caller's clock. The server uses this to correct `timestamp`. */
  readonly sentAt?: EpochMs;
  readonly context?: JsonObject;
  /** Destinations by name, true or false; see `isAllowedByIntegrations`. */
  readonly integrations?: JsonObject;
}

/** Traits of a user. */
export interface IdentifyCall extends CallBase {
  readonly type: "identify";
  readonly traits?: JsonObject;
}

/** Something that a user has done. `event` is required, but is absent in a call that was not checked. */
export interface TrackCall extends CallBase {
  readonly type: "track";
  readonly event?: string;
  readonly properties?: JsonObject;
}

/** A page of a website that a user has seen. */
export interface PageCall extends CallBase {
  readonly type: "page";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

/** A screen of an app that a user has seen. */
export interface ScreenCall extends CallBase {
  readonly type: "screen";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

/** The group that a user belongs to. `groupId` is required, but is absent in a call that was not checked. */
export interface GroupCall extends CallBase {
  readonly type: "group";
  readonly groupId?: string;
  readonly traits?: JsonObject;
}

/**
 * Says that `previousId` and `userId` are the same user. Both are required, but may be absent in a call that was not
 * checked.
 */
export interface AliasCall extends CallBase {
  readonly type: "alias";
  readonly previousId?: string;
}

/** A call of any kind after decoding. `checkCall` checks the fields that its kind requires. */
export type Call = IdentifyCall | TrackCall | PageCall | ScreenCall | GroupCall | AliasCall;

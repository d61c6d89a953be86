// The six calls that come in (spec, client library §2.2), after shape and leniency: absent means absent,
// ids are strings, instants are numbers. What a call must carry is decided in intake/, not here.

import type { EpochMs } from "../ids.js";

/** The kinds of calls that a caller can make. */
export const CALL_KINDS = ["identify", "track", "page", "screen", "group", "alias"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** A JSON object as the caller wrote it. Only own properties count. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What every kind of call may carry. */
export interface CallBase {
  readonly messageId?: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly timestamp?: EpochMs;
  readonly originalTimestamp?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
}

export interface IdentifyCall extends CallBase {
  readonly type: "identify";
  readonly traits?: JsonObject;
}

export interface TrackCall extends CallBase {
  readonly type: "track";
  readonly event?: string;
  readonly properties?: JsonObject;
}

export interface PageCall extends CallBase {
  readonly type: "page";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

export interface ScreenCall extends CallBase {
  readonly type: "screen";
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
}

export interface GroupCall extends CallBase {
  readonly type: "group";
  readonly groupId?: string;
  readonly traits?: JsonObject;
}

export interface AliasCall extends CallBase {
  readonly type: "alias";
  readonly previousId?: string;
}

export type Call = IdentifyCall | TrackCall | PageCall | ScreenCall | GroupCall | AliasCall;

// What a host hands to the calling library (spec, client library §2.2), as types: a help for whoever writes a call. What
// really comes is read in read-call.ts, which trusts none of this.

import type { JsonObject } from "../call/call.js";

/** What every call may carry. Ids that are whole numbers go out as their decimal text. */
export interface InputBase {
  /** For a call that is made anew with what an earlier one was reported with. Made by the client if absent. */
  readonly messageId?: string | undefined;
  /** Of a historical call: a date, or ISO 8601 text. The client's time if absent, which the server sets right. */
  readonly timestamp?: Date | string | undefined;
  /** More about where the call comes from; not attributes of the user. */
  readonly context?: JsonObject | undefined;
  /** Destinations by name, true or false; `All` for those that are not named (spec, client library §2.3). */
  readonly integrations?: JsonObject | undefined;
}

type Id = string | number;

/** Whose call it is: at least one of the two. */
export type InputIds =
  | { readonly userId: Id; readonly anonymousId?: Id | undefined }
  | { readonly userId?: Id | undefined; readonly anonymousId: Id };

export type IdentifyInput = InputBase & InputIds & { readonly traits?: JsonObject | undefined };

export type TrackInput = InputBase &
  InputIds & { readonly event: string; readonly properties?: JsonObject | undefined };

/** `traits` are another way to give properties; what stands in both is taken from `properties`. */
export type PageInput = InputBase &
  InputIds & {
    readonly name?: string | undefined;
    readonly category?: string | undefined;
    readonly properties?: JsonObject | undefined;
    readonly traits?: JsonObject | undefined;
  };

export type ScreenInput = PageInput;

export type GroupInput = InputBase & InputIds & { readonly groupId: Id; readonly traits?: JsonObject | undefined };

/** `userId` is the new id, `previousId` the one to alias from. */
export type AliasInput = InputBase & {
  readonly userId: Id;
  readonly previousId: Id;
  readonly anonymousId?: Id | undefined;
};

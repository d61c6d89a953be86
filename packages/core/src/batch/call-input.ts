// The input of the calling library (spec, client library §2.2), as types that help the author of a call. The
// types are not relied on: read-call.ts checks each value at run time.

/** An object of fields, of any type: an interface has no index signature, so that `JsonObject` would not take it. */
type Fields = object;

/** An object that writes itself as ISO 8601 text, or as null if it is no sound date. */
interface DateLike {
  toJSON(): string | null;
}

/** The fields that every call may have. An id that is a whole number is sent as its decimal text. */
interface InputBase {
  /** The id of an earlier call, to repeat that call. At most 100 characters. Created by the client if absent. */
  readonly messageId?: string | undefined;
  /** The time of the call: a date, also one of moment, dayjs or luxon, or ISO 8601 text. If absent, the time when the call is made. */
  readonly timestamp?: DateLike | string | undefined;
  /** Extra context, not attributes of the user. */
  readonly context?: Fields | undefined;
  /** Destinations by name, true or false; `All` for the destinations that are not named (spec, client library §2.3). */
  readonly integrations?: Fields | undefined;
}

type Id = string | number;

/** The user of a call: at least one of the two ids. */
type InputIds =
  | { readonly userId: Id; readonly anonymousId?: Id | undefined }
  | { readonly userId?: Id | undefined; readonly anonymousId: Id };

/** The argument of `identify`: traits of a user. A `userId` or an `anonymousId` is required. */
export type IdentifyInput = InputBase & InputIds & { readonly traits?: Fields | undefined };

/** The argument of `track`: an event of a user. A `userId` or an `anonymousId` is required. */
export type TrackInput = InputBase & InputIds & { readonly event: string; readonly properties?: Fields | undefined };

/** `traits` are merged into `properties`; if both have a key, the value of `properties` is used. */
export type PageInput = InputBase &
  InputIds & {
    readonly name?: string | undefined;
    readonly category?: string | undefined;
    readonly properties?: Fields | undefined;
    readonly traits?: Fields | undefined;
  };

/** The argument of `screen`: a screen of an app that a user has seen. Its fields are those of `page`. */
export type ScreenInput = PageInput;

/** The argument of `group`: the group of a user, and its traits. A `userId` or an `anonymousId` is required. */
export type GroupInput = InputBase & InputIds & { readonly groupId: Id; readonly traits?: Fields | undefined };

/** `userId` is the new id of the user, `previousId` the former id. */
export type AliasInput = InputBase & {
  readonly userId: Id;
  readonly previousId: Id;
  readonly anonymousId?: Id | undefined;
};

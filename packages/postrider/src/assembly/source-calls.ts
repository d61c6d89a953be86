// Makes calls for a source from inside the process: typed ones, and values as a caller sent them. Answers instead of throwing,
// whatever happens, since a caller that does not await must not end its process.

import { type CallKind, type JsonObject, type Receipt, type SourceId, sourceId, type Workspace } from "@postrider/core";
import type { AliasInput, GroupInput, IdentifyInput, PageInput, ScreenInput, TrackInput } from "@postrider/core/batch";
import { isPlainObject, plainCall } from "@postrider/core/engine";
import type { Relay } from "@postrider/relay";

/**
 * The answer to a call. `unknown-source`: the settings have no such source. `unavailable`: the call may have been stored or not; repeat it
 * with its `messageId`. `corrupt`: the store is damaged. `stopped`: Postrider is closing.
 */
export type CallAnswer = Receipt | { readonly kind: "unknown-source" | "unavailable" | "corrupt" | "stopped" };

/** The calls of the specification, each for one source. */
export interface TypedCalls<SourceName extends string, Answer> {
  /** Ties a user to traits. */
  identify(source: SourceName, call: IdentifyInput): Promise<Answer>;
  /** Records an action. */
  track(source: SourceName, call: TrackInput): Promise<Answer>;
  /** Records a page view. */
  page(source: SourceName, call: PageInput): Promise<Answer>;
  /** Records a screen view. */
  screen(source: SourceName, call: ScreenInput): Promise<Answer>;
  /** Associates a user with a group. */
  group(source: SourceName, call: GroupInput): Promise<Answer>;
  /** Links one identity to another. */
  alias(source: SourceName, call: AliasInput): Promise<Answer>;
}

/** Calls that are stored at once. `accepted` means that the call is stored and will be delivered. */
export interface SourceCalls<SourceName extends string = string> extends TypedCalls<SourceName, CallAnswer> {
  /**
   * Takes calls as they were received, such as the body of a request after `JSON.parse`, each with its `type`. The answers
   * are in the order of the calls.
   */
  accept(source: SourceName, calls: readonly unknown[]): Promise<readonly CallAnswer[]>;
}

export function createSourceCalls(relay: Pick<Relay, "accept" | "workspace">): SourceCalls {
  const isKnown = createSourceLookup(relay);

  async function accept(source: string, calls: readonly unknown[], kind?: CallKind): Promise<readonly CallAnswer[]> {
    const id = sourceId(source);
    if (!isKnown(id)) return calls.map(() => ({ kind: "unknown-source" }));
    const arrival = { source: id, calls, ...(kind === undefined ? {} : { kind }) };
    return relay.accept(arrival).match<readonly CallAnswer[]>(
      (receipts) => receipts,
      ({ code }) => calls.map(() => ({ kind: code })),
    );
  }

  async function make(source: string, kind: CallKind, call: unknown): Promise<CallAnswer> {
    const [answer] = await accept(source, [call], kind);
    // One call has one answer.
    return answer ?? { kind: "unavailable" };
  }

  return { ...typedCalls(make), accept: (source, calls) => accept(source, calls) };
}

/** The calls of the specification, each of which is made by `make`, as a client writes it. */
export function typedCalls<Answer>(
  make: (source: string, kind: CallKind, call: unknown) => Promise<Answer>,
): TypedCalls<string, Answer> {
  const callOf = (kind: CallKind) => (source: string, call: unknown) => make(source, kind, asWritten(kind, call));
  return {
    identify: callOf("identify"),
    track: callOf("track"),
    page: callOf("page"),
    screen: callOf("screen"),
    group: callOf("group"),
    alias: callOf("alias"),
  } satisfies Record<CallKind, unknown>;
}

/**
 * The call as a client writes it (spec, client library §2.2): as plain data, and the traits of a page or screen merged into its
 * properties. A value that is no such call is not changed, and refused by the relay.
 */
function asWritten(kind: CallKind, call: unknown): unknown {
  try {
    const plain = plainCall(call);
    if ((kind !== "page" && kind !== "screen") || !isPlainObject(plain)) return plain;
    const { traits, properties } = plain;
    if (!isPlainObject(traits) || !isPlainObject(properties ?? {})) return plain;
    return { ...plain, properties: { ...traits, ...(properties as JsonObject | undefined) }, traits: undefined };
  } catch {
    // A getter of the call has thrown: the relay reads it again, and refuses the call.
    return call;
  }
}

/** Finds out whether the settings in force have a source. They are indexed once, until other settings are in force. */
export function createSourceLookup(relay: Pick<Relay, "workspace">): (id: SourceId) => boolean {
  let indexedWorkspace: Workspace | undefined;
  let ids: ReadonlySet<SourceId> = new Set();
  return (id) => {
    const workspace = relay.workspace();
    if (workspace !== indexedWorkspace) ids = new Set(workspace.sources.map((source) => source.id));
    indexedWorkspace = workspace;
    return ids.has(id);
  };
}

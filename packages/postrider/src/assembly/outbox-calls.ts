// Makes calls in a transaction of the host (decision: outbox). A call is read here by all rules that need no settings, so that it is
// not refused later, after the host has committed it.

import { readReceivedCall } from "@postrider/relay/settings";
import {
  type CallKind,
  type Clock,
  type JsonObject,
  type Outbox,
  type Random,
  type Receipt,
  type RunStatement,
  sourceId,
} from "@postrider/core";
import { checkJson, isPlainObject, refuseCall, writeMessageId } from "@postrider/core/engine";
import type { Relay } from "@postrider/relay";
import { createSourceLookup, type TypedCalls, typedCalls } from "./source-calls.js";

/**
 * The answer to a call in a transaction. `written`: it will be delivered once the transaction is committed, and never if it is rolled back.
 * With any other answer the call is not written.
 */
type OutboxAnswer =
  | { readonly kind: "written"; readonly messageId: string }
  | Extract<Receipt, { readonly kind: "refused" }>
  | { readonly kind: "unknown-source" };

/** The calls of the specification in one transaction. They reject with what the statement of the transaction rejects with. */
export type OutboxCalls<SourceName extends string = string> = TypedCalls<SourceName, OutboxAnswer>;

/** The parts that calls in transactions use. */
export interface OutboxCallsContext {
  readonly relay: Pick<Relay, "workspace">;
  readonly outbox: Outbox;
  readonly clock: Pick<Clock, "wall">;
  readonly random: Random;
}

/** Returns the function that makes calls by the statements of one transaction. */
export function createOutboxCalls({
  relay,
  outbox,
  clock,
  random,
}: OutboxCallsContext): (run: RunStatement) => OutboxCalls {
  const isKnown = createSourceLookup(relay);

  async function write(run: RunStatement, source: string, call: WrittenCall): Promise<OutboxAnswer> {
    if (call.kind === "refused") return call;
    await outbox.add({ source: sourceId(source), call: call.text }, run);
    return { kind: "written", messageId: call.messageId };
  }

  /** The text of the call with all that would otherwise be set when it is accepted: its kind, its id, its time. */
  function writeText(kind: CallKind, call: unknown): WrittenCall {
    if (!isPlainObject(call)) return refuseCall("not-an-object", "", "an object");
    try {
      const { type, messageId, timestamp } = call;
      const stamped = {
        ...call,
        type: type ?? kind,
        messageId: isAbsent(messageId) ? writeMessageId(random.bytes(16)) : messageId,
        timestamp: timestamp ?? new Date(clock.wall()).toISOString(),
      };
      // Checked before it is written, since objects that share their parts can write more than fits into memory.
      const refusal = checkJson(stamped);
      if (refusal !== undefined) return { kind: "refused", refusal };
      const text = JSON.stringify(stamped);
      // Read as it will be read when it is accepted.
      const outcome = readReceivedCall(JSON.parse(text) as JsonObject, kind);
      if (outcome.kind === "refused") return { kind: "refused", refusal: outcome.refusal };
      return { kind: "ok", text, messageId: String(outcome.call.messageId) };
    } catch {
      return refuseCall("not-an-object", "", "a call that JSON can carry");
    }
  }

  return (run) =>
    typedCalls((source, kind, call) =>
      isKnown(sourceId(source))
        ? write(run, source, writeText(kind, call))
        : Promise.resolve({ kind: "unknown-source" }),
    );
}

type WrittenCall =
  | { readonly kind: "ok"; readonly text: string; readonly messageId: string }
  | Extract<Receipt, { readonly kind: "refused" }>;

/** True if the id counts as none: each acceptance of the call would draw a new one. */
function isAbsent(messageId: unknown): boolean {
  return messageId === undefined || messageId === null || messageId === "";
}

// A receiver that misbehaves: its name, its script, and the reply that an HTTP port has to give.

import type { Fault } from "@postrider/core";
import type { ReceiverScript } from "./script.js";

/** A receiver that does something wrong, and the reply that an HTTP port has to give for it. */
export interface HostileReceiver {
  /** In camelCase, unique in the list. */
  readonly name: string;
  /** Its behaviour in a few words: "sends headers, a byte at a time". */
  readonly does: string;
  readonly script: ReceiverScript;
  readonly expected: ExpectedReply;
}

/** The reply of `send`, and when it comes: at once, or only at the timeout. */
export type ExpectedReply = (
  { readonly kind: "answered"; readonly status: number } | { readonly kind: "silent"; readonly fault: Fault }
) & { readonly takes: "a moment" | "all its time" };

/** An answer whose status is known at once. */
export function expectedAnswer(status: number): ExpectedReply {
  return { kind: "answered", status, takes: "a moment" };
}

/** A fault that is known at once. */
export function expectedFault(fault: Fault): ExpectedReply {
  return { kind: "silent", fault, takes: "a moment" };
}

/** Silence until the timeout. */
export const EXPECTED_TIMEOUT: ExpectedReply = { kind: "silent", fault: "timeout", takes: "all its time" };

/** A script that reads a request, and then does these steps. */
export function afterRequest(...steps: ReceiverScript["steps"]): ReceiverScript {
  return { steps: [{ kind: "reads" }, ...steps] };
}

/** A script that reads a request, answers with these bytes, and leaves the connection open. */
export function sayAfterRequest(text: string): ReceiverScript {
  return afterRequest({ kind: "says", text });
}

/** The head of an answer, with these header lines. */
export function answerHead(status: number | string, ...lines: readonly string[]): string {
  return `${[`HTTP/1.1 ${String(status)} X`, ...lines].join("\r\n")}\r\n\r\n`;
}

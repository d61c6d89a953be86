// A receiver that misbehaves, as plain data: its name, its script and the reply that an HTTP port has to give. A few
// kinds of steps compose any misbehaviour, and can be stored as JSON, printed and generated.

import type { Fault } from "@postrider/core";
import type { TlsIdentity } from "../contracts/http/certificates.js";

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

/** One step of a receiver. Each character of a text is one byte (Latin-1), so that any bytes can be sent. */
export type ScriptStep =
  /** Waits for a whole request and records it. Reads a body only if there is a `Content-Length`. */
  | { readonly kind: "reads" }
  | { readonly kind: "says"; readonly text: string }
  /** Sends the text again and again, once every `everyMs`; 1,000 times if `times` is absent. */
  | { readonly kind: "drips"; readonly text: string; readonly everyMs: number; readonly times?: number }
  /** Sends the text again and again, as fast as it is read, until `bytes` bytes are sent. */
  | { readonly kind: "floods"; readonly text: string; readonly bytes: number }
  | { readonly kind: "waits"; readonly delayMs: number }
  /** Ends its side of the connection in good order. */
  | { readonly kind: "ends" }
  /** Resets the connection, as when a process is killed. */
  | { readonly kind: "resets" }
  /** Closes every connection of the receiver, and accepts no new one. */
  | { readonly kind: "dies" }
  /** Only as the last step: begins again with the first step. The script is played 1,000 times at most. */
  | { readonly kind: "repeats" };

/** The acts of a receiver on each connection, from its start. After the last step it does nothing. */
export interface ReceiverScript {
  readonly steps: readonly ScriptStep[];
  /** The TLS of the receiver; plain TCP if absent. Its steps begin once the handshake is done. */
  readonly tls?: TlsScript;
  /** The scheme of its URL; if absent, `https` for a receiver with `tls`, else `http`. */
  readonly scheme?: "http" | "https";
}

/** The TLS of a receiver in a test. */
export interface TlsScript {
  /**
   * The certificate that the receiver shows, and its key: made by `createAuthority` or `createSelfSignedCertificate`.
   */
  readonly identity: TlsIdentity;
  /** The latest version of TLS that the receiver speaks. */
  readonly maxVersion?: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** Requires a client certificate. */
  readonly wantsClientCertificate?: boolean;
}

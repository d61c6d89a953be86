// The script of a receiver, as plain data: a few kinds of steps from which any misbehaviour can be composed. A
// script holds no function, so it can be stored as JSON, printed, and generated.

import type { Identity } from "../contracts/http/certificates.js";

/** One thing that a receiver does. In a text each character is one byte (Latin-1), so that any bytes can be said. */
export type ScriptStep =
  /** Waits for a whole request and notes it. Only a `Content-Length` tells it of a body. */
  | { readonly kind: "reads" }
  | { readonly kind: "says"; readonly text: string }
  /** Says the same over and over, once every `everyMs`; 1,000 times if not told otherwise. */
  | { readonly kind: "drips"; readonly text: string; readonly everyMs: number; readonly times?: number }
  /** Says the same over and over, as fast as it is taken, until `bytes` are said. */
  | { readonly kind: "floods"; readonly text: string; readonly bytes: number }
  | { readonly kind: "waits"; readonly delayMs: number }
  /** Ends its side of the connection in good order. */
  | { readonly kind: "ends" }
  /** Breaks the connection off, as a process does that is killed. */
  | { readonly kind: "resets" }
  /** Breaks every connection off and takes no new one. */
  | { readonly kind: "dies" }
  /** Begins again with the first step, up to 1,000 times. */
  | { readonly kind: "repeats" };

/** A receiver: what it does on each connection, from the moment that it is made. After the last step it does nothing. */
export interface ReceiverScript {
  readonly steps: readonly ScriptStep[];
  /** How it speaks TLS; plain TCP if absent. Its steps begin once the handshake is done. */
  readonly tls?: TlsScript;
  /** The scheme of its URL; what it speaks if absent. */
  readonly scheme?: "http" | "https";
}

export interface TlsScript {
  /** What it shows; `createAuthority` and `createSelfSigned` make such. */
  readonly identity: Identity;
  /** Speaks no later version. */
  readonly maxVersion?: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** Requires a client certificate. */
  readonly wantsClientCertificate?: boolean;
}

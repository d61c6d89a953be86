// The script of a receiver, as plain data: a few kinds of steps from which any misbehaviour can be composed. A
// script holds no function, so it can be stored as JSON, printed, and generated.

import type { Identity } from "../contracts/http/certificates.js";

/** One thing that a receiver does. In a text each character is one byte (Latin-1), so that a script can send any bytes. */
export type ScriptStep =
  /** Waits for a whole request and records it. Finds a body only by its `Content-Length`. */
  | { readonly kind: "reads" }
  | { readonly kind: "says"; readonly text: string }
  /** Sends the same text repeatedly, once every `everyMs`; 1,000 times if `times` is absent. */
  | { readonly kind: "drips"; readonly text: string; readonly everyMs: number; readonly times?: number }
  /** Sends the same text repeatedly, as fast as the other side reads, until `bytes` are sent. */
  | { readonly kind: "floods"; readonly text: string; readonly bytes: number }
  | { readonly kind: "waits"; readonly delayMs: number }
  /** Ends its side of the connection in good order. */
  | { readonly kind: "ends" }
  /** Resets the connection, as a killed process does. */
  | { readonly kind: "resets" }
  /** Resets every connection and accepts no new one. */
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
  /** The certificate that it shows; `createAuthority` and `createSelfSigned` make one. */
  readonly identity: Identity;
  /** The latest version that it speaks. */
  readonly maxVersion?: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** Requires a client certificate. */
  readonly wantsClientCertificate?: boolean;
}

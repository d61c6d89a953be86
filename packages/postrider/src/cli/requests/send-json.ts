// Sends one JSON request to a Postrider server and returns the answer as text. Never rejects: an unreachable server is
// a result too. Deliveries do not use this file; they go through the HTTP port.

import type { Clock } from "@postrider/core";
import { faultInWords } from "./fault-in-words.js";

export interface JsonRequestOptions {
  readonly url: string;
  /** POST if absent. */
  readonly method?: "GET" | "POST" | "PUT";
  /** The whole Authorization header. */
  readonly authorization: string;
  /** No body if absent. */
  readonly body?: unknown;
  /** Beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export type SendResult =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "unreachable"; readonly reason: string };

const TIMEOUT_MS = 30_000;

/** Sends the request, and waits at most 30 seconds for the whole answer. */
export async function sendJson({
  url,
  method = "POST",
  authorization,
  body,
  headers,
  clock,
}: JsonRequestOptions): Promise<SendResult> {
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "manual",
    });
    return { kind: "answered", status: response.status, text: await response.text() };
  } catch (error) {
    return {
      kind: "unreachable",
      reason: `no answer from ${url}: ${faultInWords(abort.signal.aborted ? "timeout" : error)}`,
    };
  } finally {
    cancel();
  }
}

// Sends one JSON request to a Postrider server, as a caller does, and hands back the answer as text. Total: a server
// that cannot be reached is an answer as well. Deliveries never go this way; they have a port of their own.

import type { Clock } from "@postrider/core";

export interface JsonPost {
  readonly url: string;
  /** POST if absent. */
  readonly method?: "GET" | "POST";
  /** The whole Authorization header. */
  readonly authorization: string;
  /** The body; absent: none. */
  readonly body?: unknown;
  readonly clock: Clock;
}

export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "unreachable"; readonly reason: string };

const TIMEOUT_MS = 30_000;

/** Asks and waits at most 30 seconds for the whole answer. */
export async function postJson({ url, method = "POST", authorization, body, clock }: JsonPost): Promise<Posted> {
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "manual",
    });
    return { kind: "answered", status: response.status, text: await response.text() };
  } catch (error) {
    return { kind: "unreachable", reason: `no answer from ${url}: ${reasonOf(error, abort.signal)}` };
  } finally {
    cancel();
  }
}

/** fetch hides the reason in the cause of what it throws. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "timeout";
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : "the request failed";
}

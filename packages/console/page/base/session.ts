// The user of the page, and the reachability of the server.

import { computed, signal } from "@preact/signals";
import { type FetchResult, change, listenToAnswers, fetchData, UNREACHABLE } from "./ask.js";

/** A person who is logged in. */
export interface User {
  readonly name: string;
  readonly role: "operator" | "viewer";
  readonly canSeeBodies: boolean;
}

/** `asking`: not known yet. `out`: not logged in, for the reason, if there is one; `isLeft`: after a logout. */
export type Session =
  | { readonly kind: "asking" }
  | { readonly kind: "out"; readonly reason?: string; readonly isLeft?: true }
  | { readonly kind: "in"; readonly user: User };

export const session = signal<Session>({ kind: "asking" });

/** True if the person who is logged in may change things. */
export const isOperator = computed(() => session.value.kind === "in" && session.value.user.role === "operator");

/** True if the person who is logged in may see the content of messages, each time on request. */
export const canSeeBodies = computed(() => session.value.kind === "in" && session.value.user.canSeeBodies);

/** True if the last request was answered. */
export const isReachable = signal(true);

listenToAnswers(noteAnswer);

/** Updates the session and the reachability of the server after each answer. */
function noteAnswer(answer: FetchResult<unknown>): void {
  isReachable.value = answer.kind === "ok" || answer.code !== UNREACHABLE;
  if (answer.kind === "refused" && answer.status === 401) session.value = { kind: "out" };
}

/** Begins with the one-time login in the address, if there is one, or with an earlier session. */
export async function beginSession(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  if (code === null) {
    await readSession();
    return;
  }
  // The code is of no more use, and should not stay in the history.
  history.replaceState(null, "", location.pathname + location.search);
  await logIn({ code });
}

/** Logs in with a token or a one-time code. */
export async function logIn(credentials: { readonly token?: string; readonly code?: string }): Promise<void> {
  const answer = await change("POST", "session", credentials);
  if (answer.kind === "ok") {
    await readSession();
    return;
  }
  // A person who is logged in already needs no login: an address that was used before does no harm then.
  if (credentials.code !== undefined) await readSession();
  if (session.value.kind !== "in")
    session.value = { kind: "out", ...(answer.code === UNREACHABLE ? {} : { reason: answer.message }) };
}

export async function logOut(): Promise<void> {
  await change("DELETE", "session");
  session.value = { kind: "out", isLeft: true };
}

async function readSession(): Promise<void> {
  const answer = await fetchData<User>("session");
  session.value = answer.kind === "ok" ? { kind: "in", user: answer.value } : { kind: "out" };
}

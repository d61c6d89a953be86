// The people at the console, and the check by which a host knows them.

import type { Secret } from "@postrider/core";
import type { IncomingHead } from "@postrider/http";

/** `viewer` may look and changes nothing; `operator` may do all that the API can. `canSeeBodies` decides who sees messages. */
export type ConsoleRole = "operator" | "viewer";

/** A person at the console, as the host knows them. */
export interface ConsoleUser {
  /** The name that is logged with each change. */
  readonly name: string;
  readonly role: ConsoleRole;
}

/**
 * The host's check of each request: the user, or undefined if the user is not known. It takes the place of the console's login, and is asked
 * for data only: the page itself, its script and its style are the same for all.
 */
export type Authenticate = (request: IncomingHead) => ConsoleUser | undefined | Promise<ConsoleUser | undefined>;

/** The tokens with which people log in. A function is called at each request, so that a new token ends all sessions of the old. */
export interface ConsoleTokens {
  readonly operator: TokenInForce;
  /** If absent, there are no viewers. */
  readonly viewer?: TokenInForce;
}

type TokenInForce = Secret | (() => Secret | undefined);

/** The token of a role now; undefined if there is none. */
export function tokenOf(tokens: ConsoleTokens, role: ConsoleRole): Secret | undefined {
  const token = tokens[role];
  return typeof token === "function" ? token() : token;
}

// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/console` exports.

import type { Clock, Random, Secret } from "@postrider/core";
import type { Handler, IncomingHead } from "@postrider/http";
import type { TrustedApiOptions } from "@postrider/http/api";

export type Authenticate = (request: IncomingHead) => ConsoleUser | undefined | Promise<ConsoleUser | undefined>;

export interface Console extends Handler {
  loginPath(): string | undefined;
}

export interface ConsoleAction {
  readonly user: ConsoleUser;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly remoteAddress?: string;
}

export interface ConsoleOptions extends TrustedApiOptions {
  readonly authenticate: Authenticate | ConsoleTokens;
  readonly canSeeBodies?: (user: ConsoleUser) => boolean;
  readonly basePath?: string;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly random: Pick<Random, "bytes">;
  readonly onAction?: (action: ConsoleAction) => void;
  readonly onWrongToken?: () => void;
}

export interface ConsoleUser {
  readonly name: string;
  readonly role: ConsoleRole;
}

export declare function createConsole(options: ConsoleOptions): Console;

// Not exported by name, but part of what is.

type ConsoleRole = "operator" | "viewer";

interface ConsoleTokens {
  readonly operator: TokenInForce;
  readonly viewer?: TokenInForce;
}

type TokenInForce = Secret | (() => Secret | undefined);

export {};

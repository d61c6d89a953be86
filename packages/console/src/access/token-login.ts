// The console's login: a token or a one-time code is exchanged for a session. Slows wrong ones down, as the API does, and no right one. A
// code is taken last, so that a login that fails leaves it as it was (decision: rights of callers).

import type { Clock, Random } from "@postrider/core";
import {
  type Answer,
  createKeyGuessLimit,
  type IncomingHead,
  type IncomingRequest,
  jsonAnswer,
  rateLimitedAnswer,
} from "@postrider/http";
import { refusedAnswer } from "../refused-answer.js";
import { type Authenticate, type ConsoleRole, type ConsoleTokens, tokenOf } from "./console-user.js";
import { cookieOf, loginPlaceOf, sessionsIn } from "./cookie.js";
import { isSameText } from "./digest.js";
import { createLoginCodes } from "./login-codes.js";
import { createSessions } from "./sessions.js";

export interface TokenLoginOptions {
  /** The path of the console for a request, such as `/console/`. */
  readonly rootOf: (request: IncomingHead) => string;
  readonly tokens: ConsoleTokens;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly random: Pick<Random, "bytes">;
  readonly onWrongToken: () => void;
}

/** What a person shows to log in. */
export interface Login {
  readonly token?: unknown;
  readonly code?: unknown;
}

export interface TokenLogin {
  readonly authenticate: Authenticate;
  /** Whether a request has a session. */
  readonly knows: (head: IncomingHead) => boolean;
  /** Answers a login: with a cookie, or why not. */
  login(request: IncomingRequest, shown: Login): Answer;
  logout(request: IncomingRequest): Answer;
  readonly drawCode: () => string;
}

/** Logins through a proxy on this machine that names no caller count together. */
const UNKNOWN_ADDRESS = "127.0.0.1";

const UNSAFE =
  "a login in plain text over a network can be read by others: use https, or open the console at a loopback address such as 127.0.0.1";

export function createTokenLogin({ tokens, clock, random, rootOf, onWrongToken }: TokenLoginOptions): TokenLogin {
  const sessions = createSessions({ tokens, clock, random });
  const codes = createLoginCodes(clock, random);
  const guesses = createKeyGuessLimit(clock);

  function roleFor({ token, code }: Login): ConsoleRole | undefined {
    if (typeof code === "string" && codes.has(code)) return "operator";
    if (typeof token !== "string") return undefined;
    const isOf = (role: ConsoleRole): boolean => {
      const right = tokenOf(tokens, role);
      return right !== undefined && isSameText(token, right.reveal());
    };
    if (isOf("operator")) return "operator";
    return isOf("viewer") ? "viewer" : undefined;
  }

  function login(request: IncomingRequest, shown: Login): Answer {
    const place = loginPlaceOf(request);
    if (place === "unsafe") return refusedAnswer(403, "unsafe-login", UNSAFE);
    const role = roleFor(shown);
    const session = role && sessions.begin(role);
    if (role === undefined || session === undefined) return wrongAnswer(request, shown);
    if (typeof shown.code === "string") codes.take(shown.code);
    return jsonAnswer(200, { name: role, role }, [
      ["Set-Cookie", cookieOf(session, place === "secure", rootOf(request))],
    ]);
  }

  function wrongAnswer({ remoteAddress }: IncomingRequest, shown: Login): Answer {
    onWrongToken();
    const waitMs = guesses.note(remoteAddress ?? UNKNOWN_ADDRESS, undefined);
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusedAnswer(401, "wrong-login", wrongText(shown));
  }

  function roleIn(head: IncomingHead): ConsoleRole | undefined {
    for (const session of sessionsIn(head)) {
      const role = sessions.roleOf(session);
      if (role !== undefined) return role;
    }
    return undefined;
  }

  return {
    authenticate: (request) => {
      const role = roleIn(request);
      return role && { name: role, role };
    },
    knows: (head) => roleIn(head) !== undefined,
    login,
    logout: (request) => {
      const ended = [true, false].map((isSecure) => ["Set-Cookie", cookieOf("", isSecure, rootOf(request))] as const);
      return jsonAnswer(200, {}, ended);
    },
    drawCode: () => codes.draw(),
  };
}

function wrongText({ code }: Login): string {
  if (code !== undefined) return "this address was used before, or is too old: log in with the token of the config";
  return "this is not the token of the config";
}

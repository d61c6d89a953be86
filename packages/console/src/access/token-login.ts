// The console's login: a token or a one-time code is exchanged for a session in a cookie (decision: console sessions).
// Sessions need no memory: each has a MAC over its role and end, by a key from the token. Slows wrong logins down, and no
// right one. A one-time code is used up last, so that a login that fails leaves it as it was (decision: rights of callers).

import type { Clock, Random } from "@postrider/core";
import {
  type Answer,
  createKeyGuessLimit,
  type IncomingHead,
  type IncomingRequest,
  jsonAnswer,
  rateLimitedAnswer,
  isSameSecret,
} from "@postrider/http";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { refusedAnswer } from "../refused-answer.js";
import { type Authenticate, type ConsoleRole, type ConsoleTokens, tokenOf } from "./console-user.js";
import { LOGIN_CODE_MS, MAX_LOGIN_CODES, NONCE_BYTES, SESSION_MS } from "../limits.js";

/** Logins through a proxy on this machine that names no caller count together. */
const UNKNOWN_ADDRESS = "127.0.0.1";

const UNSAFE =
  "a login in plain text over a network can be read by others: use https, or open the console at a loopback address such as 127.0.0.1";

const ROLES: readonly ConsoleRole[] = ["operator", "viewer"];

/** Role, end, nonce and MAC. Of a text of another shape, no MAC is computed. */
const SESSION = /^((operator|viewer)\.(\d{1,16})\.[\w-]{22})\.([\w-]{43})$/;

const PURPOSE = "postrider console session";

/** With the prefix `__Host-`, browsers keep a cookie only for one host and over TLS. */
const SECURE_COOKIE = "__Host-postrider";

const PLAIN_COOKIE = "postrider";

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

export interface TokenLoginOptions {
  /** The path of the console for a request, such as `/console/`. */
  readonly rootOf: (request: IncomingHead) => string;
  readonly tokens: ConsoleTokens;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly random: Pick<Random, "bytes">;
  /** Called for each login with a wrong token or code. */
  readonly onWrongToken: () => void;
}

/** The token or the code with which a person logs in. */
export interface Credentials {
  readonly token?: unknown;
  readonly code?: unknown;
}

export interface TokenLogin {
  readonly authenticate: Authenticate;
  /** Returns true if a request has a session. */
  readonly knows: (head: IncomingHead) => boolean;
  /** Answers a login: with a cookie, or why not. */
  login(request: IncomingRequest, credentials: Credentials): Answer;
  logout(request: IncomingRequest): Answer;
  readonly drawCode: () => string;
}

export function createTokenLogin({ tokens, clock, random, rootOf, onWrongToken }: TokenLoginOptions): TokenLogin {
  const sessions = createSessions({ tokens, clock, random });
  const codes = createLoginCodes(clock, random);
  const guesses = createKeyGuessLimit(clock);

  function roleFor({ token, code }: Credentials): ConsoleRole | undefined {
    if (typeof code === "string" && codes.has(code)) return "operator";
    if (typeof token !== "string") return undefined;
    const isTokenOf = (role: ConsoleRole): boolean => {
      const secret = tokenOf(tokens, role);
      return secret !== undefined && isSameText(token, secret.reveal());
    };
    if (isTokenOf("operator")) return "operator";
    return isTokenOf("viewer") ? "viewer" : undefined;
  }

  function login(request: IncomingRequest, credentials: Credentials): Answer {
    const place = loginPlaceOf(request);
    if (place === "unsafe") return refusedAnswer(403, "unsafe-login", UNSAFE);
    const role = roleFor(credentials);
    const session = role && sessions.begin(role);
    if (role === undefined || session === undefined) return wrongAnswer(request, credentials);
    if (typeof credentials.code === "string") codes.take(credentials.code);
    return jsonAnswer(200, { name: role, role }, [
      ["Set-Cookie", cookieOf(session, place === "secure", rootOf(request))],
    ]);
  }

  function wrongAnswer({ remoteAddress }: IncomingRequest, credentials: Credentials): Answer {
    onWrongToken();
    const waitMs = guesses.note(remoteAddress ?? UNKNOWN_ADDRESS, undefined);
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : refusedAnswer(401, "wrong-login", wrongText(credentials));
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
      const endedCookies = [true, false].map(
        (isSecure) => ["Set-Cookie", cookieOf("", isSecure, rootOf(request))] as const,
      );
      return jsonAnswer(200, {}, endedCookies);
    },
    drawCode: () => codes.draw(),
  };
}

function wrongText({ code }: Credentials): string {
  if (code !== undefined)
    return "the address of this one-time login was used before, or is too old: log in with the token of the config";
  return "this is not the token of the config";
}

interface LoginCodes {
  /** A new code. */
  draw(): string;
  /** True if the code may be used. Does not use it up. */
  has(code: string): boolean;
  /** Ends the code: it cannot be used again. */
  take(code: string): void;
}

function createLoginCodes(clock: Pick<Clock, "monotonic">, random: Pick<Random, "bytes">): LoginCodes {
  const endings = new Map<string, number>();
  return {
    draw: () => {
      const code = Buffer.from(random.bytes(NONCE_BYTES)).toString("base64url");
      const [oldest] = endings.size >= MAX_LOGIN_CODES ? endings.keys() : [];
      if (oldest !== undefined) endings.delete(oldest);
      endings.set(code, clock.monotonic() + LOGIN_CODE_MS);
      return code;
    },
    has: (candidate) => {
      const nowMs = clock.monotonic();
      return [...endings].some(([code, endsAt]) => isSameText(candidate, code) && nowMs < endsAt);
    },
    take: (code) => void endings.delete(code),
  };
}

interface Sessions {
  /** The text of a new session; undefined if the role has no token. */
  begin(role: ConsoleRole): string | undefined;
  /** The role of a session; undefined if it is none, or its time is over. */
  roleOf(session: string): ConsoleRole | undefined;
}

interface SessionPorts {
  readonly tokens: ConsoleTokens;
  readonly clock: Pick<Clock, "wall">;
  readonly random: Pick<Random, "bytes">;
}

function createSessions({ tokens, clock, random }: SessionPorts): Sessions {
  const macFor = (role: ConsoleRole, claims: string): string | undefined => {
    const token = tokenOf(tokens, role);
    return token && macOf(macOf(token.reveal(), PURPOSE), claims);
  };
  return {
    begin: (role) => {
      const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString("base64url");
      const claims = `${role}.${String(clock.wall() + SESSION_MS)}.${nonce}`;
      const mac = macFor(role, claims);
      return mac && `${claims}.${mac}`;
    },
    roleOf: (session) => {
      const [, claims = "", name, endsAt, mac = ""] = SESSION.exec(session) ?? [];
      const role = ROLES.find((candidate) => candidate === name);
      const expectedMac = role && macFor(role, claims);
      if (expectedMac === undefined || !isSameText(mac, expectedMac)) return undefined;
      return clock.wall() < Number(endsAt) ? role : undefined;
    },
  };
}

/** The sessions in the cookies of a request: none, or one of each name. */
function sessionsIn({ headers }: IncomingHead): readonly string[] {
  const cookies = new Map(
    (headers.get("cookie") ?? "").split(/[;,]/).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  return [cookies.get(SECURE_COOKIE), cookies.get(PLAIN_COOKIE)].filter((session) => session !== undefined);
}

/** `plain`: over HTTP from a loopback address. `unsafe`: over HTTP from elsewhere. */
type LoginPlace = "secure" | "plain" | "unsafe";

/** The origin of a login, by the header `Origin` of the browser. */
function loginPlaceOf({ headers }: IncomingHead): LoginPlace {
  const origin = headers.get("origin") ?? "";
  const { protocol, hostname } = URL.canParse(origin) ? new URL(origin) : { protocol: "", hostname: "" };
  if (protocol === "https:") return "secure";
  return LOOPBACK.test(hostname) ? "plain" : "unsafe";
}

/** The `Set-Cookie` that begins a session, or ends it with a session of ''. In plain text it is for the paths of the console alone. */
function cookieOf(session: string, isSecure: boolean, root: string): string {
  const name = isSecure ? `${SECURE_COOKIE}=${session}; Secure; Path=/` : `${PLAIN_COOKIE}=${session}; Path=${root}`;
  const seconds = session === "" ? 0 : SESSION_MS / 1_000;
  return `${name}; HttpOnly; SameSite=Strict; Max-Age=${String(seconds)}`;
}

/** True if two texts are equal, in a time that shows nothing of the secret. */
function isSameText(candidate: string, secret: string): boolean {
  return isSameSecret(Buffer.from(candidate), Buffer.from(secret));
}

/** A code of `text` that only those who know the key can make, in letters for URLs and cookies. */
function macOf(key: Uint8Array | string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

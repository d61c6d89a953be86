// The handler of the console: the page, its files, the session, and the data that the page shows. Decides which of these answers a path;
// GET, POST and DELETE of /session name the user, log in and log out.

import { createTrustedApi, type TrustedApiOptions } from "@postrider/http/api";
import type { Clock, Random } from "@postrider/core";
import {
  type Answer,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  notFoundAnswer,
  wrongMethodAnswer,
  jsonAnswer,
  readJson,
} from "@postrider/http";
import type { Authenticate, ConsoleTokens, ConsoleUser } from "./access/console-user.js";
import { createTokenLogin, type TokenLoginOptions, type Credentials, type TokenLogin } from "./access/token-login.js";
import { type ConsoleAction, createDataHandler } from "./handle-data.js";
import { assetAnswer, pageAnswer } from "./page-answer.js";
import { isOwnRead, isOwnWrite, foreignAnswer, refusedAnswer } from "./refused-answer.js";

export type { ConsoleAction } from "./handle-data.js";

/** The options of `createConsole`: its sources of data, and its users. */
export interface ConsoleOptions extends TrustedApiOptions {
  /** The tokens with which people log in, or the host's own check of each request. */
  readonly authenticate: Authenticate | ConsoleTokens;
  /** Returns true if a user may see the content of messages, each time on request. Operators may if absent. */
  readonly canSeeBodies?: (user: ConsoleUser) => boolean;
  /**
   * The path of the console below the root of its listener, such as `/console`. Empty if absent: then the listener, or the framework around
   * it, has cut the path.
   */
  readonly basePath?: string;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly random: Pick<Random, "bytes">;
  /** Called after each change and each time that the content of a message was shown. */
  readonly onAction?: (action: ConsoleAction) => void;
  /** Called for each login that shows a wrong token or code. */
  readonly onWrongToken?: () => void;
}

/** The console, and the function that makes an address that logs in. */
export interface Console extends Handler {
  /**
   * A path below the console, such as `#login=…`, that logs an operator in once within ten minutes. Undefined if the host checks
   * requests itself.
   */
  loginPath(): string | undefined;
}

/** Creates the handler of all paths below the console's. */
export function createConsole(options: ConsoleOptions): Console {
  const { canSeeBodies = isOperator, basePath = "", onAction = nothing, ...others } = options;
  const { authenticate: access, clock, random, onWrongToken = nothing, ...apiOptions } = others;
  const rootOf = ({ mountPath = "" }: IncomingHead): string => `${mountPath}${basePath}/`;
  const { login, authenticate } = accessBy(access, { clock, random, rootOf, onWrongToken });
  const data = createDataHandler({ api: createTrustedApi(apiOptions), clock, authenticate, canSeeBodies, onAction });
  const session = createSessionHandler({ login, authenticate, canSeeBodies });
  const handle = async (request: IncomingRequest): Promise<Answer> => {
    const path = pathBelow(request.path, basePath);
    if (path === undefined) return notFoundAnswer();
    if (path === "/session") return uncached(await session(request));
    if (path === "/healthz" || path.startsWith("/api/")) return data({ ...request, path });
    if (request.method !== "GET" && request.method !== "HEAD") return wrongMethodAnswer(["GET"]);
    if (path.startsWith("/assets/")) return assetAnswer(path.slice("/assets/".length), request);
    return pageAnswer(rootOf(request));
  };
  return Object.assign(handle, {
    // A host that checks requests itself may take time for it, so that these count as requests without a known key.
    knows: (head: IncomingHead): boolean => login?.knows(head) ?? false,
    loginPath: (): string | undefined => login && `#login=${login.drawCode()}`,
  });
}

/** Sets up the check of people: by a login here, or by the host. */
function accessBy(
  access: Authenticate | ConsoleTokens,
  ports: Omit<TokenLoginOptions, "tokens">,
): Pick<SessionOptions, "login" | "authenticate"> {
  if (typeof access === "function") return { login: undefined, authenticate: access };
  const login = createTokenLogin({ tokens: access, ...ports });
  return { login, authenticate: login.authenticate };
}

/** The path below the base; undefined if it is elsewhere. */
function pathBelow(path: string, basePath: string): string | undefined {
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}

function uncached(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ["Cache-Control", "no-store"]] };
}

function isOperator({ role }: ConsoleUser): boolean {
  return role === "operator";
}

function nothing(): void {
  return undefined;
}

interface SessionOptions {
  /** Undefined if the host checks requests itself. */
  readonly login: TokenLogin | undefined;
  readonly authenticate: Authenticate;
  readonly canSeeBodies: (user: ConsoleUser) => boolean;
}

function createSessionHandler({ login, authenticate, canSeeBodies }: SessionOptions): Handler {
  return async (request) => {
    const { method } = request;
    if (method === "GET") return isOwnRead(request) ? show(request) : foreignAnswer();
    if (login === undefined) return notFoundAnswer();
    if (method !== "POST" && method !== "DELETE") return wrongMethodAnswer(["GET", "POST", "DELETE"]);
    if (!isOwnWrite(request)) return foreignAnswer();
    return method === "DELETE" ? login.logout(request) : login.login(request, await credentialsIn(request));
  };

  async function show(request: IncomingRequest): Promise<Answer> {
    const user = await authenticate(request);
    if (user !== undefined) return jsonAnswer(200, { ...user, canSeeBodies: canSeeBodies(user) });
    return refusedAnswer(
      401,
      "not-logged-in",
      login === undefined ? "log in to the program around this page" : "log in first",
    );
  }
}

/** The token or the code in a body; empty if it has neither. */
async function credentialsIn({ body }: IncomingRequest): Promise<Credentials> {
  const result = await readJson(body);
  return result.kind === "ok" ? (result.value ?? {}) : {};
}

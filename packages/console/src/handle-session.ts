// GET, POST and DELETE of /session: who looks, a login, and its end.

import {
  type Answer,
  type Handler,
  type IncomingRequest,
  jsonAnswer,
  notFoundAnswer,
  readJson,
  wrongMethodAnswer,
} from "@postrider/http";
import type { Authenticate, ConsoleUser } from "./access/console-user.js";
import { isOwnRead, isOwnWrite } from "./access/same-origin.js";
import type { Login, TokenLogin } from "./access/token-login.js";
import { foreignAnswer, refusedAnswer } from "./refused-answer.js";

export interface SessionOptions {
  /** Undefined if the host checks requests itself. */
  readonly login: TokenLogin | undefined;
  readonly authenticate: Authenticate;
  readonly canSeeBodies: (user: ConsoleUser) => boolean;
}

export function createSessionHandler({ login, authenticate, canSeeBodies }: SessionOptions): Handler {
  return async (request) => {
    const { method } = request;
    if (method === "GET") return isOwnRead(request) ? show(request) : foreignAnswer();
    if (login === undefined) return notFoundAnswer();
    if (method !== "POST" && method !== "DELETE") return wrongMethodAnswer(["GET", "POST", "DELETE"]);
    if (!isOwnWrite(request)) return foreignAnswer();
    return method === "DELETE" ? login.logout(request) : login.login(request, await shownIn(request));
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

/** What is shown to log in; nothing if the body is no object. */
async function shownIn({ body }: IncomingRequest): Promise<Login> {
  const read = await readJson(body);
  return read.kind === "ok" && typeof read.value === "object" && read.value !== null ? read.value : {};
}

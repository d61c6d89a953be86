// Sends one request to the API of a server, and reports an unexpected answer, for all commands that need the API token.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { sendJson, type SendResult } from "./send-json.js";

/** The server, and the `apiToken` of its config. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

export interface ApiRequest {
  /** POST if absent. */
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

export function askApi(
  { clock }: Pick<Host, "clock">,
  { url, token }: ApiAccess,
  asked: ApiRequest,
): Promise<SendResult> {
  const { path, ...rest } = asked;
  return sendJson({ ...rest, url: `${url}${path}`, authorization: `Bearer ${token}`, clock });
}

/** The object of an answer with this status; undefined for any other answer, which is reported on standard error. */
export function expectApiAnswer(host: Pick<Host, "err">, posted: SendResult, status: number): JsonObject | undefined {
  if (posted.kind === "unreachable") {
    host.err(`postrider: ${posted.reason}`);
    return undefined;
  }
  const answer = parseObject(posted.text);
  if (posted.status === status && answer !== undefined) return answer;
  host.err(
    `postrider: the server answered ${String(posted.status)} ${refusalInWords(posted.status, answer, posted.text)}`,
  );
  return undefined;
}

/** `not-found: there is no such delivery, or it was removed (see https://…)`; the text of an answer that is no error of Postrider. */
function refusalInWords(status: number, answer: JsonObject | undefined, text: string): string {
  const { code, message, error } = answer ?? {};
  if (typeof code !== "string" || typeof message !== "string") return text;
  const docs = isPlainObject(error) && typeof error["docs"] === "string" ? ` (see ${error["docs"]})` : "";
  return `${code}: ${status === 401 ? WRONG_TOKEN : message}${docs}`;
}

const WRONG_TOKEN = "the token is not the apiToken of its config";

// Sends one request to the API of a server, and reports an unexpected answer, for all commands that need the API token.

import type { JsonObject } from "@postrider/core";
import type { Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { answerInWords } from "./answer-in-words.js";
import { bearerHeader } from "./bearer-header.js";
import { sendJson, type SendResult } from "./send-json.js";

/** The server, and the `apiToken` of its config. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

export interface ApiRequest {
  /** POST if absent. */
  readonly method?: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function askApi(
  { clock }: Pick<Host, "clock">,
  { url, token }: ApiAccess,
  asked: ApiRequest,
): Promise<SendResult> {
  const { path, ...rest } = asked;
  return sendJson({ ...rest, url: `${url}${path}`, authorization: bearerHeader(token), clock });
}

/** The object that the API answers to a GET with 200; undefined for any other answer, which is reported on standard error. */
export async function readFromApi(
  host: Pick<Host, "clock" | "err">,
  access: ApiAccess,
  path: string,
): Promise<JsonObject | undefined> {
  return expectApiAnswer(host, await askApi(host, access, { method: "GET", path }), 200);
}

/** The object of an answer with this status; undefined for any other answer, which is reported on standard error. */
export function expectApiAnswer(host: Pick<Host, "err">, posted: SendResult, status: number): JsonObject | undefined {
  const answer = posted.kind === "answered" && posted.status === status ? parseObject(posted.text) : undefined;
  if (answer === undefined) host.err(`postrider: ${answerInWords(posted)}`);
  return answer;
}

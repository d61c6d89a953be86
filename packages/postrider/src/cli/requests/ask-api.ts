// Sends requests to the API of a server and says in words what an unexpected answer means: a refusal of Postrider, or the answer of
// another program. Never rejects: an unreachable server is a result too. Deliveries do not use this file, but the HTTP port.

import type { Clock, JsonObject } from "@postrider/core";
import { isPlainObject, pauseFor } from "@postrider/core/engine";
import { Buffer } from "node:buffer";
import type { Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { faultInWords } from "./fault-in-words.js";

const ASK_EVERY_MS = 500;

/** Waiting ends after this many requests in a row without an answer, which take a minute or more. */
const MAX_UNANSWERED = 120;

const TIMEOUT_MS = 30_000;

/** Advice about refusals whose message is for programs. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["unauthorized", "the token is not the apiToken of its config; correct --token-file, --token or POSTRIDER_TOKEN"],
]);

/** The server, and the `apiToken` of its config. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

interface ApiRequest {
  /** POST if absent. */
  readonly method?: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request with the API token. */
export function askApi(
  { clock }: Pick<Host, "clock">,
  { url, token }: ApiAccess,
  request: ApiRequest,
): Promise<SendResult> {
  const { path, ...rest } = request;
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
export function expectApiAnswer(host: Pick<Host, "err">, result: SendResult, status: number): JsonObject | undefined {
  const answer = result.kind === "answered" && result.status === status ? parseObject(result.text) : undefined;
  if (answer === undefined) host.err(`postrider: ${answerInWords(result)}`);
  return answer;
}

/**
 * Asks until `look` returns a value for an answer, and returns that value. Undefined if the server has not answered 200 for
 * `MAX_UNANSWERED` requests in a row.
 */
export async function askUntil(
  host: Pick<Host, "clock">,
  access: ApiAccess,
  path: string,
  look: (answer: JsonObject) => JsonObject | undefined,
): Promise<JsonObject | undefined> {
  let unanswered = 0;
  while (unanswered < MAX_UNANSWERED) {
    const result = await askApi(host, access, { method: "GET", path });
    const answer = result.kind === "answered" && result.status === 200 ? parseObject(result.text) : undefined;
    unanswered = answer === undefined ? unanswered + 1 : 0;
    const value = answer && look(answer);
    if (value !== undefined) return value;
    await pauseFor(host.clock, ASK_EVERY_MS);
  }
  return undefined;
}

interface JsonRequestOptions {
  readonly url: string;
  /** POST if absent. */
  readonly method?: "GET" | "POST" | "PUT";
  /** The whole Authorization header. */
  readonly authorization: string;
  /** No body if absent. */
  readonly body?: unknown;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export type SendResult =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "unreachable"; readonly reason: string };

/** Sends one JSON request, and waits at most 30 seconds for the whole answer. */
export async function sendJson({
  url,
  method = "POST",
  authorization,
  body,
  headers,
  clock,
}: JsonRequestOptions): Promise<SendResult> {
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
      redirect: "manual",
    });
    return { kind: "answered", status: response.status, text: await response.text() };
  } catch (error) {
    return {
      kind: "unreachable",
      reason: `no answer from ${url}: ${faultInWords(abort.signal.aborted ? "timeout" : error)}`,
    };
  } finally {
    cancel();
  }
}

/** The value of the Authorization header for the API token: its bytes in UTF-8, which is how the server compares it. */
export function bearerHeader(token: string): string {
  return `Bearer ${Buffer.from(token, "utf8").toString("latin1")}`;
}

/** The value of the Authorization header for a write key: Basic without a password, as in Segment's libraries. */
export function writeKeyHeader(writeKey: string): string {
  return `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
}

/** `the server answered 404 not-found: there is no such delivery (see https://…)`, or why there is no answer. */
export function answerInWords(answer: SendResult): string {
  if (answer.kind === "unreachable") return answer.reason;
  const refusal = parseObject(answer.text) ?? {};
  const { code, message } = refusal;
  if (typeof code !== "string" || typeof message !== "string") return strangerInWords(answer.status);
  const explanation = `${ADVICE.get(code) ?? message}${docsIn(refusal)}`;
  return `the server answered ${String(answer.status)} ${code}: ${explanation}`;
}

/** For an answer that does not have the form of Postrider. Its text, mostly a page, is not shown. */
export function strangerInWords(status: number): string {
  if (status >= 300 && status < 400)
    return `the answer is a redirect, which is not followed; give the URL that it leads to (${String(status)})`;
  if (status >= 502 && status <= 504)
    return `a proxy answered that it does not reach the server; start the server behind it (${String(status)})`;
  return `another program than Postrider answered; correct --url or POSTRIDER_URL (${String(status)})`;
}

function docsIn({ error }: JsonObject): string {
  return isPlainObject(error) && typeof error["docs"] === "string" ? ` (see ${error["docs"]})` : "";
}

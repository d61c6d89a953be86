// Asks the server that the page came from. Every way to fail is an answer: nothing here throws.

import type { ReloadProblem } from "@postrider/http/api";

/** The code of a request without any answer. */
export const UNREACHABLE = "unreachable";

/** The result of a request: the value, or the refusal of the server. Without any answer, the status is 0 and the code is `UNREACHABLE`. */
export type FetchResult<T> =
  | { readonly kind: "ok"; readonly value: T }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly path?: string;
      /** The problems of settings, by the path of each value. */
      readonly problems?: readonly ReloadProblem[];
    };

/** A refusal, or the lack of an answer. */
export type FetchFault = Exclude<FetchResult<unknown>, { readonly kind: "ok" }>;

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The time that an answer may take. */
const PATIENCE_MS = 30_000;

/** Reads the data at a path below the console's, such as `api/lanes`. */
export function fetchData<T>(path: string): Promise<FetchResult<T>> {
  return ask("GET", path, undefined);
}

/** Changes something. */
export function change<T>(
  method: Exclude<Method, "GET">,
  path: string,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<FetchResult<T>> {
  return ask(method, path, body, headers);
}

async function ask<T>(
  method: Method,
  path: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<FetchResult<T>> {
  const answer = await sendRequest<T>(method, path, body, headers);
  listener(answer);
  return answer;
}

let listener: (answer: FetchResult<unknown>) => void = () => undefined;

/** Calls `listen` with each answer. */
export function listenToAnswers(listen: (answer: FetchResult<unknown>) => void): void {
  listener = listen;
}

async function sendRequest<T>(
  method: Method,
  path: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<FetchResult<T>> {
  const content =
    body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { method, signal: AbortSignal.timeout(PATIENCE_MS), ...content });
    const value: unknown = await response.json();
    // Safe cast: the server is that of this page, and its answers are described in openapi.json.
    return response.ok || isHealth(path, response.status)
      ? { kind: "ok", value: value as T }
      : refusal(response.status, value);
  } catch {
    return { kind: "refused", status: 0, code: UNREACHABLE, message: "" };
  }
}

/** The answer about health has another status when it is bad, and the same form. */
function isHealth(path: string, status: number): boolean {
  return path === "healthz" && status === 503;
}

interface ErrorJson {
  readonly problems?: readonly ReloadProblem[];
  readonly code?: string;
  readonly message?: string;
  readonly error?: { readonly path?: string };
}

function refusal(status: number, value: unknown): FetchFault {
  const { code = "", message = "", error, problems }: ErrorJson = value ?? {};
  const path = error?.path === undefined ? {} : { path: error.path };
  return { kind: "refused", status, code, message, ...path, ...(problems === undefined ? {} : { problems }) };
}

// What the commands have in common that speak to a server's API: one question, and what to say of an answer that is not
// the one hoped for.

import type { JsonObject } from "@postrider/core";
import type { Host } from "../host.js";
import { parseObject } from "../parse-object.js";
import { postJson, type Posted } from "./post-json.js";

/** The server, and the `apiToken` of its config. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

export interface ApiQuestion {
  /** POST if absent. */
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

export function askApi({ clock }: Pick<Host, "clock">, { url, token }: ApiAccess, asked: ApiQuestion): Promise<Posted> {
  const { path, ...rest } = asked;
  return postJson({ ...rest, url: `${url}${path}`, authorization: `Bearer ${token}`, clock });
}

/** The answer, if it is of this status; undefined if it is not, and then the reason has been told. */
export function answerOf(host: Pick<Host, "err">, posted: Posted, status: number): JsonObject | undefined {
  if (posted.kind === "unreachable") {
    host.err(`postrider: ${posted.reason}`);
    return undefined;
  }
  const answer = parseObject(posted.text);
  if (posted.status === status && answer !== undefined) return answer;
  host.err(`postrider: the server answered ${String(posted.status)} ${posted.text}`);
  return undefined;
}

// Decides whether a request may use the API: its bearer token has to be the token in the settings. Without a token in
// the settings, the API is off.

import { Buffer } from "node:buffer";
import type { Secret } from "@postrider/core";
import { type Answer, errorAnswer, isSameSecret } from "@postrider/http";
import { type ApiCode, docsOf, refuse } from "./refuse.js";

/** What a token gives access to. */
export type Guarded = "api" | "metrics";

const TOKENS: Readonly<Record<Guarded, string>> = { api: "API token", metrics: "token of the metrics" };

const OFF: Readonly<Record<Guarded, string>> = {
  api: "the API is off; set apiToken in the config to use it",
  metrics: "the metrics are off; set metricsToken in the config to use them",
};

/** Returns the refusal of a request; undefined if the request is allowed. */
export function authorise(
  token: Secret | undefined,
  authorization: string | undefined,
  of: Guarded,
): Answer | undefined {
  if (token === undefined) return refuse(403, "api-off", OFF[of]);
  const given = /^bearer (.*)$/i.exec(authorization ?? "")?.[1]?.trim();
  if (given !== undefined && given !== "" && isToken(given, token)) return undefined;
  const code = "unauthorized" satisfies ApiCode;
  const message = `expected Authorization: Bearer and the ${TOKENS[of]}`;
  return errorAnswer(401, { code, message, docs: docsOf(code) }, [["WWW-Authenticate", "Bearer"]]);
}

// Node decodes each byte of a header as one character. The bytes are the token in UTF-8.
function isToken(given: string, token: Secret): boolean {
  return isSameSecret(Buffer.from(given, "latin1"), Buffer.from(token.reveal(), "utf8"));
}

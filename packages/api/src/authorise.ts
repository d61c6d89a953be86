// Decides whether a request may use the API: its bearer token has to be the token in the settings. Without a token in
// the settings, the API is off. Tokens are compared by their digests, in constant time, so that the time shows nothing
// about a guess.

import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "@postrider/core";
import { type Answer, errorAnswer } from "@postrider/http";
import { type ApiCode, docsOf, refuse } from "./refuse.js";

/** Returns the refusal of a request; undefined if the request is allowed. */
export function authorise(apiToken: Secret | undefined, authorization: string | undefined): Answer | undefined {
  if (apiToken === undefined) return refuse(403, "api-off", "the API is off; set apiToken in the config to use it");
  const given = /^bearer (.*)$/i.exec(authorization ?? "")?.[1]?.trim();
  if (given !== undefined && given !== "" && isToken(given, apiToken)) return undefined;
  const code = "unauthorized" satisfies ApiCode;
  const message = "expected Authorization: Bearer and the API token";
  return errorAnswer(401, { code, message, docs: docsOf(code) }, [["WWW-Authenticate", "Bearer"]]);
}

// Node decodes each byte of a header as one character. The bytes are the token in UTF-8.
function isToken(given: string, token: Secret): boolean {
  return timingSafeEqual(digestOf(Buffer.from(given, "latin1")), digestOf(Buffer.from(token.reveal(), "utf8")));
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

// Decides who may use the API: whoever bears the token of the settings. Without a token in them it is off.
// Both sides are compared by digest, in a time that says nothing about how close a guess came.

import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "@postrider/core";
import { type Answer, errorAnswer } from "@postrider/http";
import { type ApiCode, refuse } from "./refuse.js";

/** Undefined when the bearer may go on; else why not. */
export function authorise(apiToken: Secret | undefined, authorization: string | undefined): Answer | undefined {
  if (apiToken === undefined) return refuse(403, "api-off", "the API is off; set apiToken in the config to use it");
  const given = /^bearer (.*)$/i.exec(authorization ?? "")?.[1]?.trim();
  if (given !== undefined && given !== "" && isToken(given, apiToken)) return undefined;
  const error = { code: "unauthorized" satisfies ApiCode, message: "expected Authorization: Bearer and the API token" };
  return errorAnswer(401, error, [["WWW-Authenticate", "Bearer"]]);
}

// A header is handed over byte by byte, one character each; those bytes are what its sender wrote in UTF-8.
function isToken(given: string, token: Secret): boolean {
  return timingSafeEqual(digestOf(Buffer.from(given, "latin1")), digestOf(Buffer.from(token.reveal(), "utf8")));
}

function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

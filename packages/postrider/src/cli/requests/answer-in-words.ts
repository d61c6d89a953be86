// Says in words what an answer means that a command did not expect: a refusal of Postrider, or the answer of another program.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { parseObject } from "../parse-object.js";
import type { SendResult } from "./send-json.js";

/** `the server answered 404 not-found: there is no such delivery (see https://…)`, or why there is no answer. */
export function answerInWords(answer: SendResult): string {
  if (answer.kind === "unreachable") return answer.reason;
  const refusal = parseObject(answer.text) ?? {};
  const { code, message } = refusal;
  if (typeof code !== "string" || typeof message !== "string") return strangerInWords(answer.status);
  const said = `${ADVICE.get(code) ?? message}${docsIn(refusal)}`;
  return `the server answered ${String(answer.status)} ${code}: ${said}`;
}

/** What to do about a refusal whose message is for programs. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["unauthorized", "the token is not the apiToken of its config; correct --token-file, --token or POSTRIDER_TOKEN"],
]);

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

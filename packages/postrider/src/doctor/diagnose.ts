// Decides what a server's answers say to somebody whose events do not appear: one finding for each question, in the order
// in which a call goes. Asks nothing itself, and shows neither key nor token.

import { isPlainObject, type JsonObject } from "@postrider/core";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../post-json.js";

export interface Finding {
  /** Well, not well, or not to be told from here. */
  readonly kind: "ok" | "bad" | "open";
  readonly text: string;
}

/** Is the endpoint there? The answer to `GET /healthz`. */
export function diagnoseServer(answer: Posted): Finding {
  if (answer.kind === "unreachable") return bad(answer.reason);
  const health = parseObject(answer.text);
  if (health?.["healthy"] === true) return ok("the server is there, and healthy");
  if (health?.["healthy"] === false)
    return bad(`the server is there, but not healthy: ${textOr(health["reason"], "unknown")}`);
  return bad(`something is there, but no Postrider: it answered ${String(answer.status)}`);
}

/** Is the key known? The answer to a batch without calls, which a server refuses for that alone if it knows the key. */
export function diagnoseKey(answer: Posted): Finding {
  const code = codeOf(answer);
  if (code === "empty-batch") return ok("the write key is known");
  if (code === "unknown-key") return bad("the write key is not known: compare it with the sources of the config");
  return open(`whether the write key is known: ${saidBy(answer)}`);
}

/** Was a call seen, and was it filtered? The answer to `GET /api/stats`. */
export function diagnoseTraffic(answer: Posted): readonly Finding[] {
  const counts = statusOf(answer) === 200 ? parseObject(textOf(answer)) : undefined;
  if (counts === undefined) return [open(`what the server has seen: ${saidBy(answer)}`)];
  const count = (name: string): number => Number(counts[name] ?? 0);
  const seen = count("accepted") + count("refused") + count("duplicates") + count("suppressed") + count("shed");
  if (seen === 0)
    return [bad("no call was ever seen: is one made, and is the client flushed before its process ends?")];
  return [
    ok(`calls were seen, ${String(count("delivered"))} deliveries have arrived`),
    ...told(count("refused"), "calls broke a rule and were refused: see what the client is told"),
    ...told(count("filtered"), "were filtered: by their integrations, a destination that is off, or as historical"),
    ...told(count("waiting") + count("claimed"), "wait for their turn or their retry"),
    ...told(count("dead"), "are dead: see which with --message-id, or GET /api/deliveries?state=dead"),
  ];
}

/** What became of one call? The answer to `GET /api/deliveries?messageId=`. */
export function diagnoseCall(answer: Posted): readonly Finding[] {
  const list = statusOf(answer) === 200 ? parseObject(textOf(answer))?.["deliveries"] : undefined;
  if (!Array.isArray(list)) return [open(`what became of the call: ${saidBy(answer)}`)];
  if (list.length === 0) return [bad("the call has no delivery: it was never seen, or filtered for every destination")];
  return list.filter(isPlainObject).map(diagnoseDelivery);
}

function diagnoseDelivery(delivery: JsonObject): Finding {
  const field = (name: string): string => textOr(delivery[name], "unknown");
  const to = `the call to ${field("destination")}`;
  if (delivery["state"] === "delivered") return ok(`${to} was delivered: look on at the receiver`);
  if (delivery["state"] === "dead") return bad(`${to} is dead: ${field("reason")}, ${field("detail")}`);
  return open(`${to} is ${field("state")}, tried ${field("attemptCount")} times, last ${field("detail")}`);
}

/** Nothing is said of what did not happen. */
function told(count: number, what: string): readonly Finding[] {
  return count === 0 ? [] : [open(`${String(count)} ${what}`)];
}

function codeOf(answer: Posted): unknown {
  const error = parseObject(textOf(answer))?.["error"];
  return isPlainObject(error) ? error["code"] : undefined;
}

function saidBy(answer: Posted): string {
  if (answer.kind === "unreachable") return answer.reason;
  return `the server answered ${textOr(codeOf(answer), String(answer.status))}`;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}

function statusOf(answer: Posted): number | undefined {
  return answer.kind === "answered" ? answer.status : undefined;
}

function textOf(answer: Posted): string {
  return answer.kind === "answered" ? answer.text : "";
}

function ok(text: string): Finding {
  return { kind: "ok", text };
}

function bad(text: string): Finding {
  return { kind: "bad", text };
}

function open(text: string): Finding {
  return { kind: "open", text };
}

// Decides what a server's answers say to those whose events do not appear: one finding for each question, in the order
// in which a call goes. Asks nothing itself, and shows neither key nor token.

import { isPlainObject, type JsonObject } from "@postrider/core";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../post-json.js";
import { bad, type Finding, ok, open, textOr, toldBy } from "./finding.js";

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

/** The counters of one source, or of all. */
export interface Traffic {
  /** Whose they are, in words. */
  readonly of: string;
  /** A counter that is not told is 0. */
  readonly count: (name: string) => number;
}

/** The answer to `GET /api/stats`: the counters of the source, or of all if there is none. Undefined where it tells none. */
export function readTraffic(answer: Posted, source?: string): Traffic | undefined {
  const counts = toldBy(answer);
  if (counts === undefined) return undefined;
  if (source === undefined) return trafficOf("all sources", counts);
  const rows = Array.isArray(counts["sources"]) ? counts["sources"].filter(isPlainObject) : [];
  return trafficOf(
    source,
    rows.find((row) => row["source"] === source),
  );
}

/** Was a call seen, and was it filtered? */
export function diagnoseTraffic(answer: Posted, traffic: Traffic | undefined): readonly Finding[] {
  if (traffic === undefined) return [open(`what the server has seen: ${saidBy(answer)}`)];
  const { of, count } = traffic;
  if (CALLS.every((name) => count(name) === 0))
    return [bad(`no call of ${of} was ever seen: is one made, and is the client flushed before its process ends?`)];
  return [
    ok(`calls of ${of} were seen, ${String(count("delivered"))} deliveries have arrived`),
    ...told(
      count("refused"),
      "calls broke a rule and were refused: the log of the server has a line call-CODE with their source",
    ),
    ...told(count("duplicates"), "calls were taken once only: their messageId had come before"),
    ...told(count("suppressed"), "calls were not kept: their users are suppressed"),
    ...told(count("shed"), "calls were turned away for want of room: the log has shed"),
    ...told(count("filtered"), FILTERED),
    ...told(count("waiting") + count("claimed"), "wait for their turn or their retry"),
    ...told(count("dead"), "are dead: see which with --message-id, or GET /api/deliveries?state=dead"),
  ];
}

const CALLS = ["accepted", "refused", "duplicates", "suppressed", "shed"];

const FILTERED =
  "were filtered: by their integrations, a destination that is off, as historical, or as no destination was connected";

/** What became of one call? The answer to `GET /api/deliveries?messageId=`, beside what its source has done. */
export function diagnoseCall(answer: Posted, traffic: Traffic | undefined): readonly Finding[] {
  const list = toldBy(answer)?.["deliveries"];
  if (!Array.isArray(list)) return [open(`what became of the call: ${saidBy(answer)}`)];
  if (list.length === 0) return [bad(`the call has no delivery: ${withoutDelivery(traffic)}`)];
  return list.filter(isPlainObject).map(diagnoseDelivery);
}

/** A filtered call leaves no row, only its count: without any, it cannot be one. */
function withoutDelivery(traffic: Traffic | undefined): string {
  if (traffic === undefined) return "it was never taken, or filtered for every destination";
  const { of, count } = traffic;
  const never = "it was never made, was refused, or has been removed after the retention";
  const filtered = count("filtered");
  return filtered === 0
    ? `${never}; filtered it was not, as no call of ${of} ever was`
    : `it is one of the ${String(filtered)} of ${of} that were filtered, of which no ids can be asked, or ${never}`;
}

function trafficOf(of: string, counts: JsonObject | undefined): Traffic {
  return { of, count: (name) => Number(counts?.[name] ?? 0) };
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

function textOf(answer: Posted): string {
  return answer.kind === "answered" ? answer.text : "";
}

// Decides what a server's answers say to those whose events do not appear: one finding for each question, in the order
// in which a call goes. Asks nothing itself, and shows neither key nor token.

import { isPlainObject, type JsonObject } from "@postrider/core";
import { parseObject } from "../parse-object.js";
import type { Posted } from "../requests/post-json.js";
import { bad, codeOf, type Finding, ok, open, saidBy, textOr, toldBy } from "./finding.js";

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
  /** Whose they are; undefined: of all sources together. */
  readonly source: string | undefined;
  /** A counter that is not told is 0. */
  readonly count: (name: string) => number;
}

/** The answer to `GET /api/stats`: the counters of the source, or of all if there is none. Undefined where it tells none. */
export function readTraffic(answer: Posted, source?: string): Traffic | undefined {
  const counts = toldBy(answer);
  if (counts === undefined) return undefined;
  if (source === undefined) return trafficOf(undefined, counts);
  const rows = Array.isArray(counts["sources"]) ? counts["sources"].filter(isPlainObject) : [];
  return trafficOf(
    source,
    rows.find((row) => row["source"] === source),
  );
}

/** Was a call seen, and was it filtered? */
export function diagnoseTraffic(answer: Posted, traffic: Traffic | undefined): readonly Finding[] {
  if (traffic === undefined) return [open(`what the server has seen: ${saidBy(answer)}`)];
  const { source = "all sources", count } = traffic;
  if (CALLS.every((name) => count(name) === 0))
    return [bad(`no call of ${source} was ever seen: is one made, and is the client flushed before its process ends?`)];
  return [
    ok(`calls of ${source} were seen, ${String(count("delivered"))} deliveries have arrived`),
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

function trafficOf(source: string | undefined, counts: JsonObject | undefined): Traffic {
  return { source, count: (name) => Number(counts?.[name] ?? 0) };
}

/** Nothing is said of what did not happen. */
function told(count: number, what: string): readonly Finding[] {
  return count === 0 ? [] : [open(`${String(count)} ${what}`)];
}

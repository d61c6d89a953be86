// Derives findings from the answers of a server, in the order in which a call passes the parts of the server. Sends no
// requests, and shows neither key nor token.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { refusalInWords } from "../calls/call-in-words.js";
import { fieldOf } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import { answerInWords, strangerInWords, type SendResult } from "../requests/ask-api.js";
import { parseObject } from "../parse-object.js";
import { badFinding, errorCodeOf, type Finding, okFinding, openFinding, textOr, objectOfAnswer } from "./finding.js";
import { filteredInWords, latestOf } from "./latest-calls.js";

/** Finds from the answer to `GET /healthz` whether the server answers and is healthy. */
export function diagnoseServer(answer: SendResult): Finding {
  if (answer.kind === "unreachable") return badFinding(answer.reason);
  const health = parseObject(answer.text);
  if (health?.["healthy"] === true) return okFinding("the server answers and is healthy");
  if (health?.["healthy"] === false)
    return badFinding(`the server answers, but is not healthy: ${healthInWords(textOr(health["reason"], "unknown"))}`);
  return badFinding(strangerInWords(answer.status));
}

/** `full, the disk of its store has no room: …`. A reason of a newer server has no words. */
function healthInWords(reason: string): string {
  const words = UNHEALTHY.get(reason);
  return words === undefined ? reason : `${reason}, ${words}`;
}

const UNHEALTHY: ReadonlyMap<string, string> = new Map([
  ["full", "the disk of its store has no room: no call is accepted until there is"],
  [
    "unavailable",
    "its store cannot be read or written: no call is accepted, and deliveries wait; see store-unavailable in its log",
  ],
  ["stalled", "the disk or the database of its store does not answer: no call is accepted until it does"],
  ["corrupt", "the file of its store is damaged: see store-corrupt in its log"],
  ["no-file-handles", "the process has no file handles left for further connections"],
]);

/** True if the server reports that it is healthy. */
export function isHealthyAnswer(answer: SendResult): boolean {
  return answer.kind === "answered" && parseObject(answer.text)?.["healthy"] === true;
}

/** True if the answer to `GET /healthz` is that of a server that can be asked further. */
export function isServer(answer: SendResult): boolean {
  return answer.kind === "answered" && typeof parseObject(answer.text)?.["healthy"] === "boolean";
}

/** Finds from the answer to an empty batch whether the key is known: then the batch is refused only for being empty. */
export function diagnoseKey(answer: SendResult): Finding {
  const code = errorCodeOf(answer);
  if (code === "empty-batch") return okFinding("the write key is known");
  if (code === "unknown-key")
    return badFinding("the write key is not known: compare it with the sources of the config");
  return openFinding(`whether the write key is known: ${answerInWords(answer)}`);
}

/** Finds from the answer to `GET /api/version` that the server is of another version than `ownVersion`. */
export function diagnoseVersion(answer: SendResult, ownVersion: string): readonly Finding[] {
  const program = objectOfAnswer(answer)?.["program"];
  if (typeof program !== "string" || program === ownVersion) return [];
  return [openFinding(`the server is postrider ${program}, and this is ${ownVersion}: an option may be unknown to it`)];
}

/** The counters of one source, or of all. */
export interface Traffic {
  /** Undefined for the sum of all sources. */
  readonly source: string | undefined;
  /** 0 for a counter that the answer does not have. */
  readonly count: (name: string) => number;
}

/** Reads the counters of `source`, or of all sources, from the answer to `GET /api/stats`; undefined if it has none. */
export function readTraffic(answer: SendResult, source?: string): Traffic | undefined {
  const counts = objectOfAnswer(answer);
  if (counts === undefined) return undefined;
  if (source === undefined) return trafficOf(undefined, counts);
  const rows = Array.isArray(counts["sources"]) ? counts["sources"].filter(isPlainObject) : [];
  return trafficOf(
    source,
    rows.find((row) => row["source"] === source),
  );
}

/** The facts beside the counters. */
export interface RecentFacts {
  /** The latest calls, newest first, if the server remembers them. */
  readonly latest?: readonly JsonObject[] | undefined;
  readonly isHealthy?: boolean;
}

/** Finds from the counters whether calls were seen, refused, filtered or delivered. */
export function diagnoseTraffic(
  answer: SendResult,
  traffic: Traffic | undefined,
  { latest, isHealthy = true }: RecentFacts = {},
): readonly Finding[] {
  if (traffic === undefined) return [badFinding(`what the server has seen: ${answerInWords(answer)}`)];
  const { source = "all sources", count } = traffic;
  if (!isHealthy && CALLS.every((name) => count(name) === 0))
    return [openFinding(`no call of ${source} was stored: while the server is not healthy, none is`)];
  if (CALLS.every((name) => count(name) === 0))
    return [
      badFinding(`no call of ${source} was ever seen: is one made, and is the client flushed before its process ends?`),
    ];
  return [
    okFinding(`calls of ${source} were seen, ${arrivedInWords(count("delivered"))}`),
    ...countFinding(
      count("refused"),
      ["call broke a rule and was refused", "calls broke a rule and were refused"],
      lastRefusal(latest),
    ),
    ...countFinding(
      count("duplicates"),
      ["call was a duplicate", "calls were duplicates"],
      ": the messageId was accepted before",
    ),
    ...countFinding(
      count("suppressed"),
      ["call was not stored", "calls were not stored"],
      ": the user of the call is suppressed",
    ),
    ...countFinding(count("shed"), ["call was shed", "calls were shed"], ": the log of the server has a line shed"),
    ...countFinding(count("filtered"), ["was filtered", "were filtered"], lastFilter(latest)),
    ...countFinding(count("waiting") + count("claimed"), ["waits", "wait"], " for a turn or a retry"),
    ...countFinding(
      count("dead"),
      ["is dead", "are dead"],
      ": see which with --message-id, or postrider deliveries --state dead",
    ),
  ];
}

function lastRefusal(latest: readonly JsonObject[] | undefined): string {
  const call = latestOf(latest, "refused");
  if (call === undefined) return ": the log of the server has a line call-CODE with the source";
  return `: the last at ${fieldOf(call, "at")}, ${refusalInWords(call["refusal"])}; see postrider tail --outcome refused`;
}

function lastFilter(latest: readonly JsonObject[] | undefined): string {
  const call = latest?.find((candidate) => filteredInWords(candidate).length > 0);
  return call === undefined ? FILTERED : `, the last at ${fieldOf(call, "at")}: ${filteredInWords(call).join("; ")}`;
}

const CALLS = ["accepted", "refused", "duplicates", "suppressed", "shed"];

const FILTERED =
  ": by the integrations of the call, or since a destination is off, the call is historical, or none is connected";

function trafficOf(source: string | undefined, counts: JsonObject | undefined): Traffic {
  return { source, count: (name) => Number(counts?.[name] ?? 0) };
}

/** A finding with the count and what happened to one, or to several; none if the count is 0. */
function countFinding(count: number, [singular, plural]: readonly [string, string], why: string): readonly Finding[] {
  return count === 0 ? [] : [openFinding(`${countOf(count, singular, plural)}${why}`)];
}

function arrivedInWords(count: number): string {
  return countOf(count, "delivery has arrived", "deliveries have arrived");
}

// Derives the findings about one call from the answers of a server: the states of its deliveries; or that it was accepted
// and filtered, and by which settings; or that it was not seen. Sends no requests (decision: seen message ids).

import { DEDUPE_WINDOW_MS, type JsonObject } from "@postrider/core";
import { FORBIDDEN_ADDRESS, HOUR_MS, isPlainObject } from "@postrider/core/engine";
import { countOf } from "../format-count.js";
import { answerInWords, type SendResult } from "../requests/ask-api.js";
import type { ConnectedSource } from "./diagnose-sources.js";
import type { Traffic } from "./diagnose.js";
import { badFinding, type Finding, okFinding, openFinding, textOr, objectOfAnswer } from "./finding.js";
import { diagnoseUnstored, filteredInWords, storedCall } from "./latest-calls.js";

/** The answers about one messageId. */
export interface CallAnswers {
  /** The answer to `GET /api/seen`. */
  readonly seen: SendResult;
  /** The last answer to `GET /api/deliveries?messageId=`: the first page with a delivery, or the last page. */
  readonly deliveries: SendResult;
  /** The sources and counters; undefined if the server did not show them. */
  readonly sources: readonly ConnectedSource[] | undefined;
  readonly traffic: Traffic | undefined;
  /** The latest calls with this messageId that the server remembers; undefined if it does not show them. */
  readonly calls?: readonly JsonObject[] | undefined;
  /** The reasons for the states of deliveries, in sentences, by the id of each. */
  readonly why?: ReadonlyMap<string, readonly string[]>;
  /** True if absent. */
  readonly isHealthy?: boolean;
}

/** The findings about the call with this messageId, for each source that has such a call. */
export function diagnoseCall(answers: CallAnswers): readonly Finding[] {
  return [...diagnoseStored(answers), ...diagnoseUnstored(answers.calls ?? [])];
}

function diagnoseStored(answers: CallAnswers): readonly Finding[] {
  const { seen, deliveries, sources, traffic, calls, why = new Map(), isHealthy = true } = answers;
  const rows = listIn(deliveries, "deliveries");
  const accepted = listIn(seen, "seen");
  if (rows === undefined) return [unknownFate(deliveries)];
  const judged = rows.map((row) => diagnoseDelivery(row, why));
  if (accepted === undefined) return rows.length > 0 ? judged : [unknownFate(seen)];
  const ids = [...new Set([...accepted, ...rows].map(({ source }) => textOr(source, "unknown")))];
  // The server's memory of a call that was not stored says more than that the call was not seen.
  if (ids.length === 0 && diagnoseUnstored(calls ?? []).length > 0) return [];
  if (ids.length === 0)
    return [isLastPage(deliveries) ? badFinding(notSeen(traffic, isHealthy)) : openFinding(NOT_LOOKED_THROUGH)];
  return ids.flatMap((id) => {
    const isOfSource = ({ source }: JsonObject): boolean => source === id;
    const source = sources?.find((candidate) => candidate.id === id);
    const rememberedCall = storedCall(calls, id);
    return diagnoseAccepted({
      id,
      source,
      rememberedCall,
      call: accepted.find(isOfSource),
      rows: rows.filter(isOfSource),
      why,
    });
  });
}

/** The cursor of the next page of `GET /api/deliveries`, if this page is empty. */
export function nextIfEmpty(answer: SendResult): string | undefined {
  const next = objectOfAnswer(answer)?.["next"];
  return typeof next === "string" && listIn(answer, "deliveries")?.length === 0 ? next : undefined;
}

interface AcceptedCall {
  readonly id: string;
  /** Undefined if the settings have no source with this id. */
  readonly source: ConnectedSource | undefined;
  /** Its entry in `seen`; undefined if the call is older than the dedupe window. */
  readonly call: JsonObject | undefined;
  /** The call as the server remembers it, with the reason of each filtered unit; undefined if it does not. */
  readonly rememberedCall: JsonObject | undefined;
  readonly rows: readonly JsonObject[];
  readonly why: ReadonlyMap<string, readonly string[]>;
}

function diagnoseAccepted({ id, source, rememberedCall, call, rows, why }: AcceptedCall): readonly Finding[] {
  const deliveries = call?.["deliveries"];
  const at = textOr(call?.["seenAt"] ?? rows.at(-1)?.["acceptedAt"], "an unknown time");
  const accepted = `the call of ${id} was accepted at ${at}`;
  if (rows.length > 0) {
    const isWhole = rows.filter(({ replayOf }) => replayOf === null).length === deliveries;
    const judged = rows.map((row) => diagnoseDelivery(row, why));
    const bySettings = isWhole ? filteredFor(source, rows) : [];
    const filtered = rememberedCall === undefined ? bySettings : filteredUnits(rememberedCall);
    return [okFinding(accepted), ...judged, ...filtered];
  }
  if (deliveries === 0) {
    const reason = rememberedCall === undefined ? settingsOf(id, source) : filteredInWords(rememberedCall).join("; ");
    return [badFinding(`${accepted} and went to no destination: it was filtered. ${reason}`)];
  }
  const deliveriesHave = countOf(deliveries, "delivery has", "deliveries have");
  return [openFinding(`${accepted}; its ${deliveriesHave} been removed after the retention`)];
}

/** Findings for connected destinations to which a call has no delivery. Only for calls of which no delivery was removed. */
function filteredFor(source: ConnectedSource | undefined, rows: readonly JsonObject[]): readonly Finding[] {
  const missing = (source?.destinations ?? []).filter((connection) =>
    rows.every((row) => row["destination"] !== connection["destination"]),
  );
  return missing.map((connection) =>
    openFinding(`there is no delivery to ${nameOf(connection)}: ${reasonOf(connection)}`),
  );
}

/** Findings for the destinations to which the call was not delivered, as the server remembers it. */
function filteredUnits(stored: JsonObject): readonly Finding[] {
  return filteredInWords(stored).map((text) => openFinding(`there is no delivery to ${text}`));
}

/** The reason for which the settings in force filter a call of the source; earlier settings are not stored. */
function settingsOf(id: string, source: ConnectedSource | undefined): string {
  if (source === undefined) return `The settings now have no source ${id}`;
  if (source.destinations.length === 0) return `By the settings now no destination is connected to ${id}`;
  return `By the settings now: ${source.destinations.map(reasonOf).join("; ")}`;
}

function reasonOf(connection: JsonObject): string {
  const id = nameOf(connection);
  if (connection["enabled"] === false) return `${id} is off`;
  const historical =
    connection["acceptsHistorical"] === false ? `, or the call was historical, which ${id} does not accept` : "";
  const integrations = `the "integrations" of the call switched "${textOr(connection["name"], "unknown")}" off`;
  return `${id} is on, so that ${integrations}, or ${id} was off or not yet connected then${historical}`;
}

function nameOf({ destination }: JsonObject): string {
  return textOr(destination, "unknown");
}

/** The possible causes of a call that was not seen. A cause is left out if its counter is 0. */
function notSeen(traffic: Traffic | undefined, isHealthy: boolean): string {
  const has = (name: string): boolean => traffic === undefined || traffic.count(name) > 0;
  const causes = [
    ...(isHealthy ? [] : ["it came in while the server was not healthy and could not store it"]),
    "it was never made",
    "it is older",
    ...(has("suppressed") ? ["its user is suppressed"] : []),
    ...(has("shed") ? ["it was shed (the log of the server has a line shed)"] : []),
    "or it was refused (the log of the server has a line call-CODE with its source, or unknown-key)",
  ];
  const ofSource = traffic?.source === undefined ? "" : ` of ${traffic.source}`;
  return `no call${ofSource} with this messageId was seen in the last ${HOURS} hours: ${causes.join(", ")}`;
}

const HOURS = String(DEDUPE_WINDOW_MS / HOUR_MS);

const NOT_LOOKED_THROUGH =
  `no call with this messageId was seen in the last ${HOURS} hours, nor is it among the newest deliveries; there are more ` +
  "than are looked through here: follow the pages of GET /api/deliveries?messageId=";

const UNTRIED = "no attempt recorded";

function diagnoseDelivery(delivery: JsonObject, why: NonNullable<CallAnswers["why"]>): Finding {
  const { kind, text } = judgeDelivery(delivery);
  const sentences = delivery["state"] === "delivered" ? [] : (why.get(textOr(delivery["id"], "")) ?? []);
  return { kind, text: [text, ...sentences].join(". ").replaceAll(".. ", ". ").replace(/\.$/, "") };
}

function judgeDelivery(delivery: JsonObject): Finding {
  const field = (name: string): string => textOr(delivery[name], "unknown");
  const to = `the call to ${field("destination")}`;
  // Null until a round is recorded; a delivery that died without one, such as `lane-full`, never gets a detail.
  const isTried = delivery["detail"] !== null;
  if (delivery["state"] === "delivered") return okFinding(`${to} was delivered: look on at the receiver`);
  if (delivery["state"] === "dead")
    return badFinding(`${to} is dead: ${field("reason")}, ${isTried ? field("detail") : UNTRIED}`);
  if (delivery["detail"] === FORBIDDEN_ADDRESS)
    return badFinding(
      `${to} waits: ${FORBIDDEN_ADDRESS}, no endpoint may be called; network.allow can allow its range`,
    );
  const tries = isTried ? `tried ${countOf(delivery["attemptCount"], "time")}, last ${field("detail")}` : UNTRIED;
  return openFinding(`${to} is ${field("state")}, ${tries}`);
}

function listIn(answer: SendResult, name: string): readonly JsonObject[] | undefined {
  const list = objectOfAnswer(answer)?.[name];
  return Array.isArray(list) ? list.filter(isPlainObject) : undefined;
}

function isLastPage(answer: SendResult): boolean {
  return nextIfEmpty(answer) === undefined;
}

function unknownFate(answer: SendResult): Finding {
  return openFinding(`what became of the call: ${answerInWords(answer)}`);
}

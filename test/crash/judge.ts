// The oracle: compares the answers to callers, the requests to receivers, and the content of the file, and reports every
// contradiction. Does not know how the server works. Of the kills and stops it knows only which deliveries were under way
// at those moments.

import { countsBalance } from "@postrider/core/engine";
import { DESTINATIONS, type Sightings, unitOf } from "./sightings.js";
import type { HeldDelivery, StoreContent } from "./store-content.js";

export interface Finding {
  readonly kind:
    | "lost"
    | "not-delivered"
    | "stored-twice"
    | "settled-twice"
    | "round-twice"
    | "never-called"
    | "never-seen"
    | "seen-too-often"
    | "bytes-differ"
    | "counts-differ"
    | "file-broken"
    | "threw";
  /** The unit, or the problem of the file. */
  readonly about: string;
}

export interface Evidence {
  readonly made: ReadonlySet<string>;
  readonly safe: ReadonlySet<string>;
  readonly sightings: Sightings;
  /** How often each unit was under way when the process that held it was killed or stopped. */
  readonly interrupted: ReadonlyMap<string, number>;
  readonly content: StoreContent;
}

/** All findings after a life that ended normally: every accepted call must have been delivered. */
export function judge(evidence: Evidence): readonly Finding[] {
  const { content, safe } = evidence;
  return [
    ...judgeContent(content),
    ...lostFrom(content, safe),
    ...content.deliveries
      .filter(({ state }) => state !== "delivered")
      .map(({ unit }) => finding("not-delivered", unit)),
    ...content.deliveries.flatMap((delivery) => judgeDelivery(delivery, evidence)),
  ];
}

/** The findings within a file, which may be read at any moment. */
export function judgeContent(content: StoreContent): readonly Finding[] {
  const { deliveries, integrity } = content;
  return [
    ...(integrity === "ok" ? [] : [finding("file-broken", integrity)]),
    ...judgeCounts(content),
    ...twice(deliveries.map(({ unit }) => unit)).map((unit) => finding("stored-twice", unit)),
    ...deliveries.flatMap(judgeAttempts),
  ];
}

/** The calls that were answered 200 and are missing, for each of their destinations. */
export function lostFrom({ deliveries }: StoreContent, safe: ReadonlySet<string>): readonly Finding[] {
  const held = new Set(deliveries.map(({ unit }) => unit));
  const wanted = [...safe].flatMap((id) => DESTINATIONS.map((name) => unitOf(name, id)));
  return wanted.filter((unit) => !held.has(unit)).map((unit) => finding("lost", unit));
}

/** The kinds of the findings, each once, in order. */
export function kindsOf(findings: readonly Finding[]): readonly Finding["kind"][] {
  return [...new Set(findings.map(({ kind }) => kind))].sort();
}

export function finding(kind: Finding["kind"], about: string): Finding {
  return { kind, about };
}

/** The number of requests without a recorded attempt, since the file has no record of their round. */
function unrecordedRequests({ unit, attempts }: HeldDelivery, sightings: Sightings): number {
  return Math.max(0, (sightings.get(unit)?.times.length ?? 0) - attempts.length);
}

/** The same for all deliveries. */
export function repeatedIn({ deliveries }: StoreContent, sightings: Sightings): number {
  return deliveries.reduce((sum, delivery) => sum + unrecordedRequests(delivery, sightings), 0);
}

/** Whether receivers got exactly these bytes each time. */
export function isBodySeen({ unit, body }: HeldDelivery, sightings: Sightings): boolean {
  const seen = sightings.get(unit);
  return seen?.isConstant === true && seen.body.equals(body);
}

function judgeDelivery(delivery: HeldDelivery, evidence: Evidence): readonly Finding[] {
  const { made, sightings, interrupted } = evidence;
  const { unit, messageId } = delivery;
  const seen = sightings.get(unit);
  const excused = interrupted.get(unit) ?? 0;
  const tooOften = `${describe(delivery)}; ${seen?.times.length ?? 0} requests, interrupted ${excused} times`;
  return [
    ...(made.has(messageId) ? [] : [finding("never-called", unit)]),
    ...(seen === undefined ? [finding("never-seen", unit)] : []),
    ...(seen !== undefined && !isBodySeen(delivery, sightings) ? [finding("bytes-differ", unit)] : []),
    ...(unrecordedRequests(delivery, sightings) > excused ? [finding("seen-too-often", tooOften)] : []),
  ];
}

/** A delivery has one endpoint here: a round is one attempt, and a success ends all. */
function judgeAttempts(delivery: HeldDelivery): readonly Finding[] {
  const { state, attempts } = delivery;
  const successes = attempts.filter(({ verdict }) => verdict === "success").length;
  const isSettledOnce = successes === (state === "delivered" ? 1 : 0);
  const hasEachRoundOnce = twice(attempts.map(({ round }) => round)).length === 0;
  return [
    ...(isSettledOnce ? [] : [finding("settled-twice", describe(delivery))]),
    ...(hasEachRoundOnce ? [] : [finding("round-twice", describe(delivery))]),
  ];
}

/** Such as "flaky/s1-7, delivered: 1 retry, 2 success". */
function describe({ unit, state, attempts }: HeldDelivery): string {
  return `${unit}, ${state}: ${attempts.map(({ round, verdict }) => `${round} ${verdict}`).join(", ")}`;
}

function judgeCounts({ counts, deliveries, lanes }: StoreContent): readonly Finding[] {
  const states = (["waiting", "claimed", "delivered", "dead"] as const).filter(
    (state) => counts[state] !== deliveries.filter((delivery) => delivery.state === state).length,
  );
  return [
    ...(countsBalance(counts) ? [] : [finding("counts-differ", "the law of the counters")]),
    ...states.map((state) => finding("counts-differ", state)),
    ...DESTINATIONS.filter((name) => !isLoadOf(name, deliveries, lanes)).map((name) =>
      finding("counts-differ", `load of ${name}`),
    ),
  ];
}

function isLoadOf(name: string, deliveries: readonly HeldDelivery[], lanes: StoreContent["lanes"]): boolean {
  const open = deliveries.filter(
    ({ destination, state }) => destination === name && (state === "waiting" || state === "claimed"),
  );
  const load = lanes.find(({ lane }) => lane === name) ?? { deliveries: 0, bytes: 0 };
  return load.deliveries === open.length && load.bytes === open.reduce((sum, { body }) => sum + body.length, 0);
}

function twice<T>(values: readonly T[]): readonly T[] {
  const seen = new Set<T>();
  return values.filter((value) => {
    const isAgain = seen.has(value);
    seen.add(value);
    return isAgain;
  });
}

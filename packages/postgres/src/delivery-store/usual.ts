// The usual commit as arrays, in the order of the parameters of the SQL function `commit_usual`: calls that are all claimed at once, and
// deliveries that have all been delivered and whose places in their leases this process knows. What it changes of counters is computed
// here, since nothing of it depends on what is stored (decision: usual commits).

import type { Changes, CommitResult, LeaseToken, NewMessage, Settlement } from "@postrider/core";
import { bitsArray, int2Array, int4Array, int8Array, int8Rows, keyArray, placeholders } from "../wire/values.js";
import { sqlStateOf } from "../connection/name-error.js";
import { UNUSUAL } from "../schema/usual.js";
import { readTextOrEmpty, type TextRow } from "../wire/read-row.js";
import { createTexts, hashTextOf, type Texts, tokenValues } from "../wire/text.js";
import { codeOfType, COUNT_KINDS, idAtPlace, placeOf } from "./codes.js";
import type { CommitContext, Functions, Numbers } from "./functions.js";
import type { BegunLease, Leased, LeasedPlace } from "./leased.js";
import { seenKeyOf, writeUsers } from "./messages.js";
import { detailOf, writeAttempts, writeEndpoints, writeExcerpts } from "./settle.js";

/** The most messages of a usual commit: as many as have ids of one number of the sequence. */
const MAX_MESSAGES = 1_024;

/** The numbers of a message and of a settlement. */
const [MESSAGE_NUMBERS, SETTLEMENT_NUMBERS] = [9, 13];

const PARAMETERS: string = placeholders(30);

/** A settlement, and where its delivery is. */
interface Known {
  readonly settlement: Settlement;
  readonly leased: LeasedPlace;
}

/** A new delivery, which is claimed at once. */
interface HandedOff {
  readonly message: NewMessage;
  /** The place of the message in its commit, from 0. */
  readonly index: number;
  readonly place: number;
  readonly lane: number;
}

/** A usual commit. */
export interface UsualCommit {
  readonly lease: Changes["lease"];
  readonly messages: readonly NewMessage[];
  readonly known: readonly Known[];
}

/** The changes as a usual commit; undefined if they are none. */
export function usualOf(changes: Changes, leased: Leased): UsualCommit | undefined {
  const { accept, settle, replay, append, tally, notified = [], lease } = changes;
  if (replay.length + append.length + tally.length + notified.length > 0) return undefined;
  if (accept.length + settle.length === 0 || accept.length > MAX_MESSAGES) return undefined;
  if (!accept.every(isHandedOff)) return undefined;
  const known = settle.flatMap((settlement): readonly Known[] => {
    const place = leased.find(settlement.id, settlement.token);
    return place !== undefined && settlement.outcome.kind === "delivered" ? [{ settlement, leased: place }] : [];
  });
  const isEachOnce = new Set(settle.map(({ id }) => id)).size === settle.length;
  return known.length === settle.length && isEachOnce ? { lease, messages: accept, known } : undefined;
}

/** True if a message goes out at once, wherever it goes. */
function isHandedOff({ deliveries, deletion }: NewMessage): boolean {
  return deletion === undefined && deliveries.length > 0 && deliveries.every(({ start }) => start.kind === "claimed");
}

/** The result of a commit, and the leases that it has made, by their lanes. */
export interface Committed {
  readonly result: CommitResult;
  readonly leases: ReadonlyMap<number, BegunLease>;
}

/** Makes a usual commit. Undefined if the database finds that it is none: then nothing is stored. */
export async function commitUsual(
  { connection, schema, bucket, timeFor }: Functions,
  { messages, known, lease: { token, leaseMs } }: UsualCommit,
  { sourceNumber, laneNumber, now }: CommitContext,
): Promise<Committed | undefined> {
  const handedOff = handedOffOf(messages, laneNumber);
  const countByLane = countBy(handedOff.map(({ lane }) => lane));
  const texts = createTexts();
  const rows = [
    ...writeMessages(messages, sourceNumber, texts),
    int4Array([...countByLane.keys()]),
    int4Array([...countByLane.values()]),
    int8Array(handedOff.map(({ index }) => index)),
    int4Array(handedOff.map(({ place }) => place)),
    int4Array(handedOff.map(({ message }) => sourceNumber(message.source))),
    int4Array(handedOff.map(({ message }) => message.body.length)),
    ...writeLeases(known),
    ...writeKnown(known, texts),
    ...writeCounts(messages, known, sourceNumber),
    ...writeLanes(handedOff, known),
  ];
  const [row = {}] = await connection
    .commit(`select ${schema}.commit_usual(${PARAMETERS}) as answer`, [
      ...[bucket, timeFor(now), ...tokenValues(token), leaseMs, oldestViewOf(messages), texts.bytes()],
      ...rows,
    ])
    .catch(orUnusual);
  const answer = readTextOrEmpty(row, "answer");
  if (answer === "") return undefined;
  const [base = 0, ...leases] = answer.split(",").map(Number);
  return {
    result: {
      accepted: messages.map(({ deliveries }, index) => ({
        kind: "stored",
        deliveries: deliveries.map((_, place) => idAtPlace({ id: base + index, place })),
      })),
      settled: known.map(() => "settled"),
      ...{ replayed: [], appended: [] },
    },
    leases: new Map(
      Array.from(countByLane, ([lane, entries], index) => [lane, { lease: leases[index] ?? 0, entries }]),
    ),
  };
}

/** No row for an error that says that the commit is not a usual one. */
function orUnusual(error: unknown): readonly TextRow[] {
  if (error instanceof Error && sqlStateOf(error.cause) === UNUSUAL) return [];
  throw error;
}

/** All new deliveries: by their lanes, and those of a lane in the order of their ids. */
function handedOffOf(messages: readonly NewMessage[], laneNumber: Numbers): readonly HandedOff[] {
  const handedOff = messages.flatMap((message, index) =>
    message.deliveries.map(({ destination }, place) => ({ message, index, place, lane: laneNumber(destination) })),
  );
  return handedOff.sort((first, second) => first.lane - second.lane);
}

/** The number of times that each is there. */
function countBy(numbers: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** The number of the request about users that the message with the oldest view takes into account; null if it matters to none. */
function oldestViewOf(messages: readonly NewMessage[]): number | null {
  const views = messages.flatMap(({ asOf }) => (asOf === undefined ? [] : [asOf]));
  return views.length === 0 ? null : Math.min(...views);
}

/** The parameters about messages. */
function writeMessages(messages: readonly NewMessage[], sourceNumber: Numbers, texts: Texts): readonly Buffer[] {
  const keyed = messages.map((message) => ({ message, key: seenKeyOf(message.source, message.messageId) }));
  keyed.sort((first, second) => (first.key < second.key ? -1 : 1));
  const rows: number[] = [];
  for (const { source, type, receivedAt, messageId, traceparent, body } of messages) {
    rows.push(sourceNumber(source), codeOfType(type), receivedAt);
    texts.add(messageId, rows);
    texts.add(traceparent ?? null, rows);
    texts.add(body, rows);
  }
  return [
    keyArray(keyed.map(({ key }) => key)),
    int8Rows(
      2,
      keyed.flatMap(({ message }) => [sourceNumber(message.source), message.deliveries.length]),
    ),
    int8Rows(MESSAGE_NUMBERS, rows),
    ...writeUsers(messages),
  ];
}

/** The parameters about leases that have something settled. */
function writeLeases(known: readonly Known[]): readonly Buffer[] {
  const leases = new Map<number, { readonly token: LeaseToken; readonly length: number; readonly set: number[] }>();
  for (const { settlement, leased } of known) {
    const lease = leases.get(leased.lease) ?? { token: settlement.token, length: leased.entries, set: [] };
    leases.set(leased.lease, lease);
    lease.set.push(leased.pos - 1);
  }
  const rows = [...leases].sort(([first], [second]) => first - second);
  return [
    int8Array(rows.map(([lease]) => lease)),
    keyArray(rows.map(([, { token }]) => hashTextOf(token))),
    int4Array(rows.map(([, { set }]) => set.length)),
    bitsArray(rows.map(([, bits]) => bits)),
  ];
}

/** The parameters about settlements. */
function writeKnown(known: readonly Known[], texts: Texts): readonly [Buffer, boolean] {
  const rows: number[] = [];
  let hasExcerpts = false;
  for (const { settlement, leased } of known) {
    const { outcome, attempts, endpoints } = settlement;
    const { id, place } = placeOf(settlement.id);
    const excerpts = writeExcerpts(endpoints);
    hasExcerpts ||= excerpts !== null;
    rows.push(id, place, leased.lane, leased.source, attempts.length);
    for (const text of [detailOf(outcome), writeAttempts(attempts), writeEndpoints(endpoints), excerpts])
      texts.add(text, rows);
  }
  return [int8Rows(SETTLEMENT_NUMBERS, rows), hasExcerpts];
}

type Kind = (typeof COUNT_KINDS)[number];

/** The changes of the counters of each source. */
function writeCounts(
  messages: readonly NewMessage[],
  known: readonly Known[],
  sourceNumber: Numbers,
): readonly Buffer[] {
  const counts = new Map<number, Map<Kind, number>>();
  const add = (source: number, kind: Kind, count: number): void => {
    const ofSource = counts.get(source) ?? new Map<Kind, number>();
    counts.set(source, ofSource.set(kind, (ofSource.get(kind) ?? 0) + count));
  };
  for (const { source, deliveries, filtered } of messages) {
    add(sourceNumber(source), "received", 1);
    add(sourceNumber(source), "claimed", deliveries.length);
    add(sourceNumber(source), "filtered", filtered.length);
  }
  for (const { leased } of known) {
    add(leased.source, "claimed", -1);
    add(leased.source, "delivered", 1);
  }
  const rows = [...counts].flatMap(([source, kinds]) =>
    Array.from(kinds, ([kind, count]) => ({ source, kind, count })),
  );
  return [
    int4Array(rows.map(({ source }) => source)),
    int2Array(rows.map(({ kind }) => COUNT_KINDS.indexOf(kind))),
    int8Array(rows.map(({ count }) => count)),
  ];
}

/** The changes of the deliveries of each lane, and of their bytes. */
function writeLanes(handedOff: readonly HandedOff[], known: readonly Known[]): readonly Buffer[] {
  const lanes = new Map<number, { deliveries: number; bytes: number }>();
  const add = (lane: number, deliveries: number, bytes: number): void => {
    const total = lanes.get(lane) ?? { deliveries: 0, bytes: 0 };
    lanes.set(lane, { deliveries: total.deliveries + deliveries, bytes: total.bytes + bytes });
  };
  for (const { lane, message } of handedOff) add(lane, 1, message.body.length);
  for (const { leased } of known) add(leased.lane, -1, -leased.size);
  return [
    int4Array([...lanes.keys()]),
    int8Array(Array.from(lanes.values(), ({ deliveries }) => deliveries)),
    int8Array(Array.from(lanes.values(), ({ bytes }) => bytes)),
  ];
}

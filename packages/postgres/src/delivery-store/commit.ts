// One commit: its lists become arrays, in the order of the parameters of the function `commit`, which one call takes. The answer is
// short: letters, and the numbers of messages.

import type {
  AcceptResult,
  Changes,
  CommitResult,
  DeliveryId,
  EpochMs,
  SettleResult,
  NewMessage,
} from "@postrider/core";
import { int2Array, int4Array, int8Array, keyArray, placeholders, byteaArray, textArray } from "../wire/values.js";
import { hashTextOf, tokenValues } from "../wire/text.js";
import { readPlain, type TextRow } from "../wire/read-row.js";
import { idAtPlace, STARTS, typeCode } from "./codes.js";
import type { Numbers, Functions } from "./functions.js";
import { writeAppended, writeReplays, writeSettlements } from "./settle.js";

/** The kinds of counters by their numbers; `accepted` is the sum of the first five. */
export const COUNT_KINDS = [
  "filtered",
  "waiting",
  "claimed",
  "delivered",
  "dead",
  "received",
  "refused",
  "duplicates",
  "suppressed",
  "shed",
] as const;

const TALLIED = ["refused", "suppressed", "shed"] as const;

const PLACES: string = placeholders(48);

/** Commits changes. */
export async function commit(
  { connection, names, schema, ...store }: Functions,
  changes: Changes,
  now: EpochMs,
): Promise<CommitResult> {
  const sourceIds = [...changes.accept.map(({ source }) => source), ...changes.tally.map(({ source }) => source)];
  const sources = await names.sources(sourceIds);
  const lanes = await names.lanes(
    changes.accept.flatMap(({ deliveries }) => deliveries.map(({ destination }) => destination)),
  );
  const { token, leaseMs } = changes.lease;
  const [row] = await connection.commit(`select * from ${schema}.commit(${PLACES})`, [
    ...[store.bucket, store.timeFor(now), ...tokenValues(token), leaseMs],
    ...writeMessages(changes.accept, sources, lanes),
    ...writeSettlements(changes.settle),
    ...writeReplays(changes.replay),
    ...writeAppended(changes.append),
    ...writeTally(changes.tally, sources),
    ...writeNotified(changes.notified ?? []),
  ]);
  return readResult(changes, row ?? {});
}

/** The key under which a message id is remembered. */
export function seenKeyOf(source: string, messageId: string): string {
  return hashTextOf(source, messageId);
}

/** The parameters about messages: one array for each field, then one for each field of their deliveries. */
function writeMessages(messages: readonly NewMessage[], sources: Numbers, lanes: Numbers): readonly Buffer[] {
  const deliveries = messages.flatMap((message, index) =>
    message.deliveries.map(({ destination, start }, place) => ({ message: index + 1, place, destination, start })),
  );
  return [
    keyArray(messages.map(({ source, messageId }) => seenKeyOf(source, messageId))),
    int4Array(messages.map(({ source }) => sources(source))),
    textArray(messages.map(({ messageId }) => messageId)),
    int2Array(messages.map(({ type }) => typeCode(type))),
    int8Array(messages.map(({ receivedAt }) => receivedAt)),
    int4Array(messages.map(({ body }) => body.length)),
    byteaArray(messages.map(({ body }) => body)),
    int4Array(messages.map((message) => message.deliveries.length)),
    int4Array(messages.map(({ filtered }) => filtered.length)),
    int8Array(messages.map(({ asOf }) => asOf ?? -1)),
    textArray(messages.map(({ traceparent }) => traceparent ?? null)),
    keyArray(messages.map(({ deletion }) => keyOrNull(deletion))),
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[0]))),
    keyArray(messages.map(({ userIds }) => keyOrNull(userIds?.[1]))),
    int4Array(deliveries.map(({ message }) => message)),
    int4Array(deliveries.map(({ place }) => place)),
    int4Array(deliveries.map(({ destination }) => lanes(destination))),
    int2Array(deliveries.map(({ start }) => STARTS[start.kind])),
    int8Array(deliveries.map(({ start }) => (start.kind === "waiting" ? start.dueAt : null))),
  ];
}

function keyOrNull(text: string | undefined): string | null {
  return text === undefined ? null : hashTextOf(text);
}

function writeTally(tally: Changes["tally"], sources: Numbers): readonly Buffer[] {
  const rows = tally.flatMap((counts) => TALLIED.map((name) => ({ source: counts.source, name, count: counts[name] })));
  return [
    int4Array(rows.map(({ source }) => sources(source))),
    int2Array(rows.map(({ name }) => COUNT_KINDS.indexOf(name))),
    int8Array(rows.map(({ count }) => count)),
  ];
}

/** In one order, so that two commits never wait for each other. */
function writeNotified(notified: NonNullable<Changes["notified"]>): readonly Buffer[] {
  const rows = notified.map(({ deletion, users }) => ({ key: hashTextOf(deletion), users }));
  rows.sort((first, second) => (first.key < second.key ? -1 : 1));
  return [keyArray(rows.map(({ key }) => key)), int4Array(rows.map(({ users }) => users))];
}

function readResult(changes: Changes, row: TextRow): CommitResult {
  const [kinds, appended] = [readPlain(row, "kinds"), readPlain(row, "appended")];
  const [ids, replayed] = [readPlain(row, "ids").split(","), readPlain(row, "replayed").split(",")];
  return {
    accepted: changes.accept.map(({ deliveries }, index) =>
      readAccepted(kinds[index], Number(ids[index]), deliveries.length),
    ),
    replayed: changes.replay.map((_, index) => readReplayed(replayed[index])),
    settled: readSettled(readPlain(row, "settled"), changes.settle.length),
    appended: changes.append.map((_, index) => (appended[index] === "a" ? "appended" : "gone")),
  };
}

const REFUSALS: Readonly<Record<string, AcceptResult>> = {
  "1": { kind: "duplicate" },
  "2": { kind: "suppressed" },
  "3": { kind: "outdated" },
};

function readAccepted(kind = "", id: number, deliveries: number): AcceptResult {
  const places = Array.from({ length: deliveries }, (_, place) => idAtPlace({ id, place }));
  return REFUSALS[kind] ?? { kind: "stored", deliveries: places };
}

function readReplayed(id = ""): DeliveryId | undefined {
  return id === "" ? undefined : idAtPlace({ id: Number(id), place: 0 });
}

/** Those that are not named are stale: `1s,3p`. */
function readSettled(text: string, length: number): readonly SettleResult[] {
  const results = new Array<SettleResult>(length).fill("stale");
  for (const entry of text === "" ? [] : text.split(",")) {
    results[Number(entry.slice(0, -1)) - 1] = entry.endsWith("p") ? "purged" : "settled";
  }
  return results;
}

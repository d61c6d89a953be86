// One commit is one call of the SQL function `commit`: its lists become arrays, in the order of the parameters. The answer is short:
// letters, and the numbers of messages.

import type {
  AcceptResult,
  Changes,
  CommitResult,
  DeliveryId,
  DestinationId,
  EpochMs,
  SettleResult,
  NewMessage,
} from "@postrider/core";
import { int2Array, int4Array, int8Array, keyArray, placeholders } from "../wire/values.js";
import { hashTextOf, tokenValues } from "../wire/text.js";
import { readTextOrEmpty, type TextRow } from "../wire/read-row.js";
import { COUNT_KINDS, idAtPlace } from "./codes.js";
import type { CommitContext, Numbers, Functions } from "./functions.js";
import { writeMessages } from "./messages.js";
import { writeAppended, writeReplays, writeSettlements } from "./settle.js";
import { type Committed, commitUsual, usualOf } from "./usual.js";

const TALLY_KINDS = ["refused", "suppressed", "shed"] as const;

const PARAMETERS: string = placeholders(54);

/** Commits changes. */
export async function commit(functions: Functions, changes: Changes, now: EpochMs): Promise<CommitResult> {
  const { names, leased } = functions;
  const sourceIds = [...changes.accept.map(({ source }) => source), ...changes.tally.map(({ source }) => source)];
  const sourceNumber = await names.sources(sourceIds);
  const laneNumber = await names.lanes(
    changes.accept.flatMap(({ deliveries }) => deliveries.map(({ destination }) => destination)),
  );
  const context = { sourceNumber, laneNumber, now };
  const usual = usualOf(changes, leased);
  const { result, leases } =
    (usual && (await commitUsual(functions, usual, context))) ?? (await commitAny(functions, changes, context));
  leased.forget(changes.settle.map(({ id }) => id));
  const learn = leased.begin(changes.lease.token, leases);
  for (const { id, message, destination } of claimedOf(changes.accept, result.accepted))
    learn(id, { lane: laneNumber(destination), source: sourceNumber(message.source), size: message.body.length });
  return result;
}

/** Makes a commit of any changes. */
async function commitAny(
  { connection, leased, schema, bucket, timeFor }: Functions,
  changes: Changes,
  { sourceNumber, laneNumber, now }: CommitContext,
): Promise<Committed> {
  const { token, leaseMs } = changes.lease;
  const [row = {}] = await connection.commit(`select * from ${schema}.commit(${PARAMETERS})`, [
    ...[bucket, timeFor(now), ...tokenValues(token), leaseMs],
    ...writeMessages(changes.accept, sourceNumber, laneNumber),
    ...writeSettlements(changes.settle, leased),
    ...writeReplays(changes.replay),
    ...writeAppended(changes.append),
    ...writeTally(changes.tally, sourceNumber),
    ...writeNotified(changes.notified ?? []),
  ]);
  return { result: readResult(changes, row), leases: readLeases(row) };
}

interface Claimed {
  readonly id: DeliveryId;
  readonly message: NewMessage;
  readonly destination: DestinationId;
}

/** The deliveries that were accepted as claimed, in the order in which leases have them, before what is replayed. */
function claimedOf(messages: readonly NewMessage[], accepted: readonly AcceptResult[]): readonly Claimed[] {
  return messages.flatMap((message, index) => {
    const result = accepted[index];
    if (result?.kind !== "stored") return [];
    return message.deliveries.flatMap(({ destination, start }, place) => {
      const id = result.deliveries[place];
      return start.kind === "claimed" && id !== undefined ? [{ id, message, destination }] : [];
    });
  });
}

/** The lease of each lane of which a delivery was stored as claimed. */
function readLeases(row: TextRow): Committed["leases"] {
  const leases = readTextOrEmpty(row, "leases").matchAll(/(\d+):(\d+):(\d+)/gu);
  return new Map(
    Array.from(leases, ([, lane, lease, entries]) => [
      Number(lane),
      { lease: Number(lease), entries: Number(entries) },
    ]),
  );
}

function writeTally(tally: Changes["tally"], sourceNumber: Numbers): readonly Buffer[] {
  const rows = tally.flatMap((counts) =>
    TALLY_KINDS.map((name) => ({ source: counts.source, name, count: counts[name] })),
  );
  return [
    int4Array(rows.map(({ source }) => sourceNumber(source))),
    int2Array(rows.map(({ name }) => COUNT_KINDS.indexOf(name))),
    int8Array(rows.map(({ count }) => count)),
  ];
}

/** The progress of notices, sorted by key, so that two commits never wait for each other. */
function writeNotified(notified: NonNullable<Changes["notified"]>): readonly Buffer[] {
  const rows = notified.map(({ deletion, users }) => ({ key: hashTextOf(deletion), users }));
  rows.sort((first, second) => (first.key < second.key ? -1 : 1));
  return [keyArray(rows.map(({ key }) => key)), int4Array(rows.map(({ users }) => users))];
}

function readResult(changes: Changes, row: TextRow): CommitResult {
  const kinds = readTextOrEmpty(row, "kinds");
  const ids = readTextOrEmpty(row, "ids").split(",");
  const replayed = readTextOrEmpty(row, "replayed").split(",");
  const appended = readTextOrEmpty(row, "appended");
  return {
    accepted: changes.accept.map(({ deliveries }, index) =>
      readAccepted(kinds[index], Number(ids[index]), deliveries.length),
    ),
    replayed: changes.replay.map((_, index) => readReplayed(replayed[index])),
    settled: readSettled(readTextOrEmpty(row, "settled"), changes.settle.length),
    appended: changes.append.map((_, index) => (appended[index] === "a" ? "appended" : "gone")),
  };
}

const UNSTORED: Readonly<Record<string, AcceptResult>> = {
  "1": { kind: "duplicate" },
  "2": { kind: "suppressed" },
  "3": { kind: "outdated" },
};

function readAccepted(kind = "", id: number, deliveries: number): AcceptResult {
  const places = Array.from({ length: deliveries }, (_, place) => idAtPlace({ id, place }));
  return UNSTORED[kind] ?? { kind: "stored", deliveries: places };
}

function readReplayed(id = ""): DeliveryId | undefined {
  return id === "" ? undefined : idAtPlace({ id: Number(id), place: 0 });
}

/** `1s,3p`: the first is settled, the third purged, and those that are not named are stale. */
function readSettled(text: string, length: number): readonly SettleResult[] {
  const results = new Array<SettleResult>(length).fill("stale");
  for (const entry of text === "" ? [] : text.split(",")) {
    results[Number(entry.slice(0, -1)) - 1] = entry.endsWith("p") ? "purged" : "settled";
  }
  return results;
}

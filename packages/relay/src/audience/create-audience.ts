// Stores a new audience, and changes the destinations of an audience. Core forms its key; this file makes sure that no other
// audience has that key, and that the destinations exist.

import {
  type AudienceDefinition,
  type AudienceRecord,
  type DestinationId,
  MAX_AUDIENCE_NAME_LENGTH,
} from "@postrider/core";
import { audienceKey, RESERVED_AUDIENCE_KEYS } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { type RelayContext, writeHex } from "../context.js";
import { AUDIENCE_ID_BYTES } from "../limits.js";
import { relayFault } from "../storage/relay-fault.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { AudienceFault } from "./audiences.js";

/** Creates an audience, or says what is wrong with its definition. */
export async function createAudience(
  context: RelayContext,
  storage: AudienceStorage,
  definition: AudienceDefinition,
): Promise<Result<AudienceRecord, AudienceFault>> {
  const record = newRecord(context, definition);
  if (record.isErr()) return record;
  const created = await storage.ask((audiences) => audiences.create(record.value));
  if (created.isErr()) return err(relayFault(created.error));
  return created.value ? record : err({ code: "key-taken", key: record.value.key });
}

/** Changes the destinations from the next sync on. What a removed destination knows is kept, in case it is added again. */
export async function setDestinations(
  context: RelayContext,
  storage: AudienceStorage,
  { key, destinations }: { readonly key: string; readonly destinations: readonly DestinationId[] },
): Promise<Result<AudienceRecord, AudienceFault>> {
  const known = knownOnly(context, destinations);
  if (known.isErr()) return err(known.error);
  const changed = await storage.change<never>({
    key,
    decide: (record) => ok({ ...record, destinations: known.value }),
  });
  return changed.mapErr((fault) => (fault.code === "unknown-audience" ? fault : relayFault(fault)));
}

function newRecord(context: RelayContext, definition: AudienceDefinition): Result<AudienceRecord, AudienceFault> {
  const { name, kind, sendsAs } = definition;
  if (name.length > MAX_AUDIENCE_NAME_LENGTH) return err({ code: "name-too-long" });
  const named = audienceKey(name, RESERVED_AUDIENCE_KEYS);
  if (named.kind === "refused") {
    return err(named.reason === "empty" ? { code: "empty-name" } : { code: "key-taken", key: named.key });
  }
  return knownOnly(context, definition.destinations).map((destinations) => ({
    ...{ name, kind, sendsAs, destinations },
    key: named.key,
    id: `${ID_PREFIX[kind]}${writeHex(context.random.bytes(AUDIENCE_ID_BYTES))}`,
    createdAt: context.clock.wall(),
    ...{ revision: 1, syncs: 0, running: null, last: null, told: [] },
  }));
}

/** The prefixes that the public service uses. */
const ID_PREFIX = { audience: "aud_", trait: "trait_" } as const;

function knownOnly(
  { settings }: RelayContext,
  destinations: readonly DestinationId[],
): Result<readonly DestinationId[], AudienceFault> {
  const unknown = destinations.find((destination) => settings.destination(destination) === undefined);
  return unknown === undefined
    ? ok([...new Set(destinations)])
    : err({ code: "unknown-destination", destination: unknown });
}

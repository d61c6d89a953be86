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
import { AUDIENCE_ID_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";
import { toRelayFault } from "../fault.js";
import type { AudienceFault } from "./audiences.js";
import type { DefineContext, NewIdContext } from "./context.js";

/** Creates an audience, or says what is wrong with its definition. */
export async function createAudience(
  context: NewIdContext,
  definition: AudienceDefinition,
): Promise<Result<AudienceRecord, AudienceFault>> {
  const record = newRecord(context, definition);
  if (record.isErr()) return record;
  const created = await context.storage.ask((audiences) => audiences.create(record.value));
  if (created.isErr()) return err(toRelayFault(created.error));
  return created.value ? record : err({ code: "key-taken", key: record.value.key });
}

/**
 * Changes the destinations of an audience, from the next sync on. The record of what a removed destination has been
 * sent is kept, in case that destination is added again.
 */
export async function setDestinations(
  { settings, storage }: DefineContext,
  { key, destinations }: { readonly key: string; readonly destinations: readonly DestinationId[] },
): Promise<Result<AudienceRecord, AudienceFault>> {
  const known = checkDestinations(settings, destinations);
  if (known.isErr()) return err(known.error);
  const changed = await storage.change<never>({
    key,
    decide: (record) => ok({ ...record, destinations: known.value }),
  });
  return changed.mapErr((fault) => (fault.code === "unknown-audience" ? fault : toRelayFault(fault)));
}

type NewRecordContext = Omit<NewIdContext, "storage">;

function newRecord(
  { clock, random, settings }: NewRecordContext,
  definition: AudienceDefinition,
): Result<AudienceRecord, AudienceFault> {
  const { name, kind, sendsAs } = definition;
  if (name.length > MAX_AUDIENCE_NAME_LENGTH) return err({ code: "name-too-long" });
  const formed = audienceKey(name, RESERVED_AUDIENCE_KEYS);
  if (formed.kind === "refused") {
    return err(formed.reason === "empty" ? { code: "empty-name" } : { code: "key-taken", key: formed.key });
  }
  return checkDestinations(settings, definition.destinations).map((destinations) => ({
    name,
    kind,
    sendsAs,
    destinations,
    key: formed.key,
    id: `${ID_PREFIX[kind]}${randomHex(random, AUDIENCE_ID_BYTES)}`,
    createdAt: clock.wall(),
    revision: 1,
    syncs: 0,
    running: null,
    last: null,
    told: [],
  }));
}

/** The prefixes that the public service uses. */
const ID_PREFIX = { audience: "aud_", trait: "trait_" } as const;

function checkDestinations(
  settings: SettingsInForce,
  destinations: readonly DestinationId[],
): Result<readonly DestinationId[], AudienceFault> {
  const unknown = destinations.find((destination) => settings.destination(destination) === undefined);
  return unknown === undefined
    ? ok([...new Set(destinations)])
    : err({ code: "unknown-destination", destination: unknown });
}

// Answers what a host asks about audiences, and creates and changes them: core forms the key of a new one, and this file
// makes sure that no other has it, and that its destinations exist. Without an audience store, a relay has no audiences.

import { errAsync, okAsync, ResultAsync, err, ok, type Result } from "neverthrow";
import {
  type AudienceDefinition,
  type AudienceRecord,
  type DestinationId,
  MAX_AUDIENCE_NAME_LENGTH,
} from "@postrider/core";
import { audienceKey, RESERVED_AUDIENCE_KEYS } from "@postrider/core/engine";
import { toRelayFault } from "../fault.js";
import type { Audiences, AudienceFault } from "./audiences.js";
import { createSyncs } from "./syncs.js";
import { AUDIENCE_ID_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { AudienceContext, DefineContext, NewIdContext } from "./audience-storage.js";

/** Used if there is no audience store: finds nothing, and fails with `not-supported` if something would change. */
export const UNSUPPORTED_AUDIENCES: AudienceWork = {
  methods: {
    createAudience: () => errAsync({ code: "not-supported" }),
    setAudienceDestinations: () => errAsync({ code: "not-supported" }),
    audiences: () => okAsync([]),
    audience: () => okAsync(undefined),
    syncAudience: () => errAsync({ code: "not-supported" }),
  },
  start: () => undefined,
  stop: () => Promise.resolve(),
};

/** The prefix of an id by its kind, as the public service has it. */
const ID_PREFIX = { audience: "aud_", trait: "trait_" } as const;

/** The audience methods of a relay, and the loop that resumes syncs. */
interface AudienceWork {
  readonly methods: Audiences;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export function createAudiences(context: AudienceContext): AudienceWork {
  const { storage } = context;
  const { orStalled } = storage;
  const syncs = createSyncs(context);
  const methods: Audiences = {
    createAudience: (definition) => orStalled(() => new ResultAsync(createAudience(context, definition))),
    setAudienceDestinations: (key, destinations) =>
      orStalled(() => new ResultAsync(setDestinations(context, { key, destinations }))),
    audiences: () => orStalled(() => new ResultAsync(storage.records.list()).mapErr(toRelayFault)),
    audience: (key) => orStalled(() => new ResultAsync(storage.records.find(key)).mapErr(toRelayFault)),
    // A stalled store is reported only when a sync begins: a sync under way waits for the store without a time limit.
    syncAudience: (key, members, options = {}) =>
      orStalled(() => new ResultAsync(syncs.begin())).andThen(
        (since) => new ResultAsync(syncs.sync({ key, since }, members, options)),
      ),
  };
  return { methods, start: () => syncs.start(), stop: () => syncs.stop() };
}

/** Creates an audience, or says what is wrong with its definition. */
async function createAudience(
  context: NewIdContext,
  definition: AudienceDefinition,
): Promise<Result<AudienceRecord, AudienceFault>> {
  const record = newRecord(context, definition);
  if (record.isErr()) return record;
  const created = await context.storage.records.put(record.value);
  if (created.isErr()) return err(toRelayFault(created.error));
  return created.value ? record : err({ code: "key-taken", key: record.value.key });
}

/**
 * Changes the destinations of an audience, from the next sync on. The record of what a removed destination has been
 * sent is kept, in case that destination is added again.
 */
async function setDestinations(
  { settings, storage }: DefineContext,
  { key, destinations }: { readonly key: string; readonly destinations: readonly DestinationId[] },
): Promise<Result<AudienceRecord, AudienceFault>> {
  const checked = checkDestinations(settings, destinations);
  if (checked.isErr()) return err(checked.error);
  const changed = await storage.change<never>({
    key,
    decide: (record) => ok({ ...record, destinations: checked.value }),
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

function checkDestinations(
  settings: SettingsInForce,
  destinations: readonly DestinationId[],
): Result<readonly DestinationId[], AudienceFault> {
  const unknown = destinations.find((destination) => settings.destination(destination) === undefined);
  return unknown === undefined
    ? ok([...new Set(destinations)])
    : err({ code: "unknown-destination", destination: unknown });
}

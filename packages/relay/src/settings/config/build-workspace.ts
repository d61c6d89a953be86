// Makes core's workspace from a file of valid shape: adds the defaults, and wraps secrets and header values. Checks
// nothing.

import {
  type Connection,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type Destination,
  destinationId,
  type Endpoint,
  type NotifyHook,
  type RateLimit,
  type Source,
  sourceId,
  type Workspace,
} from "@postrider/core";
import { DEFAULT_DESTINATION_NAME, mapInSteps, runSteps, type Steps } from "@postrider/core/engine";
import type {
  ConnectionEntry,
  DestinationEntry,
  EndpointEntry,
  NotifyEntry,
  RateLimitEntry,
  SourceEntry,
  WorkspaceFile,
} from "./config-file.js";

/**
 * The workspace that a file describes. Lists keep their order, so that paths in the file and in the workspace are
 * equal.
 */
export function buildWorkspace(file: WorkspaceFile): Workspace {
  return runSteps(buildWorkspaceInSteps(file));
}

/** Like `buildWorkspace`, in steps of one entry. */
export function* buildWorkspaceInSteps(file: WorkspaceFile): Steps<Workspace> {
  return {
    sources: yield* mapInSteps(file.sources ?? [], buildSource),
    destinations: yield* mapInSteps(file.destinations ?? [], buildDestination),
    delivery: { ...DEFAULT_DELIVERY, ...file.delivery },
    retention: { ...DEFAULT_RETENTION, ...file.retention },
    ...(file.notify === undefined ? {} : { notify: file.notify.map(buildHook) }),
  };
}

function buildSource({ id, name = id, writeKey, rateLimit, addsIp }: SourceEntry): Source {
  return {
    id: sourceId(id),
    name,
    writeKey: createSecret(writeKey),
    ...(rateLimit === undefined ? {} : { rateLimit: buildRateLimit(rateLimit) }),
    ...(addsIp === undefined ? {} : { addsIp }),
  };
}

/** By default, `burst` is the number allowed in one second, but at least 1. */
function buildRateLimit({ perSecond, burst = Math.max(perSecond, 1) }: RateLimitEntry): RateLimit {
  return { perSecond, burst };
}

function buildDestination(entry: DestinationEntry): Destination {
  const { name = DEFAULT_DESTINATION_NAME, enabled = true, paused = false, acceptsHistorical = true } = entry;
  const destination = {
    id: destinationId(entry.id),
    name,
    enabled,
    paused,
    acceptsHistorical,
    sources: entry.sources.map(buildConnection),
    endpoints: entry.endpoints.map(buildEndpoint),
    ...buildSigning(entry),
  };
  return entry.rateLimit === undefined ? destination : { ...destination, rateLimit: buildRateLimit(entry.rateLimit) };
}

function buildHook(entry: NotifyEntry): NotifyHook {
  return { ...buildEndpoint(entry), ...buildSigning(entry), ...(entry.on === undefined ? {} : { on: entry.on }) };
}

function buildSigning({
  sharedSecret = [],
  standardWebhooks = false,
}: Pick<NotifyEntry, "sharedSecret" | "standardWebhooks">) {
  return { secrets: [sharedSecret].flat().map(createSecret), standardWebhooks };
}

function buildConnection(entry: ConnectionEntry): Connection {
  if (typeof entry === "string") return { source: sourceId(entry), mode: "cloud" };
  return { source: sourceId(entry.source), mode: entry.mode ?? "cloud" };
}

function buildEndpoint({ url, headers = {} }: EndpointEntry): Endpoint {
  return { url, headers: Object.entries(headers).map(([name, value]) => [name, createSecret(value)]) };
}

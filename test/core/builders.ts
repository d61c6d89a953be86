// Builders for the tests of core: each returns a complete and valid value, with the changes of a test.

import {
  type Body,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type Destination,
  type DestinationId,
  type Endpoint,
  type EndpointId,
  type EpochMs,
  type Reply,
  type Source,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import type { CheckedCall, StampedCall } from "@postrider/core/engine";

export const NOW: EpochMs = at(Date.UTC(2026, 0, 31, 12));

export function at(ms: number): EpochMs {
  return ms as EpochMs;
}

export function sourceId(id: string): SourceId {
  return id as SourceId;
}

export function laneId(id: string): DestinationId {
  return id as DestinationId;
}

export function endpointId(url: string): EndpointId {
  return url as EndpointId;
}

export function bytes(text: string): Body {
  return new TextEncoder().encode(text) as Body;
}

export function text(body: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
}

export function source(id = "website", writeKey = `wk_${id}`): Source {
  return { id: sourceId(id), name: id, writeKey: createSecret(writeKey) };
}

export function endpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return { url: "https://example.com/hook", headers: [], ...changes };
}

export function destination(changes: Partial<Destination> = {}): Destination {
  return {
    id: laneId("crm"),
    name: "Webhooks",
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: sourceId("website"), mode: "cloud" }],
    endpoints: [endpoint()],
    secrets: [],
    ...changes,
  };
}

export function workspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    sources: [source()],
    destinations: [destination()],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
    ...changes,
  };
}

export function stamped(call: CheckedCall, changes: Partial<Omit<StampedCall, "call">> = {}): StampedCall {
  return { call, messageId: "m1", timestamp: NOW, receivedAt: NOW, ...changes };
}

export function answered(status: number, changes: { readonly excerpt?: Uint8Array; readonly afterMs?: number } = {}) {
  return { kind: "answered", status, afterMs: 10, excerpt: new Uint8Array(), ...changes } satisfies Reply;
}

export function silent(fault: Extract<Reply, { kind: "silent" }>["fault"]) {
  return { kind: "silent", fault, afterMs: 5_000 } satisfies Reply;
}

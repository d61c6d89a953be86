// Config files for tests: the file of any workspace, and changes at any place of a file.

import type { DeliveryPolicy, JsonObject, StaticHeader, Workspace } from "@postrider/core";

/** The file of a workspace. */
export function fileOf({ sources, destinations, delivery, retention, notify = [] }: Workspace): JsonObject {
  return {
    sources: sources.map(({ id, name, writeKey }) => ({ id, name, writeKey: writeKey.reveal() })),
    destinations: destinations.map(({ secrets, endpoints, ...rest }) => ({
      ...rest,
      endpoints: endpoints.map(({ url, headers }) => ({ url, headers: Object.fromEntries(headers.map(readable)) })),
      ...(secrets.length === 0 ? {} : { sharedSecret: secrets.map((secret) => secret.reveal()) }),
    })),
    delivery: numbersOf(delivery),
    retention,
    notify: notify.map(({ secrets, headers, ...rest }) => ({
      ...rest,
      headers: Object.fromEntries(headers.map(readable)),
      ...(secrets.length === 0 ? {} : { sharedSecret: secrets.map((secret) => secret.reveal()) }),
    })),
  };
}

function readable([name, value]: StaticHeader): [string, string] {
  return [name, typeof value === "string" ? value : value.reveal()];
}

/** The numbers that a file may set, as whole numbers. */
export function numbersOf({
  growth: _growth,
  jitter: _jitter,
  schedule: _schedule,
  ...numbers
}: DeliveryPolicy): JsonObject {
  const whole = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Math.ceil(value)]));
  return { ...whole, leaseMs: Math.ceil(numbers.leaseMs) + 1 };
}

/** Puts `change` in place of one value of a tree, the `at`-th in the order of a walk that counts objects and lists too. */
export function replaceAt(tree: unknown, at: number, change: (old: unknown) => unknown): unknown {
  let left = at;
  const walk = (value: unknown): unknown => {
    left -= 1;
    if (left === -1) return change(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, walk(field)]));
  };
  return walk(tree);
}

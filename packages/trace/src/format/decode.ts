// Reads what `encode` wrote. Each secret becomes another one, and hidden values and bodies become fillers of their length, so
// that settings stay valid and sizes stay what they were.

import { createSecret } from "@postrider/core";

/** Reads the values of one trace. */
export function createDecoder(): (value: unknown) => unknown {
  let secrets = 0;

  function decode(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(decode);
    const [first] = Object.keys(value);
    if (first?.startsWith("$") === true && !first.startsWith("$$")) {
      return decodeMark(first, (value as Readonly<Record<string, unknown>>)[first]);
    }
    const read: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(value) as (readonly [string, unknown])[]) {
      const name = key.startsWith("$$") ? key.slice(1) : key;
      Object.defineProperty(read, name, { value: decode(field), enumerable: true, writable: true, configurable: true });
    }
    return read;
  }

  function decodeMark(mark: string, value: unknown): unknown {
    switch (mark) {
      case "$bytes":
        return new Uint8Array(Number(value)).fill(0x20);
      case "$base64":
        return new Uint8Array(Buffer.from(String(value), "base64"));
      case "$number":
        return Number(value);
      case "$hidden":
        return "x".repeat(Number(value));
      case "$secret":
        secrets += 1;
        return createSecret(`stand-in for secret ${String(secrets)}`);
      case "$map":
        return new Map(decode(value) as readonly (readonly [unknown, unknown])[]);
      case "$set":
        return new Set(decode(value) as readonly unknown[]);
      case "$error":
        return errorOf(value as { readonly message: string; readonly code?: string });
      case "$":
        return undefined;
    }
    return undefined;
  }

  return decode;
}

function errorOf({ message, code }: { readonly message: string; readonly code?: string }): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

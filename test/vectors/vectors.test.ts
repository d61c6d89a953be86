// Compares core, and settings of relay for raw calls, with the vectors that other languages use. See README.md beside this file.

import { decodeCall } from "@postrider/relay/settings";
import { type Fault, FAULTS, type JsonObject, judgeReply, signBody, verifySignature } from "@postrider/core";
import { checkCall, encodeMessage, formatTimestamp, isAllowedByIntegrations, mapCall, deleteMessageOf, parseTimestamp, snakeCase, stampCall } from "@postrider/core/engine";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The caller names the type of a case. */
function read(name: string) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));
}

function at(text: string) {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new Error(`no instant: ${text}`);
  return instant;
}

/** The body of a call that comes in as JSON text. */
function deliver(call: string, receivedAt: string): string {
  const decoded = decodeCall(JSON.parse(call));
  if (decoded.kind === "refused") throw new Error(decoded.refusal.code);
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") throw new Error(checked.refusal.code);
  const stamped = stampCall(checked.call, { messageId: "none was sent" }, at(receivedAt));
  return new TextDecoder().decode(encodeMessage(mapCall(stamped)));
}

describe("signatures", () => {
  interface Vector {
    readonly name: string;
    readonly secret: string;
    readonly body?: string;
    readonly bodyHex?: string;
    readonly signature: string;
  }

  it.each<Vector>(read("signatures"))("$name", ({ secret, body, bodyHex, signature }) => {
    const bytes = Uint8Array.from(body === undefined ? Buffer.from(bodyHex ?? "", "hex") : Buffer.from(body, "utf8"));
    expect(signBody(secret, bytes)).toBe(signature);
    expect(verifySignature(secret, bytes, signature)).toBe(true);
  });
});

describe("mapping", () => {
  interface Vector {
    readonly name: string;
    readonly receivedAt: string;
    readonly call: string;
    readonly body: string;
  }

  it.each<Vector>(read("mapping"))("$name", ({ call, receivedAt, body }) => {
    expect(deliver(call, receivedAt)).toBe(body);
    expect(JSON.stringify(JSON.parse(body))).toBe(body);
  });
});

describe("deletion", () => {
  it.each<{ userId: string; at: string; body: string }>(read("deletion"))("of $userId", (vector) => {
    const body = encodeMessage(deleteMessageOf(vector.userId, at(vector.at)));
    expect(new TextDecoder().decode(body)).toBe(vector.body);
  });
});

describe("timestamps", () => {
  interface Vectors {
    readonly read: readonly { readonly text: string; readonly epochMs: number; readonly written: string }[];
    readonly refused: readonly string[];
  }
  const vectors: Vectors = read("timestamps");

  it.each(vectors.read)("reads $text", ({ text, epochMs, written }) => {
    expect(parseTimestamp(text)).toBe(epochMs);
    expect(formatTimestamp(at(text))).toBe(written);
  });

  it.each(vectors.refused)("refuses %j", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

describe("integrations", () => {
  interface Vector {
    readonly name: string;
    readonly integrations: JsonObject;
    readonly enabled: boolean;
  }

  it.each<Vector>(read("integrations"))("$name under $integrations: $enabled", (vector) => {
    expect(isAllowedByIntegrations(vector.integrations, vector.name)).toBe(vector.enabled);
  });
});

describe("audience keys", () => {
  it.each<{ name: string; key: string }>(read("audience-keys"))("$name: $key", ({ name, key }) => {
    expect(snakeCase(name)).toBe(key);
  });
});

describe("verdicts", () => {
  const vectors: { statuses: Record<string, string>; faults: Record<Fault, string> } = read("verdicts");

  it("of every final status", () => {
    expect(Object.keys(vectors.statuses)).toHaveLength(400);
    for (const [status, verdict] of Object.entries(vectors.statuses)) {
      const reply = { kind: "answered", status: Number(status), afterMs: 1, excerpt: new Uint8Array() } as const;
      expect([status, judgeReply(reply)]).toEqual([status, verdict]);
    }
  });

  it("of every fault, none forgotten", () => {
    expect(Object.keys(vectors.faults).sort()).toEqual([...FAULTS].sort());
    for (const fault of FAULTS) expect(judgeReply({ kind: "silent", fault, afterMs: 1 })).toBe(vectors.faults[fault]);
  });
});

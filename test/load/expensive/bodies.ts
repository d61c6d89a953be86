// The shapes of expensive requests: each makes one part of a request as large as the limits allow. Valid requests must be
// accepted regardless of their cost, and all others must be refused with a short answer.

import { MAX_BATCH_BYTES, MAX_BATCH_CALLS, MAX_CALL_BYTES } from "@postrider/core";
import { contentOf, fill } from "./contents.js";
import type { Caps, Plan } from "./requests.js";

/** The expected answer; `rejected` calls are included in `calls`. */
export type Expected =
  | { readonly kind: "accepted"; readonly calls: number; readonly rejected: number }
  | { readonly kind: "refused"; readonly statuses: readonly number[] };

export interface Body {
  readonly text: Buffer;
  readonly expected: Expected;
  /** If false, it is a single call. */
  readonly isBatch?: boolean;
}

export const SHAPE_NAMES = [
  "many small calls",
  "the same call again and again",
  "shared context",
  "shared context under an own one",
  "own context over a shared one",
  "shared context that is too large",
  "shared context of bad numbers",
  "shared integrations",
  "own integrations",
  "large calls",
  "one large call",
  "one padded call",
  "bad numbers behind long keys",
  "calls that nest too deep",
  "numbers that outgrow their call",
  "bad timestamps",
  "calls that are no objects",
  "too many calls",
  "no batch",
  "a text cut short",
  "brackets",
  "bytes that are not UTF-8",
  "a zip bomb",
  "wrong key",
] as const;

export type ShapeName = (typeof SHAPE_NAMES)[number];

export interface Drawn {
  /** A field with the write key, or nothing. */
  readonly keyField: string;
  readonly caps: Caps;
  readonly tag: string;
  readonly destinations: number;
}

/** Bytes for the frame of a batch, and for that of a call with its id. */
const BATCH_FRAME = 200;
const CALL_FRAME = 160;
const LONG_KEY = 140;
const TOO_DEEP = 70;
const BOMB_BYTES = 20_000_000;
/** Bytes that are left in a batch of many calls. */
const MOST_SHARED = 350_000;

export function bodyOf(plan: Plan, drawn: Drawn): Body {
  const own = Math.min(plan.bytes, MAX_CALL_BYTES - CALL_FRAME);
  const calls = Math.min(plan.calls, MAX_BATCH_CALLS);
  const content = (bytes: number): string => contentOf(plan.content, bytes);
  switch (plan.shape) {
    case "many small calls":
      return lawful(plan, drawn, { call: (index) => small(index) });
    case "the same call again and again":
      return lawful(plan, drawn, { call: () => '"type":"page","userId":"u","messageId":"same"' });
    case "shared context":
      return lawful(plan, drawn, { shared: `"context":${content(own)},`, call: (index) => small(index) });
    case "shared context under an own one": {
      const call = (index: number): string => `${small(index)},"context":{"a":"é","7":${String(index)},"b":{}}`;
      return lawful(plan, drawn, { shared: `"context":${content(own - 60)},`, call });
    }
    case "own context over a shared one": {
      const context = content(own);
      const call = (index: number): string => `"type":"page","userId":"u${String(index)}","context":${context}`;
      return lawful(plan, drawn, { shared: '"context":{"b":1,"7":2},', call });
    }
    case "shared integrations":
      return lawful(plan, drawn, {
        shared: `"integrations":${names(own, plan.content.length)},`,
        call: (index) => small(index),
      });
    case "own integrations": {
      const integrations = names(Math.min(own, Math.floor(400_000 / calls)), plan.content.length);
      return lawful(plan, drawn, { call: (index) => `${small(index)},"integrations":${integrations}` });
    }
    case "large calls": {
      const properties = content(own);
      return lawful(plan, drawn, {
        call: (index) => `"type":"page","userId":"u${String(index)}","properties":${properties}`,
      });
    }
    case "one large call":
      return single(plan, drawn, `"userId":"u","event":"e","properties":${content(own)}`);
    case "one padded call":
      return single(plan, drawn, `"userId":"u","event":"e","properties":${padding(plan)}`);
    case "shared context that is too large":
      return rejected(drawn, `"context":${tooMuch(plan)},`, calls, small);
    case "shared context of bad numbers": {
      const bad = fill("{", (index) => `"k${String(index)}":1e999`, "}", own - 60);
      return lawful(plan, drawn, { shared: `"context":${bad},`, call: (index) => small(index) });
    }
    case "bad numbers behind long keys":
      return lawful(plan, drawn, {
        call: (index) => `${small(index)},"properties":{"${"é".repeat(LONG_KEY / 2)}":1e999}`,
      });
    case "calls that nest too deep": {
      const deep = "[".repeat(TOO_DEEP) + "]".repeat(TOO_DEEP);
      return rejected(drawn, "", calls, (index) => `${small(index)},"context":{"x":${deep}}`);
    }
    case "numbers that outgrow their call": {
      const numbers = `"properties":{"a":[${"1e20,".repeat(6_400)}0]}`;
      return rejected(drawn, "", calls, (index) => `${small(index)},${numbers}`);
    }
    case "bad timestamps": {
      const digits = "1".repeat(Math.min(own, Math.floor(400_000 / calls)));
      return lawful(plan, drawn, { call: (index) => `${small(index)},"timestamp":"2026-01-01T00:00:00.${digits}?"` });
    }
    case "calls that are no objects":
      return rejected(drawn, "", calls, undefined);
    case "too many calls":
      return refused([413], `{${drawn.keyField}"batch":[${"[],".repeat(160_000)}[]]}`);
    case "no batch":
      return refused([400], `{${drawn.keyField}"x":${content(plan.bytes - 100)}}`);
    case "wrong key":
      return refused([401], `{${drawn.keyField}"batch":[${content(plan.bytes - 100)}]}`);
    case "a text cut short":
      return refused([400], content(plan.bytes - 100).slice(0, -1));
    case "brackets":
      return refused([400], "[".repeat(plan.bytes));
    case "bytes that are not UTF-8":
      return { text: broken(content(plan.bytes - 100)), expected: { kind: "refused", statuses: [400] } };
    case "a zip bomb":
      return refused([413], "[".repeat(plan.calls % 2) + " ".repeat(BOMB_BYTES));
  }
}

/** Whether an answer is the expected one. */
export function isAsExpected(
  expected: Expected,
  { status, body }: { readonly status: number; readonly body: string },
): boolean {
  if (expected.kind === "refused") return expected.statuses.includes(status);
  if (status !== 200) return false;
  const { accepted, duplicates, rejected: found } = JSON.parse(body) as Record<string, unknown>;
  // A single call is answered by its id alone.
  if (accepted === undefined) return true;
  const count = (found as readonly unknown[]).length;
  return count === expected.rejected && Number(accepted) + Number(duplicates) + count === expected.calls;
}

function refused(statuses: readonly number[], text: string): Body {
  return { text: Buffer.from(text), expected: { kind: "refused", statuses } };
}

/** A call of five kinds in turn, without braces. */
function small(index: number): string {
  const user = `"userId":"u${String(index % 97)}"`;
  switch (index % 5) {
    case 0:
      return `"type":"track",${user},"event":"e"`;
    case 1:
      return `"type":"identify",${user},"traits":{"a":1}`;
    case 2:
      return `"type":"alias",${user},"previousId":"p"`;
    case 3:
      return `"type":"group",${user},"groupId":"g"`;
    default:
      return `"type":"page",${user}`;
  }
}

/** Integrations with many names of destinations, and with the key for all destinations. */
function names(bytes: number, seed: number): string {
  const all = seed % 2 === 0 ? '"All":false' : '"all":true';
  return fill(`{${all},`, (index) => `"d${String(index)}":${String(index % 3 === 0)}`, "}", Math.max(bytes, 64));
}

interface Batch {
  readonly shared?: string;
  /** The fields of a call. */
  readonly call: (index: number) => string;
}

/** As many calls as the plan has, within the limits and the caps. */
function lawful(plan: Plan, drawn: Drawn, { shared = "", call }: Batch): Body {
  const { keyField, caps, destinations } = drawn;
  const bodyBytes = shared.length + Buffer.byteLength(call(0)) + CALL_FRAME;
  const isFresh = isStored(plan, drawn);
  const mostUnits = Math.floor((isFresh ? caps.freshUnits : caps.units) / destinations);
  const mostBodies = Math.floor((isFresh ? caps.freshBytes : caps.bodyBytes) / bodyBytes);
  const most = Math.max(1, Math.min(plan.calls, mostUnits, mostBodies));
  const batch: string[] = [];
  let left = MAX_BATCH_BYTES - BATCH_FRAME - Buffer.byteLength(shared);
  for (let index = 0; index < most; index += 1) {
    const fields = call(index);
    const id = fields.includes('"messageId"') ? "" : `,"messageId":"${idOf(plan, drawn, index)}"`;
    left -= Buffer.byteLength(fields + id) + 3;
    if (left < 0) break;
    batch.push(`{${fields}${id}}`);
  }
  const text = Buffer.from(`{${keyField}${shared}"batch":[${batch.join(",")}]}`);
  return { text, expected: { kind: "accepted", calls: batch.length, rejected: 0 } };
}

/** Whether its calls are new. */
function isStored({ isFresh }: Plan, { caps, destinations }: Drawn): boolean {
  return isFresh && destinations <= caps.freshUnits;
}

/** A pool is as small as possible, since each of its calls is delivered once. */
const POOLED_UNITS = 20_000;

function idOf(plan: Plan, drawn: Drawn, index: number): string {
  if (isStored(plan, drawn)) return `${drawn.tag}-${String(index)}`;
  return `p-${String(index % Math.ceil(POOLED_UNITS / drawn.destinations))}`;
}

function single(plan: Plan, drawn: Drawn, fields: string): Body {
  const text = Buffer.from(`{${drawn.keyField}"messageId":"${idOf(plan, drawn, 0)}",${fields}}`);
  return { text, expected: { kind: "accepted", calls: 1, rejected: 0 }, isBatch: false };
}

/** An object as long as a request may be, whose parsed value is small. */
function padding({ bytes, calls }: Plan): string {
  const length = Math.max(64, Math.min(bytes, MAX_BATCH_BYTES) - 2 * BATCH_FRAME);
  return calls % 2 === 0 ? contentOf("the same key again and again", length) : `{${" ".repeat(length)}}`;
}

/** More than fits into a call, in as many fields as possible or in one field. */
function tooMuch({ content, bytes }: Plan): string {
  const isMany = content !== "one text";
  return contentOf(
    isMany ? "a key for each value" : content,
    Math.min(Math.max(bytes, MAX_CALL_BYTES * 2), MOST_SHARED),
  );
}

/** All of its calls are refused, each separately. */
function rejected(
  { keyField }: Drawn,
  shared: string,
  calls: number,
  call: ((index: number) => string) | undefined,
): Body {
  const batch: string[] = [];
  let left = MAX_BATCH_BYTES - BATCH_FRAME - Buffer.byteLength(shared);
  for (let index = 0; index < calls; index += 1) {
    const text = call === undefined ? String(["null", "[]", "0"][index % 3]) : `{${call(index)}}`;
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    batch.push(text);
  }
  const text = Buffer.from(`{${keyField}${shared}"batch":[${batch.join(",")}]}`);
  return { text, expected: { kind: "accepted", calls: batch.length, rejected: batch.length } };
}

function broken(text: string): Buffer {
  const bytes = Buffer.from(text);
  bytes[bytes.length - 2] = 0xff;
  return bytes;
}

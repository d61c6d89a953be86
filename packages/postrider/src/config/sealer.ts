// Seals secrets that stand in settings of a store, and opens them: by AES-256-GCM, bound to what the secret is for and to the entry that it
// belongs to, so that a shared secret cannot be moved into a header, or to another destination (decision: sealed secrets). Reads no settings.

import type { SecretPlace } from "@postrider/codec";
import type { Random, Secret } from "@postrider/core";
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/** What stands before a sealed text. */
const PREFIX = "sealed:";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Place = Pick<SecretPlace, "kind" | "owner">;

/** The text, sealed with this key. */
export function sealText(text: string, place: Place, key: Secret, random: Pick<Random, "bytes">): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytesOf(key), nonce).setAAD(bindingOf(place));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return PREFIX + sealed.toString("base64url");
}

/** The text in a sealed one; undefined if none of the keys opens it at this place. */
export function openText(sealed: string, place: Place, keys: readonly Secret[]): string | undefined {
  const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
  if (!sealed.startsWith(PREFIX) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const text = openWith(key, bytes, place);
    if (text !== undefined) return text;
  }
  return undefined;
}

function openWith(key: Secret, bytes: Buffer, place: Place): string | undefined {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, bytesOf(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bindingOf(place)).setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

function bindingOf({ kind, owner }: Place): Buffer {
  return Buffer.from(`${kind}\n${owner}`);
}

/** A key of the length that the cipher needs, from a text of any length. */
function bytesOf(key: Secret): Buffer {
  return createHash("sha256").update(`postrider sealing key\n${key.reveal()}`).digest();
}

import {
  type Body,
  createSecret,
  type EpochMs,
  type SourceId,
  type StandardWebhookHeaders,
  verifyStandardWebhook,
} from "@postrider/core";
import { signStandardWebhook, webhookId } from "@postrider/core/engine";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { bytes } from "../builders.js";

const NOW = 1_767_225_600_500 as EpochMs;
const BODY = bytes('{"type":"track"}');
const KEYED = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function sign(secrets: readonly string[], body = BODY, at = NOW): StandardWebhookHeaders {
  const headers = new Map(signStandardWebhook(secrets.map(createSecret), { id: "msg_1", at }, body));
  return {
    id: headers.get("webhook-id"),
    timestamp: headers.get("webhook-timestamp"),
    signature: headers.get("webhook-signature"),
  };
}

function asRecord({ id, timestamp, signature }: StandardWebhookHeaders): Record<string, string> {
  return { "webhook-id": id ?? "", "webhook-timestamp": timestamp ?? "", "webhook-signature": signature ?? "" };
}

describe("a message signed by Standard Webhooks", () => {
  const fresh = (): EpochMs => Date.now() as EpochMs;

  it("is accepted by the published standardwebhooks package, with a key in base64 and with a plain one", () => {
    const text = new TextDecoder().decode(BODY);
    expect(() => new Webhook(KEYED).verify(text, asRecord(sign([KEYED], BODY, fresh())))).not.toThrow();
    const raw = new Webhook("a plain secret", { format: "raw" });
    expect(() => raw.verify(text, asRecord(sign(["a plain secret"], BODY, fresh())))).not.toThrow();
    expect(() => new Webhook(KEYED).verify(`${text} `, asRecord(sign([KEYED], BODY, fresh())))).toThrow();
  });

  it("is accepted by the published svix package, also while a secret is being rotated", () => {
    const text = new TextDecoder().decode(BODY);
    const headers = asRecord(sign(["whsec_bmV3ZXIgc2VjcmV0IGtleSE=", KEYED], BODY, fresh()));
    expect(() => new SvixWebhook(KEYED).verify(text, headers)).not.toThrow();
    expect(() => new SvixWebhook("whsec_bmV3ZXIgc2VjcmV0IGtleSE=").verify(text, headers)).not.toThrow();
    expect(() => new SvixWebhook("whsec_bm8gc3VjaCBzZWNyZXQgb2Zvbg==").verify(text, headers)).toThrow();
  });

  it.each(["whsec_YWJjZGVmZ2hpamtsbW5vcA==", "whsec_YWJjZGVmZ2hpamtsbW5vcHE=", "whsec_YWJjZGVmZ2hpamtsbW5vcHFy"])(
    "is signed with the key that is the base64 of %s, whatever its padding",
    (secret) => {
      const headers = asRecord(sign([secret], BODY, fresh()));
      expect(() => new Webhook(secret).verify(new TextDecoder().decode(BODY), headers)).not.toThrow();
    },
  );

  it("is verified with any of its secrets, and with no other", () => {
    fc.assert(
      fc.property(nastyStrings(), nastyStrings(), fc.uint8Array(), (one, other, raw) => {
        const body = raw as Body;
        fc.pre(one !== other);
        const headers = sign([one, other], body);
        expect(verifyStandardWebhook([one], body, headers, NOW).kind).toBe(one === "" ? "invalid" : "valid");
        expect(verifyStandardWebhook([other], body, headers, NOW).kind).toBe(other === "" ? "invalid" : "valid");
        expect(verifyStandardWebhook(["neither"], body, headers, NOW)).toEqual({ kind: "invalid", reason: "no-match" });
      }),
    );
  });

  it("is verified by a receiver with several secrets, one of which signed", () => {
    for (const known of [
      ["old", "new"],
      ["new", "old"],
    ]) {
      expect(verifyStandardWebhook(known, BODY, sign(["new"]), NOW)).toEqual({ kind: "valid" });
    }
    expect(verifyStandardWebhook([], BODY, sign(["new"]), NOW)).toEqual({ kind: "invalid", reason: "no-match" });
  });

  it.each(["whsec_YWJ", "whsec_YWJj!YWJj", "whsec_YQ=", "whsec_=Q==", "whsec_Y==", "whsec_!!==", "whsec_YWJjYWJjYWJ"])(
    "takes %s, which is no base64, as it is written",
    (secret) => {
      const expected = createHmac("sha256", secret).update("msg_1.1767225600.").update(BODY).digest("base64");
      expect(sign([secret]).signature).toBe(`v1,${expected}`);
    },
  );

  it("uses a secret with whsec_ and invalid base64 as it is written", () => {
    expect(verifyStandardWebhook(["whsec_no base64"], BODY, sign(["whsec_no base64"]), NOW)).toEqual({ kind: "valid" });
    expect(sign(["whsec_"]).signature).not.toBe(sign(["whsec_no base64"]).signature);
  });

  it.each<[string, Partial<StandardWebhookHeaders>, string]>([
    ["no id", { id: undefined }, "missing-header"],
    ["no timestamp", { timestamp: undefined }, "missing-header"],
    ["no signature", { signature: undefined }, "missing-header"],
    ["a timestamp that is no number", { timestamp: "soon" }, "bad-timestamp"],
    ["a timestamp in milliseconds", { timestamp: "1767225600500" }, "bad-timestamp"],
    ["a timestamp over five minutes ago", { timestamp: "1767225300" }, "too-old"],
    ["a timestamp over five minutes ahead", { timestamp: "1767225901" }, "too-new"],
    ["another id", { id: "msg_2" }, "no-match"],
    ["another time", { timestamp: "1767225601" }, "no-match"],
    ["a signature of another version", { signature: "v1a,AAAA" }, "no-match"],
    ["an empty signature", { signature: "" }, "no-match"],
  ])("is refused with %s", (_, changes, reason) => {
    const headers = { ...sign([KEYED]), ...changes };
    expect(verifyStandardWebhook([KEYED], BODY, headers, NOW)).toEqual({ kind: "invalid", reason });
  });

  it("is refused with an empty secret, with which everyone can sign", () => {
    expect(verifyStandardWebhook([""], BODY, sign([""]), NOW)).toEqual({ kind: "invalid", reason: "no-match" });
  });

  it("is valid for five minutes before and after its time", () => {
    const headers = sign([KEYED]);
    const sent = 1_767_225_600_000;
    expect(verifyStandardWebhook([KEYED], BODY, headers, (sent + 300_000) as EpochMs).kind).toBe("valid");
    expect(verifyStandardWebhook([KEYED], BODY, headers, (sent - 300_000) as EpochMs).kind).toBe("valid");
  });
});

describe("webhookId", () => {
  it("is the same for the same message, different for another one, and valid in a header", () => {
    fc.assert(
      fc.property(nastyStrings(), nastyStrings(), (source, messageId) => {
        const id = webhookId(source as SourceId, messageId);
        expect(id).toMatch(/^msg_[\da-f]{32}$/);
        expect(webhookId(source as SourceId, messageId)).toBe(id);
        expect(webhookId(source as SourceId, `${messageId}x`)).not.toBe(id);
        expect(webhookId(`${source}x` as SourceId, messageId)).not.toBe(id);
      }),
    );
  });
});

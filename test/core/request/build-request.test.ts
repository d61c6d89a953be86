import { createSecret, type EpochMs, signBody, USER_AGENT } from "@postrider/core";
import { type RequestTarget, buildRequest, encodeMessage, mapCall } from "@postrider/core/engine";
import { checkedCalls, secrets, staticHeaders } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, endpointId, stamped } from "../builders.js";

const body = bytes('{"type":"page"}');
const FIXED = [
  ["User-Agent", "Postrider/1.0"],
  ["Content-Type", "application/json"],
  ["Accept-Encoding", "identity"],
];
const ANY_ANSWER = ["Accept", "*/*"];

function to(changes: Partial<RequestTarget> = {}): RequestTarget {
  return { endpoint: endpointId("https://example.com/"), headers: [], secrets: [], timeoutMs: 5_000, ...changes };
}

describe("buildRequest", () => {
  it("sends the stored bytes themselves to the endpoint, with its timeout", () => {
    const request = buildRequest(body, to({ timeoutMs: 1_234 }));
    expect(request.body).toBe(body);
    expect(request).toMatchObject({ url: "https://example.com/", timeoutMs: 1_234 });
  });

  it("names the sender and the content type, and does not sign without a secret", () => {
    expect(buildRequest(body, to()).headers).toEqual([...FIXED, ANY_ANSWER]);
    expect(USER_AGENT).toBe("Postrider/1.0");
  });

  it("signs with the newest secret, before the static headers", () => {
    const headers = [
      ["X-Team", "growth"],
      ["Authorization", "Bearer t"],
    ] as const;
    const request = buildRequest(body, to({ secrets: [createSecret("new"), createSecret("old")], headers }));
    expect(request.headers).toEqual([...FIXED, ANY_ANSWER, ["X-Signature", signBody("new", body)], ...headers]);
  });

  it("sends the text of a header whose value is a secret", () => {
    const headers = [["Authorization", createSecret("Bearer t")]] as const;
    expect(buildRequest(body, to({ headers })).headers).toEqual([...FIXED, ANY_ANSWER, ["Authorization", "Bearer t"]]);
  });

  it("also signs by Standard Webhooks if that is configured, with every secret", () => {
    const standardWebhook = { id: "msg_1", at: 1_767_225_600_999 as EpochMs };
    const request = buildRequest(body, to({ secrets: [createSecret("new"), createSecret("old")], standardWebhook }));
    const names = request.headers.slice(FIXED.length + 1).map(([name]) => name);
    expect(names).toEqual(["X-Signature", "webhook-id", "webhook-timestamp", "webhook-signature"]);
    expect(new Map(request.headers).get("webhook-timestamp")).toBe("1767225600");
    expect(new Map(request.headers).get("webhook-signature")).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    expect(buildRequest(body, to({ standardWebhook })).headers).toEqual([...FIXED, ANY_ANSWER]);
  });

  it.each(["Accept", "accept", "ACCEPT"])("sets no Accept header beside a static header %s", (name) => {
    const headers = [[name, "application/cloudevents+json"]] as const;
    expect(buildRequest(body, to({ headers })).headers).toEqual([...FIXED, ...headers]);
  });

  it("has X-Signature exactly if there is a secret, over exactly the bytes that are sent (law 31)", () => {
    fc.assert(
      fc.property(checkedCalls(), fc.array(secrets(), { maxLength: 2 }), (call, some) => {
        const message = encodeMessage(mapCall(stamped(call)));
        const request = buildRequest(message, to({ secrets: some }));
        const signatures = request.headers.filter(([name]) => name.toLowerCase() === "x-signature");
        expect(signatures).toEqual(
          some.slice(0, 1).map((secret) => ["X-Signature", signBody(secret.reveal(), message)]),
        );
      }),
    );
  });

  it("sends the fixed headers and the static ones unchanged, for any call (laws 37 and 38)", () => {
    fc.assert(
      fc.property(checkedCalls(), staticHeaders(), (call, headers) => {
        const request = buildRequest(encodeMessage(mapCall(stamped(call))), to({ headers }));
        const own = headers.some(([name]) => name.toLowerCase() === "accept") ? [] : [ANY_ANSWER];
        expect(request.headers).toEqual([...FIXED, ...own, ...headers]);
      }),
    );
  });
});

import { createSecret, verifySignature } from "@postrider/core";
import { expect, describe, it } from "vitest";
import { SECRET } from "../canary.js";
import { destination, workspace } from "../ingest/world.js";
import { createRig } from "./rig.js";

interface Shown {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

const ENDPOINTS = [
  { url: "https://one.example/hook?key=k1", headers: [["X-Token", createSecret("t1")] as const] },
  { url: "https://two.example/hook", headers: [] },
];

const twoEndpoints = () =>
  workspace({
    destinations: [destination({ endpoints: ENDPOINTS, secrets: [createSecret(SECRET)], standardWebhooks: true })],
  });

describe("GET /api/deliveries/ID/requests", () => {
  it("shows the request to each endpoint as it was sent, without the values that the settings keep secret", async () => {
    const rig = createRig({ workspace: twoEndpoints(), script: () => ({ kind: "answers", status: 200 }) });
    const id = await rig.track();
    const told = await rig.get(`/api/deliveries/${id}/requests`);
    expect(told.status).toBe(200);
    const { requests } = told.body as { readonly requests: readonly Shown[] };
    const sent = rig.requests().find(({ url }) => url.startsWith("https://one.example"))!;
    expect(requests.map(({ url }) => url)).toEqual(["https://one.example/hook?key=***", "https://two.example/hook"]);
    expect(requests[0]!.headers).toEqual(
      sent.headers.map(([name, value]) => ({ name, value: name === "X-Token" ? "***" : value })),
    );
    expect(requests[0]!.body).toBe(Buffer.from(sent.body).toString());
    expect(JSON.stringify(told.body)).not.toMatch(/k1|t1/);
  });

  it("signs by the secret that is in force now, at the time that is now", async () => {
    const rig = createRig({ workspace: twoEndpoints(), script: () => ({ kind: "answers", status: 503 }) });
    const id = await rig.track();
    const first = rig.requests()[0]!;
    await rig.clock.advance(5_000);
    rig.relay
      .configure(
        workspace({ destinations: [destination({ secrets: [createSecret("another")], standardWebhooks: true })] }),
      )
      ._unsafeUnwrap();
    const { body } = await rig.get(`/api/deliveries/${id}/requests`);
    const [shown] = (body as { readonly requests: readonly Shown[] }).requests;
    const of = (wanted: string) => shown!.headers.find(({ name }) => name === wanted)!.value;
    expect(verifySignature("another", shown!.body, of("X-Signature"))).toBe(true);
    const before = new Map(first.headers);
    expect(of("webhook-id")).toBe(before.get("webhook-id"));
    expect(Number(of("webhook-timestamp")) - Number(before.get("webhook-timestamp"))).toBe(5);
  });

  it("sends nothing", async () => {
    const rig = createRig();
    const id = await rig.track();
    await rig.get(`/api/deliveries/${id}/requests`);
    expect(rig.requests()).toHaveLength(1);
  });
});

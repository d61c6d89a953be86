import { describe, expect, it } from "vitest";
import { createSelfSignedCertificate } from "../../packages/testkit/src/contracts/http/certificates.js";
import { createReceiver, pause } from "./receiver.js";
import { createScene, destination, FAST, settled, track } from "./scene.js";
import { serve } from "./server-process.js";

describe("a receiver with a self-signed certificate", () => {
  it.each([
    ["as it is", {}],
    ["even where the environment turns verification off", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  ])("gets no request, and the delivery is dead for that reason when its window ends, %s", async (_, env) => {
    const receiver = await createReceiver(200, { tls: createSelfSignedCertificate({ hosts: ["127.0.0.1"] }) });
    const { config } = createScene([destination([receiver.url])], { ...FAST, retryWindowMs: 2_000 });
    const server = await serve(config, { env });
    await track(server.url);
    expect(await settled(server.url, "dead")).toMatchObject({ reason: "refused", detail: "self-signed" });
    await pause(800);
    expect(receiver.requests).toEqual([]);
  });
});

import { createWebHandler, type Handler, type IncomingRequest, jsonAnswer } from "@postrider/http";
import { describe, expect, it } from "vitest";

const URL_OF_TRACK = "https://calls.example.com/v1/track?a=1";

function recording(status = 200): { readonly handler: Handler; readonly requests: readonly IncomingRequest[] } {
  const requests: IncomingRequest[] = [];
  return {
    requests,
    handler: (request) => {
      requests.push(request);
      return Promise.resolve(status === 204 ? { status, headers: [], body: "" } : jsonAnswer(status, { ok: true }));
    },
  };
}

function streamOf(chunks: number, onCancel: () => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      sent += 1;
      if (sent > chunks) controller.close();
      else controller.enqueue(new Uint8Array(100_000));
    },
    cancel: onCancel,
  });
}

describe("createWebHandler", () => {
  it("hands the request over as plain data and answers as told", async () => {
    const { handler, requests } = recording();
    const init = { method: "post", body: "{}", headers: { "X-Any": "x", "Content-Type": "text/plain" } };
    const response = await createWebHandler(handler)(new Request(URL_OF_TRACK, init));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ ok: true });
    expect(requests[0]).toMatchObject({ method: "POST", path: "/v1/track", query: "a=1" });
    expect(requests[0]?.headers.get("x-any")).toBe("x");
    expect(requests[0]?.body).toEqual({ kind: "read", bytes: Buffer.from("{}") });
  });

  it("cuts its base path, which the handler is told, and hands over no path elsewhere", async () => {
    const { handler, requests } = recording();
    const web = createWebHandler(handler, { basePath: "/segment" });
    for (const path of ["/segment/v1/track", "/segmentation/v1/track"])
      await web(new Request(`https://calls.example.com${path}`));
    await createWebHandler(handler)(new Request(URL_OF_TRACK));
    expect(requests.map(({ path, mountPath }) => [path, mountPath])).toEqual([
      ["/v1/track", "/segment"],
      ["", "/segment"],
      ["/v1/track", undefined],
    ]);
  });

  it("answers 204 without a body", async () => {
    const response = await createWebHandler(recording(204).handler)(new Request(URL_OF_TRACK, { method: "OPTIONS" }));
    expect(response.status).toBe(204);
    expect(response.body).toBeNull();
  });

  it("reads a body up to the bound and cancels a longer one", async () => {
    const { handler, requests } = recording();
    let cancelled = false;
    const web = createWebHandler(handler, { limitBytes: 500_000 });
    for (const chunks of [5, 9]) {
      const body = streamOf(chunks, () => (cancelled = true));
      await web(new Request(URL_OF_TRACK, { method: "POST", body, duplex: "half" } as RequestInit));
      expect(cancelled).toBe(chunks === 9);
    }
    expect(requests.map(({ body }) => (body.kind === "read" ? body.bytes.length : body.kind))).toEqual([
      500_000,
      "too-large",
    ]);
  });

  it("does not call the handler for a body that breaks off", async () => {
    const { handler, requests } = recording();
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("gone")) });
    const response = await createWebHandler(handler)(
      new Request(URL_OF_TRACK, { method: "POST", body, duplex: "half" } as RequestInit),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "bad-json" } });
    expect(requests).toHaveLength(0);
  });

  it("accepts no option that it would ignore", async () => {
    const { handler } = recording();
    // @ts-expect-error -- the runtime has the sockets, and bounds what they hold
    const respond = createWebHandler(handler, { heldBytes: 1 });
    expect((await respond(new Request(URL_OF_TRACK, { method: "POST", body: "{}" }))).status).toBe(200);
  });

  it("answers 500 for a handler that breaks", async () => {
    const response = await createWebHandler(() => Promise.reject(new Error("secret")))(new Request(URL_OF_TRACK));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });
});

import { createMetrics } from "@postrider/http/api";
import { createSecret } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { BEARER } from "./rig.js";

const RENDERED = { contentType: "text/plain; version=0.0.4", body: "postrider_deaths_total 1\n" };
const EXPOSITION = { render: () => RENDERED };

describe("GET /metrics", () => {
  it("answers what is rendered, as its type, to those who show the token", async () => {
    const metrics = createMetrics({ ...EXPOSITION, token: createSecret(TOKEN) });
    const answer = await metrics(request("GET", "/metrics", { headers: BEARER }));
    expect([answer.status, textOf(answer)]).toEqual([200, "postrider_deaths_total 1\n"]);
    expect(answer.headers).toEqual([
      ["Content-Type", "text/plain; version=0.0.4"],
      ["Cache-Control", "no-store"],
      ["Vary", "Accept"],
    ]);
  });

  it("tells what renders which formats are accepted, and answers the one that it gets, bytes too", async () => {
    const body = new TextEncoder().encode("# EOF\n");
    const asked: (string | undefined)[] = [];
    const render = (accept: string | undefined) => {
      asked.push(accept);
      return { contentType: "application/openmetrics-text", body };
    };
    const metrics = createMetrics({ render, token: createSecret(TOKEN) });
    const ask = async (accept: object) => metrics(request("GET", "/metrics", { headers: { ...BEARER, ...accept } }));
    const answer = await ask({ accept: "application/openmetrics-text;version=1.0.0" });
    await ask({});
    expect(asked).toEqual(["application/openmetrics-text;version=1.0.0", undefined]);
    expect(answer.headers[0]).toEqual(["Content-Type", "application/openmetrics-text"]);
    expect(answer.body).toBe(body);
  });

  it("renders nothing for others, and says how to be let in", async () => {
    let rendered = 0;
    let wrong = 0;
    const render = () => {
      rendered += 1;
      return RENDERED;
    };
    const metrics = createMetrics({
      render,
      token: createSecret(TOKEN),
      onWrongToken: () => (wrong += 1),
    });
    for (const headers of [{}, { authorization: "Bearer another" }]) {
      const answer = await metrics(request("GET", "/metrics", { headers }));
      expect([answer.status, JSON.parse(textOf(answer))]).toMatchObject([
        401,
        { code: "unauthorized", message: "expected Authorization: Bearer and the token of the metrics" },
      ]);
    }
    expect([rendered, wrong]).toEqual([0, 2]);
  });

  it("is off without a token, which may come and go", async () => {
    let isOn = false;
    const token = () => (isOn ? createSecret(TOKEN) : undefined);
    const metrics = createMetrics({ ...EXPOSITION, token });
    const ask = async () => (await metrics(request("GET", "/metrics", { headers: BEARER }))).status;
    expect(await ask()).toBe(403);
    isOn = true;
    expect(await ask()).toBe(200);
  });

  it("slows down an address that guesses", async () => {
    const metrics = createMetrics({ ...EXPOSITION, token: createSecret(TOKEN), clock: createManualClock() });
    const statuses = new Set<number>();
    for (let guess = 0; guess < 200; guess += 1) {
      const headers = { authorization: `Bearer guess-${String(guess)}` };
      const incoming = { ...request("GET", "/metrics", { headers }), remoteAddress: "203.0.113.7" };
      statuses.add((await metrics(incoming)).status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it("has no other path and no other method, and tells a listener who is known", async () => {
    const metrics = createMetrics({ ...EXPOSITION, token: createSecret(TOKEN) });
    expect((await metrics(request("GET", "/metrics/more", { headers: BEARER }))).status).toBe(404);
    expect((await metrics(request("POST", "/metrics", { headers: BEARER }))).status).toBe(405);
    const known = [BEARER, {}].map((headers) => metrics.knows?.(request("GET", "/metrics", { headers })));
    expect(known).toEqual([true, false]);
  });
});

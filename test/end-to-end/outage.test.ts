import { signBody } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { SECRET } from "../canary.js";
import { createReceiver, pause } from "./receiver.js";
import { createScene, destination, settled, track } from "./scene.js";
import { serve } from "./server-process.js";

describe("an outage of all receivers", () => {
  it("ends with the message delivered, the same bytes each time, and every attempt with its time in the API", async () => {
    const busy = await createReceiver(503);
    const gone = await createReceiver(200);
    await gone.down();
    const server = await serve(createScene([destination([busy.url, gone.url], { sharedSecret: SECRET })]).config);
    await track(server.url, { properties: { plan: "pro", text: "naïve \u2028 \ud83d\ude00" } });
    await busy.count(4);
    await gone.up();
    await gone.count(1);
    const { attempts } = await settled(server.url, "delivered");
    await pause(800);

    const requests = [...busy.requests, ...gone.requests];
    expect(new Set(requests.map(({ body }) => body.toString("hex"))).size).toBe(1);
    for (const { body, headers } of requests) expect(headers["x-signature"]).toBe(signBody(SECRET, body));
    expect(gone.requests).toHaveLength(1);

    const results = (endpoint: string) =>
      attempts.filter((attempt) => attempt.endpoint.startsWith(endpoint)).map(({ status, fault }) => status ?? fault);
    expect(results(busy.url)).toEqual(busy.requests.map(() => 503));
    expect(results(gone.url).slice(0, -1)).toEqual(
      results(gone.url)
        .slice(0, -1)
        .map(() => "connection-refused"),
    );
    expect(results(gone.url).at(-1)).toBe(200);
    expectTimesOf(
      attempts.filter(({ endpoint }) => endpoint.startsWith(busy.url)),
      busy.requests,
    );
  });
});

/** Each attempt started before its request was read, and after the request before that one. */
function expectTimesOf(attempts: readonly { startedAt: string }[], requests: readonly { at: number }[]): void {
  const leads = attempts.map(({ startedAt }, index) => requests[index]!.at - Date.parse(startedAt));
  expect(Math.min(...leads)).toBeGreaterThanOrEqual(-1);
  const rests = attempts.slice(1).map(({ startedAt }, index) => Date.parse(startedAt) - requests[index]!.at);
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(-1);
}

import { signBody } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { run, start } from "../../test-host.js";

const BODY = '{"version":1,"type":"page"}';

function post(url: string, secret: string): Promise<Response> {
  const headers = { "x-signature": signBody(secret, new TextEncoder().encode(BODY)) };
  return fetch(url, { method: "POST", body: BODY, headers });
}

describe("postrider listen", () => {
  it("verifies signatures, prints a line per message and answers with the given status", async () => {
    const { host, url, ended } = await start(["listen", "--secret", "s3cret", "--status", "503"]);
    expect((await post(url, "s3cret")).status).toBe(503);
    expect((await post(url, "wrong")).status).toBe(503);
    host.signal("SIGINT");
    expect(await ended).toBe(0);
    expect(host.lines.out.slice(1)).toEqual([
      expect.stringMatching(/ {2}page {2}signature ok {2}\{/),
      expect.stringMatching(/ {2}page {2}signature wrong {2}\{/),
    ]);
  });

  it("has status 1 when the port is taken", async () => {
    const { host, url, ended } = await start(["listen"]);
    const { code, err } = await run(["listen", "--port", new URL(url).port]);
    expect(code).toBe(1);
    expect(err).toEqual([`postrider: cannot listen on ${url}: another program has the port`]);
    host.signal("SIGTERM");
    await ended;
  });

  it("refuses a secret that is empty, as that of a variable which is not set", async () => {
    expect(await run(["listen", "--secret", ""])).toEqual({
      code: 2,
      out: [],
      err: [
        "error: option '--secret <text>' argument '' is invalid. Expected a text that is not empty; " +
          "if it comes from a variable, the variable is not set.",
      ],
    });
  });
});

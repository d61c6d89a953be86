import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerInWords } from "../../../../packages/postrider/src/cli/requests/ask-api.js";
import { close, listen } from "../../../loopback.js";
import { configJson } from "../../config-file.js";
import { serverOf } from "../../server.js";
import { run } from "../../test-host.js";

const said = (status: number, text: string): string => answerInWords({ kind: "answered", status, text });
const refusal = (code: string): string => JSON.stringify({ success: false, code, message: "for programs" });

describe("the words for an answer", () => {
  it("are the code and the message of a refusal, and for a wrong token what to correct", () => {
    expect(said(404, refusal("not-found"))).toBe("the server answered 404 not-found: for programs");
    expect(said(401, refusal("unauthorized"))).toBe(
      "the server answered 401 unauthorized: the token is not the apiToken of its config; " +
        "correct --token-file, --token or POSTRIDER_TOKEN",
    );
    const docs = JSON.stringify({ code: "not-found", message: "gone", error: { docs: "https://example.com/#a" } });
    expect(said(404, docs)).toBe("the server answered 404 not-found: gone (see https://example.com/#a)");
    expect(answerInWords({ kind: "unreachable", reason: "no answer" })).toBe("no answer");
  });

  it.each([
    [200, "another program than Postrider answered; correct --url or POSTRIDER_URL (200)"],
    [404, "another program than Postrider answered; correct --url or POSTRIDER_URL (404)"],
    [405, "another program than Postrider answered; correct --url or POSTRIDER_URL (405)"],
    [301, "the answer is a redirect, which is not followed; give the URL that it leads to (301)"],
    [502, "a proxy answered that it does not reach the server; start the server behind it (502)"],
    [504, "a proxy answered that it does not reach the server; start the server behind it (504)"],
  ])("are, for a page with status %i, what answered and what to do, without the page", (status, words) => {
    expect(said(status, "<!doctype html><title>hello</title>")).toBe(words);
    expect(said(status, '{"detail":"Not Found"}')).toBe(words);
  });
});

/** The commands that ask a server, each with what it needs. */
const COMMANDS: readonly (readonly string[])[] = [
  ["doctor"],
  ["deliveries"],
  ["show", "1"],
  ["replay", "1"],
  ["reload"],
  ["audience", "list"],
  ["audience", "create", "Big", "--destination", "crm"],
  ["audience", "sync", "big", "-"],
  ["delete-user", "u1"],
  ["suppress", "u1"],
  ["unsuppress", "u1"],
  ["send", "track", "--user", "u1", "--event", "e"],
];

const env = (url: string) => ({ POSTRIDER_URL: url, POSTRIDER_TOKEN: "t", POSTRIDER_WRITE_KEY: "wk" });

describe("each command", () => {
  it.each(COMMANDS)("says so if another program answers, with its page or with JSON: %s %s", async (...words) => {
    for (const [status, page] of [
      [405, "<html>nginx</html>"],
      [200, "<html>nginx</html>"],
      [404, '{"detail":"Not Found"}'],
    ] as const) {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(status).end(page);
      });
      const url = `http://127.0.0.1:${String(await listen(server))}`;
      onTestFinished(() => close(server));
      const { code, out, err } = await run(words, env(url));
      expect({ code, said: [...out, ...err].join("\n") }).toEqual({
        code: 1,
        said: expect.stringContaining(
          `another program than Postrider answered; correct --url or POSTRIDER_URL (${status})`,
        ),
      });
      expect([...out, ...err].join("\n")).not.toMatch(/nginx|Not Found/);
    }
  });

  it.each(COMMANDS)("says what to do if nothing listens: %s %s", async (...words) => {
    const { code, out, err } = await run(words, env("http://127.0.0.1:3"));
    expect(code).toBe(1);
    expect([...out, ...err].join("\n")).toMatch(/nothing listens there; start the server.*\(ECONNREFUSED\)/);
  });
});

describe("a token with letters beyond ASCII", () => {
  it("is shown to the server as UTF-8", async () => {
    const apiToken = "ключ-of-16-and-more";
    const { server } = await serverOf(configJson({ apiToken }));
    const access = ["--url", server.url, "--token", apiToken];
    expect(await run(["deliveries", ...access])).toMatchObject({ code: 0, err: ["no deliveries match"] });
    expect((await run(["doctor", ...access])).out.at(-1)).toMatch(/^bad {2}no call of all sources was ever seen/);
    const synced = await run(["audience", "sync", "none", "-", ...access]);
    expect(synced.err.at(-1)).toContain("404 not-found");
  });
});

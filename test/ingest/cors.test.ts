// What a page of another origin may send and read. A browser asks before a beacon of JSON, always with credentials, and takes no star then.

import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { request } from "../http/request.js";
import { basic, post } from "./requests.js";
import { createWorld } from "./world.js";

const SHOP = "https://shop.example";
const PATHS = ["/v1/track", "/v1/t", "/v1/batch", "/v1/b", "/v1/import", "/beacon/v1/batch"];
const COOKIE = "postrider-session=of-somebody";

interface Heard {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

async function ask(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Heard> {
  const answer = await createWorld().ingest(request(method, path, { headers, body: {} }));
  return { status: answer.status, header: (name) => answer.headers.find(([key]) => key.toLowerCase() === name)?.[1] };
}

/** Whether a browser would let a page send these headers with credentials, and read the answer (Fetch, "CORS check"). */
function isAllowed({ header }: Heard, origin: string, names: readonly string[] = []): boolean {
  const listed = (header("access-control-allow-headers") ?? "").toLowerCase().split(/\s*,\s*/);
  return (
    header("access-control-allow-origin") === origin &&
    header("access-control-allow-credentials") === "true" &&
    names.every((name) => listed.includes(name))
  );
}

describe("a page of another origin", () => {
  it.each(PATHS)("may send JSON with credentials to %s, with whatever headers it asks for", async (path) => {
    const asked = ["authorization", "content-type", "x-requested-with"];
    const preflight = await ask("OPTIONS", path, {
      origin: SHOP,
      "access-control-request-method": "POST",
      "access-control-request-headers": asked.join(","),
    });
    expect(preflight.status).toBe(204);
    expect(isAllowed(preflight, SHOP, asked)).toBe(true);
    expect(preflight.header("access-control-allow-methods")).toBe("POST");
    expect(preflight.header("vary")).toBe("Origin");
  });

  it.each([
    SHOP,
    "http://127.0.0.1:3000",
    "http://[::1]:8080",
    "null",
    "capacitor://localhost",
    "chrome-extension://abc",
  ])("reads the answer to its calls from %s, also that to a refused one", async (origin) => {
    expect(isAllowed(await ask("POST", "/v1/track", { ...basic(), origin }), origin)).toBe(true);
    expect(isAllowed(await ask("POST", "/v1/track", { origin }), origin)).toBe(true);
    expect(isAllowed(await ask("GET", `/v1/projects/${WRITE_KEY}/settings`, { origin }), origin)).toBe(true);
  });

  it.each(["https://a.example\r\nSet-Cookie: a=b", "<script>", "https://a.example/path", "", "https://ä.example"])(
    "is not named if its origin is none: %j",
    async (origin) => {
      const heard = await ask("POST", "/v1/track", { origin });
      expect(heard.header("access-control-allow-origin")).toBe("*");
      expect(heard.header("access-control-allow-credentials")).toBeUndefined();
    },
  );

  it("may ask for no header that is no name of one", async () => {
    const headers = { origin: SHOP, "access-control-request-headers": "a\r\nSet-Cookie: b" };
    expect((await ask("OPTIONS", "/v1/track", headers)).header("access-control-allow-headers")).toBe(
      "Authorization, Content-Type, Content-Encoding, *",
    );
  });
});

describe("a cookie", () => {
  it("is not read: without a key the request is refused, and with one it is answered as ever", async () => {
    const world = createWorld();
    const call = { userId: "u1", event: "e", messageId: "m1" };
    const answers = [];
    for (const headers of [{ cookie: COOKIE }, {}])
      answers.push(await world.ingest(request("POST", "/v1/track", { body: call, headers })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers[0]).toEqual(answers[1]);
    const known = await world.ingest(
      request("POST", "/v1/track", { body: call, headers: { ...basic(), cookie: COOKIE } }),
    );
    expect(known).toEqual(await world.ingest(post("/v1/track", call)));
    expect(known.headers.map(([name]) => name.toLowerCase())).not.toContain("set-cookie");
  });
});

describe("a beacon of text", () => {
  it.each(["text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "application/json", ""])(
    "with the key in its body is taken, as %j",
    async (type) => {
      const world = createWorld();
      const headers = { origin: SHOP, "content-type": type };
      const batch = [{ type: "page", userId: "u1" }];
      const answer = await world.ingest(
        request("POST", "/v1/b", { headers, body: { batch, writeKey: `${WRITE_KEY}\n` } }),
      );
      await world.clock.settle();
      expect(answer.status).toBe(200);
      expect(world.messages()).toHaveLength(1);
    },
  );
});

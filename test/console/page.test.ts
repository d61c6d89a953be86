import { describe, expect, it } from "vitest";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "../http/request.js";
import { createConsoleRig } from "./rig.js";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

describe("the page", () => {
  it.each(["/", "/deliveries", "/deliveries/abc", "/anything/at/all"])(
    "is the same at %s, for everyone",
    async (path) => {
      const rig = createConsoleRig();
      const told = await rig.ask("GET", path);
      expect(told.status).toBe(200);
      expect(told.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(told.headers.get("cache-control")).toBe("no-cache");
      expect(told.headers.get("content-security-policy")).toBe(POLICY);
      expect(told.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(told.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(told.headers.get("referrer-policy")).toBe("no-referrer");
      expect(told.headers.get("x-content-type-options")).toBe("nosniff");
      expect(told.text).toBe((await rig.ask("GET", "/")).text);
      expect(told.text).not.toMatch(/<script(?![^>]+src=)|<style|style=|onload=|https?:/);
    },
  );

  it("changes nothing: any other method is refused", async () => {
    const told = await createConsoleRig().ask("POST", "/deliveries", { body: {} });
    expect(told.status).toBe(405);
    expect(told.headers.get("allow")).toBe("GET");
  });

  it("may be asked for its head alone", async () => {
    expect((await createConsoleRig().ask("HEAD", "/deliveries")).status).toBe(200);
  });

  it.each([
    ["", undefined, "/"],
    ["/console", undefined, "/console/"],
    ["", "/admin", "/admin/"],
    ["/console", "/a&b<c>\"'", "/a&amp;b&lt;c>&quot;'/console/"],
  ])("with base path %j below a mount at %j knows its place", async (basePath, mountPath, root) => {
    const rig = createConsoleRig({ console: { basePath } });
    const from = mountPath === undefined ? {} : { mountPath };
    const told = await rig.ask("GET", `${basePath}/`, { from });
    expect(told.text).toContain(`<base href="${root}">`);
    expect((await rig.ask("GET", basePath, { from })).text).toBe(told.text);
    expect((await rig.ask("GET", "/elsewhere")).status).toBe(basePath === "" ? 200 : 404);
  });

  it("loads files that stay for ever under their names, in the form that the browser takes", async () => {
    const rig = createConsoleRig();
    const { text } = await rig.ask("GET", "/");
    const names = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, name]) => `/${String(name)}`);
    expect(names).toHaveLength(3);
    for (const name of names) {
      const [plain, gzip, brotli] = await Promise.all(
        ["identity", "gzip, deflate", "gzip, deflate, br"].map((accepted) => load(rig, name, accepted)),
      );
      expect(plain!.status).toBe(200);
      expect(gunzipSync(gzip!.bytes)).toEqual(plain!.bytes);
      expect(brotliDecompressSync(brotli!.bytes)).toEqual(plain!.bytes);
      expect(brotli!.bytes.length).toBeLessThan(plain!.bytes.length);
      expect(plain!.headers.get("content-type")).toBe(TYPES[name.slice(name.lastIndexOf("."))]);
      expect(plain!.headers.get("vary")).toBe("Accept-Encoding");
      expect(brotli!.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect([plain, gzip, brotli].map((one) => one!.headers.get("content-encoding"))).toEqual([
        undefined,
        "gzip",
        "br",
      ]);
    }
  });

  it.each([
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, gzip;q=0.5", "gzip"],
    ["BR;q=0.1, gzip;q=0", "br"],
    ["br;q=0, gzip;q=0.00", undefined],
    ["xbr, gzipped", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("answers a browser that sends Accept-Encoding: %s with %s", async (accepted, encoding) => {
    const rig = createConsoleRig();
    const { text } = await rig.ask("GET", "/");
    const [, name = ""] = /src="(assets\/[^"]+)"/.exec(text) ?? [];
    expect((await load(rig, `/${name}`, accepted)).headers.get("content-encoding")).toBe(encoding);
  });

  it.each(["/assets/none.js", "/assets/", "/assets/__proto__", "/assets/constructor"])(
    "has no file %s",
    async (path) => {
      expect((await createConsoleRig().ask("GET", path)).status).toBe(404);
    },
  );
});

async function load(rig: ReturnType<typeof createConsoleRig>, path: string, accepted: string | undefined) {
  const sent = accepted === undefined ? {} : { "accept-encoding": accepted };
  const { status, headers, body } = await rig.console(request("GET", path, { headers: sent }));
  if (!(body instanceof Uint8Array)) throw new Error("no bytes");
  return {
    status,
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    bytes: Buffer.from(body),
  };
}

// The code that a browser loads: the client and all that it imports, bundled and minified.

import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { read } from "../house/packages.js";
import { LIBRARY } from "../../packages/client/src/library.js";

const ENTRY = fileURLToPath(new URL("../../packages/client/dist/index.js", import.meta.url));

/** The size of our code, and of the same with neverthrow, whose code for older runtimes cannot be left out. Bytes, gzipped. */
const MAX_OWN_BYTES = 8_832;
const MAX_WHOLE_BYTES = 10_368;

async function bundle(
  external: readonly string[],
): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const built = await rolldown({ input: ENTRY, platform: "browser", external: [...external] });
  const { output } = await built.generate({ format: "esm", minify: true, comments: false });
  await built.close();
  return { code: output[0].code, imports: output[0].imports };
}

describe("the bundle of the client", () => {
  it("is small, and imports nothing of Node", async () => {
    const whole = await bundle([]);
    expect(whole.imports).toEqual([]);
    expect(whole.code).not.toMatch(/["'`]node:|require\(/);
    expect(gzipSync(whole.code, { level: 9 }).length).toBeLessThan(MAX_WHOLE_BYTES);
    const own = await bundle(["neverthrow"]);
    expect(gzipSync(own.code, { level: 9 }).length).toBeLessThan(MAX_OWN_BYTES);
  });

  it("contains its own version", () => {
    const { name, version } = JSON.parse(read("packages/client/package.json")) as { name: string; version: string };
    expect(LIBRARY).toEqual({ name, version });
  });
});

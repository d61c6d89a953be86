// Each ban that eslint.config.js defines itself reports the code that it should, and no other code.

import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const eslint = new ESLint({ cwd: fileURLToPath(new URL("../..", import.meta.url)) });

const IMPORTS = "no-restricted-imports";
const FLOATS = "@typescript-eslint/no-floating-promises";
const SYNTAX = "no-restricted-syntax";
const SIGN_BODY = "packages/core/src/request/sign-body.ts";
const PAGE = "packages/console/page/texts.ts";

const BANNED: readonly (readonly [what: string, file: string, code: string, rule: string])[] = [
  ["a default export", home("relay"), "export default 1;", SYNTAX],
  ["an export under the name default", home("relay"), "const one = 1;\nexport { one as default };", SYNTAX],
  ["export *", home("relay"), 'export * from "./relay.js";', SYNTAX],
  ["export * as a name", home("relay"), 'export * as all from "./relay.js";', SYNTAX],
  ["a folder of fp-ts", home("relay/settings"), 'import { pipe } from "fp-ts/function";\npipe(1);', IMPORTS],
  [
    "a folder of io-ts",
    home("relay/settings"),
    'import type { x } from "io-ts/PathReporter";\nexport type y = x;',
    IMPORTS,
  ],
  ["lib of fp-ts without .js", home("relay/settings"), 'export { pipe } from "fp-ts/lib/function";', IMPORTS],
  ["a folder of fp-ts, imported late", home("relay/settings"), 'export const late = import("fp-ts/Either");', SYNTAX],
  ["a folder of fp-ts, in a test", "test/house/lint-bans.test.ts", 'export { pipe } from "fp-ts/function";', IMPORTS],
  ["a class", home("memory"), "export class Store {}", SYNTAX],
  ["a class without a name", home("memory"), "export const Store = class {};", SYNTAX],
  ["a default in a switch", home("memory"), "switch (1 as number) {\n  default:\n}", SYNTAX],
  ["an enum", home("memory"), "export enum Kind {\n  One,\n}", SYNTAX],
  ["getX", home("memory"), "export function getLane(): void {}", SYNTAX],
  ["XImpl", home("memory"), "export interface StoreImpl {\n  readonly x: 1;\n}", SYNTAX],
  ["console", home("relay"), "console.log(1);", "no-console"],
  ["a comment that puts work off", home("relay"), "// TODO: later", "no-warning-comments"],
  ["Date.now", home("relay"), "export const now = Date.now();", "no-restricted-properties"],
  ["Date.now taken apart", home("relay"), "export const { now } = Date;", "no-restricted-properties"],
  ["the present as a new Date", home("relay"), "export const now = new Date();", SYNTAX],
  ["the present as a text", home("relay"), "export const now = Date();", SYNTAX],
  ["performance", home("undici"), "export const now = performance.now();", "no-restricted-globals"],
  ["setTimeout", home("undici"), "setTimeout(() => 1, 1);", "no-restricted-globals"],
  ["setInterval of the global object", home("undici"), "globalThis.setInterval(() => 1, 1);", "no-restricted-globals"],
  ["a timer behind an abort signal", home("fetch"), "AbortSignal.timeout(1);", "no-restricted-properties"],
  ["timers as a module", home("undici"), 'export { setTimeout } from "node:timers/promises";', IMPORTS],
  ["perf_hooks", home("undici"), 'export { performance } from "perf_hooks";', IMPORTS],
  ["Math.random", home("relay"), "export const one = Math.random();", "no-restricted-properties"],
  ["crypto.randomUUID", home("undici"), "export const id = crypto.randomUUID();", SYNTAX],
  ["crypto.getRandomValues", home("undici"), "globalThis.crypto.getRandomValues(new Uint8Array(1));", SYNTAX],
  ["randomBytes of node:crypto", home("http/ingest"), 'export { randomBytes } from "node:crypto";', IMPORTS],
  ["throw in core", home("core"), 'throw new Error("no");', SYNTAX],
  ["a class in core", home("core"), "export class Call {}", SYNTAX],
  ["async in core", home("core"), "export async function later(): Promise<void> {}", SYNTAX],
  ["a late import in core", home("core"), 'export const late = import("./ids.js");', SYNTAX],
  ["a node import in core", home("core"), 'export { readFileSync } from "node:fs";', IMPORTS],
  ["node:crypto in core, but for signing", home("core"), 'export { createHmac } from "node:crypto";', IMPORTS],
  ["another node import where core signs", SIGN_BODY, 'export { readFileSync } from "node:fs";', IMPORTS],
  ["a package in core", home("core"), 'export { ok } from "neverthrow";', IMPORTS],
  ["Date.now in core", home("core"), "export const now = Date.now();", "no-restricted-properties"],
  ["a class in system", home("system"), "export class SystemClock {}", SYNTAX],
  ["code of a package in the page", PAGE, 'import { createApi } from "@postrider/http/api";\ncreateApi;', SYNTAX],
  [
    "types of another package in the page",
    PAGE,
    'import type { Call } from "@postrider/core";\nlet call: Call;',
    SYNTAX,
  ],
  ["an unused Result", home("relay"), 'import { ok } from "neverthrow";\nok(1);', "house/no-unused-result"],
  ["an awaited, unused Result", home("relay"), unused("await ask();"), "house/no-unused-result"],
  ["an unused ResultAsync", home("relay"), unused("ask();"), "house/no-unused-result"],
  ["a mapped, unused ResultAsync", home("relay"), unused("ask().map(() => 2);"), "house/no-unused-result"],
  [
    "a thenable that floats",
    home("relay"),
    "export function f(x: PromiseLike<1>): void {\n  x.then(() => 2);\n}",
    FLOATS,
  ],
  ["a promise that floats", home("relay"), "Promise.resolve(1);", FLOATS],
];

const ALLOWED: readonly (readonly [what: string, file: string, code: string])[] = [
  [
    "the roots of fp-ts and io-ts",
    home("relay/settings"),
    'export { pipe } from "fp-ts/lib/function.js";\nexport { type } from "io-ts";',
  ],
  ["the clock in system", home("system"), "export const now: number = Date.now() + performance.now();"],
  ["timers in system", home("system"), "setTimeout(() => 1, 1);"],
  ["randomness in system", home("system"), "crypto.getRandomValues(new Uint8Array(1));"],
  [
    "types of the API in the page",
    PAGE,
    'import type { LaneJson } from "@postrider/http/api";\nexport const mode: LaneJson["mode"] = "open";',
  ],
  ["an instant as a Date", home("relay"), "export const text: string = new Date(0).toISOString();"],
  ["node:crypto where core signs", SIGN_BODY, 'export { createHmac } from "node:crypto";'],
  ["a hash of node:crypto", home("http/ingest"), 'export { createHash } from "node:crypto";'],
  ["a Result that is matched", home("relay"), unused("await ask().match((one) => one, () => 0);")],
  ["a Result that is handed on", home("relay"), unused("export const asked = ask();")],
];

describe("the linter", () => {
  it.each(BANNED)("refuses %s", async (_what, file, code, rule) => {
    expect(await broken(file, code)).toContain(rule);
  });

  it.each(ALLOWED)("allows %s", async (_what, file, code) => {
    expect(await broken(file, code)).toEqual([]);
  });

  it("refuses a function with too many parameters", async () => {
    const code = "export function add(a: 1, b: 1, c: 1, d: 1, e: 1): number {\n  return a + b + c + d + e;\n}";
    expect(await broken(home("relay"), code)).toEqual(["max-params"]);
  });

  it("refuses a file of 251 lines", async () => {
    expect(await broken(home("relay"), "// line\n".repeat(250).trimEnd())).toEqual([]);
    expect(await broken(home("relay"), "// line\n".repeat(251).trimEnd())).toEqual(["max-lines"]);
  });

  it("refuses a third level of nesting", async () => {
    const code = "export function deep(x: boolean): void {\n  if (x) for (;;) while (x) x.valueOf();\n}";
    expect(await broken(home("relay"), code)).toContain("max-depth");
  });
});

/** The rules that `code` breaks as the content of `file`, which must exist, so that it has types. */
async function broken(file: string, code: string): Promise<readonly (string | null)[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: file });
  return result!.messages.map((message) => message.ruleId);
}

/** The index of a package, or of a folder in it: `relay/settings`. */
function home(name: string): string {
  return `packages/${name.replace(/(\/|$)/, "/src$1")}/index.ts`;
}

function unused(statement: string): string {
  return `import { okAsync } from "neverthrow";\nconst ask = () => okAsync(1);\n${statement}`;
}

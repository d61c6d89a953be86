// Runs around every test and fails the one in which a secret of `canary.ts` was seen. What passes through the platform is
// looked at here: output, errors, the answers of HTTP servers, files. The rest is shown by the benches that see it. What
// is found goes on without its secret.

import { mkdtempSync, rmSync } from "node:fs";
import { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect } from "vitest";
import { look, lookAtFiles, takeSeen } from "./canary.js";

const WATCHED = Symbol.for("postrider.canary-watch");

// A worker may run several files, each of which runs this; the platform is watched once.
if (!Reflect.has(globalThis, WATCHED)) watchPlatform();

// Temporary folders of this process, and of those that it starts, are made in here.
const outside = tmpdir();
const folder = mkdtempSync(join(outside, "file-"));
process.env["TMPDIR"] = folder;

// A write may leave the size and the time of a file as they were, so all files are looked at once more in the end.
const seenBefore = new Map<string, string>();
afterEach(() => {
  failIfSeen(seenBefore);
});
afterAll(() => {
  failIfSeen(new Map());
  process.env["TMPDIR"] = outside;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function failIfSeen(before: Map<string, string>): void {
  lookAtFiles(folder, before);
  expect(takeSeen()).toEqual([]);
}

function watchPlatform(): void {
  Reflect.set(globalThis, WATCHED, true);
  for (const name of ["log", "info", "warn", "error", "debug"]) watch(console, name, `console.${name}`);
  watch(process.stdout, "write", "standard output");
  watch(process.stderr, "write", "standard error");
  for (const name of ["Error", "TypeError", "RangeError", "SyntaxError"]) watch(globalThis, name, "an error");
  for (const name of ["setHeader", "writeHead", "write", "end"]) watch(ServerResponse.prototype, name, "an answer");
}

/** Looks at all that a function or a constructor of the platform is called with. */
function watch(owner: object, name: string, where: string): void {
  const clear = (given: unknown): unknown => (look(where, given) ? "[a secret]" : given);
  const watched = new Proxy(Reflect.get(owner, name) as (...given: unknown[]) => unknown, {
    apply: (method, self, given) => Reflect.apply(method, self, given.map(clear)),
    construct: (made, given, asked) => Reflect.construct(made, given.map(clear), asked) as object,
  });
  Reflect.set(owner, name, watched);
}

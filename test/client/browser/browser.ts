// A real headless Chromium that can reach only this machine. If none is installed, its tests are skipped with a message.

import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";
import { findProgram } from "./find-program.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const ARGS = ["--no-sandbox", "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

/** Groups tests that need a browser, which is open while they run. Playwright's own arguments apply, except those that are left out. */
export function describeInBrowser(
  name: string,
  tests: (browser: () => Browser) => void,
  without: readonly string[] = [],
): void {
  const executablePath = findProgram(NAMES, process.env["PATH"] ?? "");
  if (executablePath === undefined) {
    leaveOut(name);
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      const ignoreDefaultArgs = [...without];
      browser = await chromium.launch({
        executablePath,
        args: ARGS,
        ignoreDefaultArgs,
        timeout: CONDITION_WATCHDOG_MS,
      });
    });
    afterAll(() => browser?.close());
    tests(() => {
      if (browser === undefined) throw new Error("there is no browser before the tests run");
      return browser;
    });
  });
}

function leaveOut(name: string): void {
  const why = `LEFT OUT: no ${NAMES.join(", ")} on PATH`;
  console.warn(`${why}: ${name}`);
  describe(name, () => it.skip(why, () => undefined));
}

// A page on the loopback that has loaded one of the programs, and all requests of the browser for it.

import { createServer } from "node:http";
import type { Browser, Page, Request } from "playwright-core";
import { onTestFinished } from "vitest";
import { close, listen } from "../../loopback.js";
import { bundleProgram, type BundledProgram } from "./bundle-program.js";

/** A request of the page; preflights are left out. */
export interface Asked {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly encoding: string | undefined;
}

export interface OpenPage {
  /** Its origin. */
  readonly site: string;
  readonly asked: readonly Asked[];
  /** The errors that it has thrown or written to its console. */
  readonly errors: readonly string[];
  /** Runs what the program exports under this name. */
  run<T>(name: string, argument: unknown): Promise<T>;
  /** Opens another page of the site, which has no program. */
  leave(): Promise<void>;
  /** Comes back from it. */
  back(): Promise<void>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a page with separate storage; it is closed after the test. */
export async function openPage(browser: Browser, program: string): Promise<OpenPage> {
  const site = await startSite(await bundleProgram(program));
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const asked: Asked[] = [];
  context.on("request", (request) => asked.push(readRequest(request)));
  const page = await context.newPage();
  const errors = listenForErrors(page);
  await page.goto(site);
  await page.waitForFunction(() => "program" in globalThis);
  return {
    site,
    asked,
    errors,
    run: (name, argument) => page.evaluate(`program.${name}(${JSON.stringify(argument)})`),
    leave: async () => {
      await page.goto(`${site}/next`);
    },
    back: async () => {
      await page.goBack();
      await page.waitForFunction(() => "program" in globalThis);
    },
    reload: async () => {
      await page.reload();
    },
    close: () => page.close(),
  };
}

async function startSite(program: BundledProgram): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const code = program.get(path.slice(1));
    const type = code === undefined ? "text/html" : "text/javascript";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(code ?? (path === "/" ? HOME : NEXT));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${port}`;
}

const HOME = `<!doctype html><title>Home</title>
  <script type="module">import * as program from "/main.js"; globalThis.program = program;</script>`;
const NEXT = "<!doctype html><title>Next</title>";

function readRequest(request: Request): Asked {
  const { origin, pathname } = new URL(request.url());
  const { "content-type": contentType, "content-encoding": encoding } = request.headers();
  return { method: request.method(), origin, path: pathname, contentType, encoding };
}

function listenForErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

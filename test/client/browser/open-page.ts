// A page on the loopback that has loaded one of the programs, and all requests of the browser for it.

import { createServer } from "node:http";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { expect, onTestFinished } from "vitest";
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
  reload(): Promise<void>;
  /** Goes to another page of the site that has the program, too. */
  visit(): Promise<void>;
  /** Goes back in its history; resolves with true if the page comes back as it was left, without being loaded again. */
  back(): Promise<boolean>;
  /** Ends the process of the page. */
  crash(): Promise<void>;
  close(): Promise<void>;
  /** Opens the page once more, in another tab that shares the storage. */
  openTab(): Promise<OpenPage>;
  /** The window with its tabs. */
  readonly context: BrowserContext;
}

/** Opens a page with separate storage; it is closed after the test. */
export async function openPage(browser: Browser, program: string): Promise<OpenPage> {
  const site = await startSite(await bundleProgram(program));
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const asked: Asked[] = [];
  context.on("request", (request) => asked.push(readRequest(request)));
  return openTab(context, site, asked);
}

async function openTab(context: BrowserContext, site: string, asked: readonly Asked[]): Promise<OpenPage> {
  const page = await context.newPage();
  const errors = listenForErrors(page);
  const isReady = () => page.waitForFunction(() => "program" in globalThis);
  /** Differs for each document that is loaded. */
  const begunAt = () => page.evaluate(() => performance.timeOrigin);
  await page.goto(site);
  await isReady();
  const opened = await begunAt();
  return {
    site,
    asked,
    errors,
    context,
    run: (name, argument) => page.evaluate(`program.${name}(${JSON.stringify(argument)})`),
    leave: async () => {
      await page.goto(`${site}/next`);
    },
    reload: async () => {
      await page.reload();
      await isReady();
    },
    visit: async () => {
      await page.goto(`${site}/?visit`);
      await isReady();
    },
    back: async () => {
      const left = await begunAt();
      await page.evaluate(() => history.back());
      await expect.poll(() => begunAt().catch(() => left)).not.toBe(left);
      await isReady();
      return (await begunAt()) === opened;
    },
    crash: async () => {
      const crashed = page.waitForEvent("crash");
      void page.goto("chrome://crash").catch(() => undefined);
      await crashed;
    },
    close: () => page.close(),
    openTab: () => openTab(context, site, asked),
  };
}

async function startSite(program: BundledProgram): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const code = program.get(path.slice(1));
    const type = code === undefined ? "text/html" : "text/javascript";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(code ?? (/^\/(\?|$)/.test(path) ? HOME : NEXT));
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

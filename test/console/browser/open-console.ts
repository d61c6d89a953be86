// The console of a real server in a real browser. Whatever its pages load, write or are refused by their policy is noted, and every
// answer is searched for secrets.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { RunningServer } from "../../../packages/postrider/src/server/running-server.js";
import { look, TOKEN, VIEWER_TOKEN } from "../../canary.js";
import { configJson, type ConfigJson } from "../../postrider/config-file.js";
import { type Logged, serverOf } from "../../postrider/server.js";
import { CONDITION_WATCHDOG_MS } from "../../watchdogs.js";

/** A page may be slow on a busy machine; nothing here is about speed. */

export interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
}

export interface Console {
  readonly server: RunningServer;
  readonly log: readonly Logged[];
  readonly context: BrowserContext;
  /** The URLs that the browser asked for. */
  readonly asked: readonly string[];
  /** Errors, messages of the browser, and what the policy of the page has refused. */
  readonly complaints: readonly string[];
  /** Opens a page at a path below the console, without a login. */
  open(path?: string): Promise<Page>;
  /** Opens a page, logged in by a one-time address. */
  enter(path?: string): Promise<Page>;
}

/** Starts a server with this config, and a browser without cookies; both end with the test. */
export async function openConsole(browser: Browser, json: ConfigJson = {}, view: Look = {}): Promise<Console> {
  const { server, log } = await serverOf(configJson({ apiToken: TOKEN, viewerToken: VIEWER_TOKEN, ...json }));
  const { colorScheme = "light", width = 1_280 } = view;
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(CONDITION_WATCHDOG_MS);
  const [asked, complaints] = watch(context);
  const open = async (path = ""): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${server.url}/console/${path}`);
    return page;
  };
  const enter = async (path = ""): Promise<Page> => {
    const [, code] = server.consoleUrl()!.split("#");
    const page = await open(`${path}#${String(code)}`);
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    return page;
  };
  return { server, log, context, asked, complaints, open, enter };
}

function watch(context: BrowserContext): readonly [asked: string[], complaints: string[]] {
  const [asked, complaints]: [string[], string[]] = [[], []];
  context.on("request", (request) => asked.push(request.url()));
  context.on("response", (response) => {
    look("headers of the console", response.headers());
    response.body().then(
      (body) => look("an answer of the console", body),
      () => undefined,
    );
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("console", (message) => {
    const isRefusal = /40[13]|Failed to load resource/.test(message.text());
    if (message.type() !== "debug" && !isRefusal && !/Password forms/.test(message.text()))
      complaints.push(message.text());
  });
  return [asked, complaints];
}

/** Nothing was loaded from elsewhere, and neither the browser nor the policy of the page has complained. */
export function expectQuiet({ server, asked, complaints }: Console): void {
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(`${server.url}/console/`))).toEqual([]);
  expect(asked.length).toBeGreaterThan(3);
}

/** Follows a link of the navigation. */
export async function goTo(page: Page, section: keyof typeof HEADINGS): Promise<void> {
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: section }).click();
  await page.getByRole("heading", { name: HEADINGS[section], level: 1 }).waitFor();
}

/** The heading behind each link, in the order of the links. */
export const HEADINGS = {
  Overview: "Overview",
  Deliveries: "Deliveries",
  Calls: "Calls",
  Replays: "Replays",
  People: "People",
  Settings: "Settings",
  "Set up": "Set up a destination",
};

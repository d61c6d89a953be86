// For everyone: by the keyboard alone, with a screen reader, in the dark, on a narrow screen; and with texts of strangers that stay texts.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser } from "../../client/browser/browser.js";
import { track } from "../../postrider/server.js";
import { changingReceiver, destinationsAt } from "./receiver.js";
import { type Console, expectQuiet, goTo, HEADINGS, type Look, openConsole } from "./open-console.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOSTILE = '<img src=x onerror="document.title=`pwned`"><script>document.title="pwned"</script>';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong by the rules of WCAG 2.2, levels A and AA. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations)`,
  );
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
  );
}

/** Every screen, one after another, each with something on it. */
async function* screensOf(opened: Console): AsyncGenerator<readonly [name: string, page: Page]> {
  const login = await opened.open();
  await login.getByRole("heading", { name: "Log in" }).waitFor();
  yield ["login", login];
  const page = await opened.enter();
  await page.getByRole("row", { name: /crm/ }).waitFor();
  await page.locator("canvas").first().waitFor({ state: "attached" });
  yield ["overview", page];
  await goTo(page, "Deliveries");
  await page.getByRole("row", { name: /dead/ }).first().waitFor();
  yield ["deliveries", page];
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByText("Found 1 delivery.").waitFor();
  yield ["replay", page];
  await page.getByRole("button", { name: "Replay 1" }).click();
  await page.getByRole("row").getByText("done").waitFor();
  yield ["replays", page];
  await goTo(page, "Calls");
  await page
    .getByRole("row", { name: /accepted/ })
    .first()
    .waitFor();
  yield ["calls", page];
  await goTo(page, "People");
  await page.getByLabel("User IDs").fill("u9");
  await page.getByLabel("What to do").selectOption("suppress-only");
  await page.getByRole("button", { name: "Request for 1" }).click();
  await page.getByRole("row", { name: /refuse further calls/ }).waitFor();
  await page.getByText("u9", { exact: true }).waitFor();
  yield ["people", page];
  await goTo(page, "Settings");
  await page.getByRole("button", { name: "Edit crm" }).waitFor();
  yield ["settings", page];
  await page.getByRole("button", { name: "Edit crm" }).click();
  await page.getByText("No problem was found.").waitFor();
  await page.getByRole("button", { name: "Add a header to URL 1" }).click();
  await page.getByLabel("URL 1", { exact: true }).fill("none");
  await page.getByText(/^Problems: /).waitFor();
  yield ["set-up", page];
  await goTo(page, "Deliveries");
  await page.getByRole("row", { name: /dead/ }).first().getByRole("link").click();
  await page.getByRole("button", { name: "Show the message" }).click();
  await page.getByText('"Signed Up"').waitFor();
  yield ["delivery", page];
}

async function withContent(opened: Console): Promise<void> {
  await track(opened.server.url, { messageId: "m1" });
}

describeInBrowser("the console, for everyone", (browser) => {
  it.each<Look>([{ colorScheme: "light" }, { colorScheme: "dark" }])(
    "has nothing on any screen that axe finds wrong: %j",
    async (view) => {
      const receiver = await changingReceiver(422, "gone");
      const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }), view);
      await withContent(opened);
      const seen = [];
      for await (const [name, page] of screensOf(opened)) {
        expect(await violationsOf(page), name).toEqual([]);
        seen.push(name);
      }
      const linked = Object.keys(HEADINGS).map((link) => link.toLowerCase().replace(" ", "-"));
      expect(seen.toSorted()).toEqual([...linked, "login", "replay", "delivery"].sort());
    },
  );

  it("visits each screen that has a link", async () => {
    const opened = await openConsole(browser());
    const page = await opened.enter();
    const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
    expect(await links.allTextContents()).toEqual(Object.keys(HEADINGS));
  });

  it("would be told by axe of a picture without a text", async () => {
    const opened = await openConsole(browser());
    const page = await opened.enter();
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('img'), { width: 20, height: 20 }))",
    );
    expect(await violationsOf(page)).toContainEqual(expect.stringContaining("image-alt"));
  });

  it("fits on a screen of 320 px: only tables scroll sideways", async () => {
    const receiver = await changingReceiver(422, "gone ".repeat(100));
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }), { width: 320 });
    await withContent(opened);
    for await (const [name, page] of screensOf(opened)) {
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width, name).toBeLessThanOrEqual(320);
    }
  });

  it("can be used by the keyboard alone", async () => {
    const receiver = await changingReceiver(422);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    await track(opened.server.url, { messageId: "m1" });
    await track(opened.server.url, { messageId: "m2" });
    const page = await opened.enter("deliveries");
    const focused = (): Promise<string> => page.evaluate<string>("document.activeElement.textContent");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const second = await page.locator("tbody tr").nth(1).locator("a").textContent();
    expect(await focused()).toBe(second);
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Delivery", level: 1 }).waitFor();
    await expect.poll(focused).toBe("Delivery");
    await page.getByRole("button", { name: "Replay" }).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Replay");
    await page.keyboard.press("Enter");
    await page.getByText(/Replayed as/).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Replay…" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).toBe("Replay…");
    expectQuiet(opened);
  });

  it("shows what callers and receivers have written as text", async () => {
    const receiver = await changingReceiver(422, HOSTILE);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    await track(opened.server.url, { messageId: HOSTILE, event: HOSTILE, properties: { [HOSTILE]: HOSTILE } });
    const page = await opened.enter("deliveries");
    await page.getByRole("cell", { name: HOSTILE }).waitFor();
    await page.locator("tbody a").click();
    await page.getByText("What the receiver answered").click();
    await page.getByRole("button", { name: "Show the message" }).click();
    await page.locator("pre", { hasText: "userId" }).waitFor();
    expect(await page.locator("pre").allTextContents()).toEqual([HOSTILE, expect.stringContaining("onerror")]);
    await goTo(page, "Calls");
    await page.getByRole("cell", { name: HOSTILE }).waitFor();
    expect(await page.locator("img, #console script").count()).toBe(0);
    expect(await page.title()).toBe("Calls · Postrider");
    expectQuiet(opened);
  });

  it("does not hang with eight tabs open at once", async () => {
    const receiver = await changingReceiver(200);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    const pages = [await opened.enter("deliveries")];
    while (pages.length < 8) pages.push(await opened.open("deliveries"));
    await track(opened.server.url, { messageId: "m1" });
    await Promise.all(pages.map((page) => page.getByRole("row", { name: /m1/ }).getByText("delivered").waitFor()));
    expectQuiet(opened);
  });
});

// An operator looks: what comes in, what waits and why, one delivery, and a message that is shown only when it is asked for.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { SECRET, TOKEN, VIEWER_TOKEN } from "../../canary.js";
import { describeInBrowser } from "../../client/browser/browser.js";
import { track } from "../../postrider/server.js";
import { changingReceiver, destinationsAt, signedReceiver } from "./receiver.js";
import { expectQuiet, goTo, openConsole } from "./open-console.js";

/** Resolves in the page with the time at which a lane is shown as held. */
const WHEN_HELD = `new Promise((resolve) => {
  const isHeld = () => [...document.querySelectorAll("tbody .chip")].some(({ textContent }) => textContent === "held");
  new MutationObserver(() => isHeld() && resolve(Date.now())).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
})`;

describeInBrowser("the console in a browser", (browser) => {
  it("logs in by an address once, and then by the token", async () => {
    const opened = await openConsole(browser());
    const address = opened.server.consoleUrl()!.split("/console/")[1]!;
    const page = await opened.open(address);
    await page.getByText("Logged in as operator").waitFor();
    expect(page.url()).toBe(`${opened.server.url}/console/`);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();

    const again = await opened.open(address);
    await again.getByRole("alert").getByText("was used before").waitFor();
    await again.getByLabel("Token").fill("wrong");
    await again.getByRole("button", { name: "Log in" }).click();
    await again.getByRole("alert").getByText("not the token").waitFor();
    await again.getByLabel("Token").fill(TOKEN);
    await again.keyboard.press("Enter");
    await again.getByText("Logged in as operator").waitFor();
    expectQuiet(opened);
  });

  it("shows calls and deliveries as they come, and a message only when it is asked for", async () => {
    const receiver = await changingReceiver(422, "no such hook");
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    const page = await opened.enter("deliveries");
    await page.getByText("No delivery matches.").waitFor();
    await track(opened.server.url, { event: "Order Completed", messageId: "m1" });
    await page.getByRole("row", { name: /m1/ }).getByText("dead").waitFor();
    await page.getByRole("row", { name: /m1/ }).getByRole("link").click();
    await page.getByText(/answered 422/).waitFor();
    await page.getByText("What the receiver answered").click();
    await page.getByText("no such hook").waitFor();
    expect(await page.getByText("Order Completed").count()).toBe(0);
    expect(opened.log.filter(({ code }) => code === "console-action")).toEqual([]);
    await page.getByRole("button", { name: "Show the message" }).click();
    await page.getByText("Order Completed").waitFor();
    const [told] = opened.log.filter(({ code }) => code === "console-action");
    expect(told).toMatchObject({ level: "info", detail: expect.stringMatching(/^operator.*\/message, answered 200$/) });

    await goTo(page, "Calls");
    await page.getByRole("row", { name: /m1/ }).getByText("accepted").waitFor();
    expectQuiet(opened);
  });

  it("shows the request of a delivery as it would go out now, and as a command of a shell with its very bytes", async () => {
    const receiver = await signedReceiver();
    const headers = { "X-Env": "it's prod", Authorization: `Bearer ${SECRET}-header` };
    const crm = { id: "crm", sources: ["website"], endpoints: [{ url: receiver.url, headers }], sharedSecret: SECRET };
    const opened = await openConsole(browser(), { destinations: [crm] });
    await opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await track(opened.server.url, { event: 'It\'s $HOME `done` \\ "so"', messageId: "m1" });
    const page = await opened.enter("deliveries");
    await page.getByRole("row", { name: /m1/ }).getByText("delivered").waitFor();
    await page.getByRole("row", { name: /m1/ }).getByRole("link").click();
    await page.getByRole("button", { name: "Show the request" }).click();
    await page.getByText(/Authorization: \*\*\*/).waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    const words = await promisify(execFile)("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`]);
    const [url, ...given] = words.stdout.split("\0").slice(0, -1);
    const [sent] = receiver.received();
    expect(url).toBe(receiver.url);
    expect(given.slice(-2)).toEqual(["--data-raw", sent!.body]);
    expect(given).toContain(`X-Signature: ${String(sent!.headers["x-signature"])}`);
    expect(opened.log.find(({ code }) => code === "console-action")?.detail).toMatch(/GET .*\/requests, answered 200$/);
    expectQuiet(opened);
  });

  it("shows the columns that a person wants, also next time, and gives the list as a file", async () => {
    const receiver = await changingReceiver(422);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    for (const messageId of ["=1+1", "m,2", "m3"]) await track(opened.server.url, { messageId });
    const page = await opened.enter("deliveries");
    await expect.poll(() => page.getByText("dead", { exact: true }).count()).toBeGreaterThanOrEqual(3);
    await page.getByText("Columns", { exact: true }).first().click();
    await page.getByLabel("Delivery ID", { exact: true }).check();
    await page.getByLabel("Source", { exact: true }).uncheck();
    await page.getByRole("columnheader", { name: "Delivery ID" }).waitFor();
    await page.reload();
    await page.getByRole("columnheader", { name: "Delivery ID" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Source" }).count()).toBe(0);

    const exported = async (format: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `Export as ${format}` }).click(),
      ]);
      return readFileSync(await file.path(), "utf8");
    };
    const [head, ...rows] = (await exported("CSV")).trimEnd().split("\r\n");
    expect(head).toContain("id,state,");
    expect(rows.map((row) => /'=1\+1|"m,2"|m3/.exec(row)?.[0])).toEqual(["m3", '"m,2"', "'=1+1"]);
    const listed = JSON.parse(await exported("JSON")) as readonly { readonly messageId: string }[];
    expect(listed.map(({ messageId }) => messageId)).toEqual(["m3", "m,2", "=1+1"]);
    await page.getByText("3 exported.").waitFor();
    expectQuiet(opened);
  });

  it("keeps its filters in the address, and Back undoes a choice", async () => {
    const [good, bad] = [await changingReceiver(200), await changingReceiver(422)];
    const opened = await openConsole(browser(), destinationsAt({ crm: good.url, mail: bad.url }));
    await track(opened.server.url, { messageId: "m1" });
    const page = await opened.enter("deliveries");
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("dead").check();
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?state=dead");
    await page.getByRole("combobox", { name: "Destination", exact: true }).selectOption("crm");
    await page.getByText("No delivery matches.").waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("What to find").fill("m2");
    await page.keyboard.press("Enter");
    await page.getByText("No delivery matches.").waitFor();
    const copy = await opened.context.newPage();
    await copy.goto(page.url());
    await copy.getByText("No delivery matches.").waitFor();
    expectQuiet(opened);
  });

  it("shows a held destination with its last answer, and an operator pauses it and lets it go on", async () => {
    const receiver = await changingReceiver(503);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    const page = await opened.enter();
    const lane = page.getByRole("row", { name: /crm/ });
    await lane.getByText("open").waitFor();
    const seenAt = page.evaluate<number>(WHEN_HELD);
    const toldAt = expect
      .poll(() => opened.log.some(({ code }) => code === "lane-held"), { interval: 5 })
      .toBe(true)
      .then(() => Date.now());
    await Promise.all(Array.from({ length: 100 }, () => track(opened.server.url)));
    process.stdout.write(
      `a lane was seen to be held ${String((await seenAt) - (await toldAt))} ms after the log told it\n`,
    );
    await lane.getByText(/last answer 503/).waitFor();
    await page.getByRole("button", { name: "Pause: crm" }).click();
    await lane.getByText("by an operator").waitFor();
    await page.getByRole("button", { name: "Resume: crm" }).click();
    await lane.getByText("held", { exact: true }).waitFor();
    receiver.answer = { status: 200 };
    await page.getByRole("button", { name: "Try now: crm" }).click();
    await lane.getByText("open").waitFor();
    expectQuiet(opened);
  });

  it("lets a viewer look and change nothing", async () => {
    const receiver = await changingReceiver(422);
    const opened = await openConsole(browser(), destinationsAt({ crm: receiver.url }));
    await track(opened.server.url, { messageId: "m1" });
    const page = await opened.open("deliveries");
    await page.getByLabel("Token").fill(VIEWER_TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("Logged in as viewer").waitFor();
    await page.getByRole("row", { name: /m1/ }).getByRole("link").click();
    await page.getByText("Your role may not see messages.").waitFor();
    expect(await page.getByRole("button").allTextContents()).toEqual(["Log out", "Copy link"]);
    await goTo(page, "Overview");
    await page.getByRole("row", { name: /crm/ }).waitFor();
    expect(await page.getByRole("button").allTextContents()).toEqual(["Log out"]);
    expectQuiet(opened);
  });

  it("says so while the server does not answer, and goes on by itself", async () => {
    const opened = await openConsole(browser());
    const page = await opened.enter();
    await page.getByRole("row", { name: /crm/ }).waitFor();
    await opened.context.setOffline(true);
    await page.getByRole("alert").getByText("The server does not answer").waitFor();
    await opened.context.setOffline(false);
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});

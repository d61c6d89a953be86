// The set-up flow: from a server without settings to a destination in force, without a file. Its pictures are those of
// docs/console.md, if POSTRIDER_FILM names a folder for them.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { epochMs, verifySignature, verifyStandardWebhook } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { startReceiver } from "@postrider/testkit/hostile-receivers";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { MARK, TOKEN, WRITE_KEY } from "../../canary.js";
import { describeInBrowser } from "../../client/browser/browser.js";
import { BAD } from "../../hostile/tls-cases.js";
import { tempFolder } from "../../postrider/config-file.js";
import { track } from "../../postrider/server.js";
import { type Console, expectQuiet, goTo, openConsole } from "./open-console.js";
import { signedReceiver } from "./receiver.js";

const FILM = process.env["POSTRIDER_FILM"];
const SEALING_KEY = `${MARK}sealing-key`;
const OWN_SECRET = `${MARK}own-secret`;
const DIGEST = `sha256:${createHash("sha256").update(WRITE_KEY).digest("hex")}`;
const HEADER_VALUE = `${MARK}header-value`;

async function picture(page: Page, name: string): Promise<void> {
  if (FILM !== undefined) await page.screenshot({ path: join(FILM, `${name}.png`), fullPage: true });
}

async function openEmpty(
  browser: Parameters<typeof openConsole>[0],
  json: object = {},
): Promise<Console & { file: string }> {
  const file = join(tempFolder(), "postrider.db");
  const empty = { sources: undefined, destinations: undefined, settings: "store", store: `sqlite:${file}` };
  return { ...(await openConsole(browser, { ...empty, sealingKeys: [SEALING_KEY], ...json })), file };
}

async function fillIn(page: Page, id: string, url: string): Promise<void> {
  await page.getByLabel("ID", { exact: true }).fill(id);
  await page.getByLabel("URL 1", { exact: true }).fill(url);
}

async function save(page: Page): Promise<void> {
  await page.getByText("No problem was found.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
}

describeInBrowser("the set-up flow", (browser) => {
  it("leads from a server without settings to a signed delivery, without touching a file", async () => {
    const receiver = await signedReceiver();
    const opened = await openEmpty(browser());
    const page = await opened.enter();
    await page.getByText("No destination is set up yet.").waitFor();
    await picture(page, "1-empty");
    await goTo(page, "Set up");
    await page.getByText(/^Problems: /).waitFor();
    await fillIn(page, "crm", "htp:/receiver");
    await page.locator("#url-1-problems").getByText("URL").waitFor();
    await picture(page, "2-problem");
    await page.getByLabel("URL 1", { exact: true }).fill(receiver.url);
    await page.getByRole("button", { name: "Add a header to URL 1" }).click();
    await page.getByLabel("Header of URL 1").fill("Authorization");
    await page.getByLabel("Value of Authorization").fill(HEADER_VALUE);
    await page.getByLabel("Secret", { exact: true }).fill(OWN_SECRET);
    await page.getByText("can be reached").waitFor();
    expect(receiver.received()).toEqual([]);
    await page.getByText("No problem was found.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("answered 200").waitFor();
    await picture(page, "3-test");
    const [test] = receiver.received();
    expect(test?.headers).toMatchObject({ authorization: HEADER_VALUE, "x-signature": signatureOf(test!.body) });
    expect(JSON.parse(test!.body)).toMatchObject({ event: "Test Event", context: { test: true } });
    expect((await opened.server.relay.deliveries({ limit: 1 }))._unsafeUnwrap().deliveries).toEqual([]);
    expect(opened.server.relay.workspace().destinations).toEqual([]);

    const writeKey = await page.locator(".step code.id").first().textContent();
    await save(page);
    await page.getByText("Saved as revision 1.").waitFor();
    await picture(page, "4-saved");
    await expect.poll(() => opened.server.relay.workspace().destinations.map(({ id }) => id)).toEqual(["crm"]);
    expect((await track(opened.server.url, { event: "First" }, writeKey!)).status).toBe(200);
    await expect.poll(() => receiver.received().length).toBe(2);
    expect(receiver.received()[1]?.headers["x-signature"]).toBe(signatureOf(receiver.received()[1]!.body));
    await page.getByRole("link", { name: "See its deliveries" }).click();
    await page.getByRole("row", { name: /crm/ }).getByText("delivered").waitFor();
    await picture(page, "5-delivered");

    const history = await api(opened, "settings/history");
    expect(history).toContain('"actor":"operator"');
    for (const answer of [history, await api(opened, "settings"), await page.content()]) {
      expect(answer).not.toContain(OWN_SECRET);
      expect(answer).not.toContain(HEADER_VALUE);
      expect(answer).not.toContain(writeKey);
    }
    const stored = readFileSync(opened.file).toString("latin1") + readFileSync(`${opened.file}-wal`).toString("latin1");
    expect(stored).toContain("sealed:");
    for (const secret of [OWN_SECRET, HEADER_VALUE, writeKey!]) expect(stored).not.toContain(secret);
    expectQuiet(opened);
  });

  it("keeps what is sealed when a destination is changed, and takes another secret", async () => {
    const receiver = await signedReceiver();
    const opened = await openEmpty(browser());
    const page = await opened.enter("set-up");
    await fillIn(page, "crm", receiver.url);
    await page.getByLabel("Secret", { exact: true }).fill(OWN_SECRET);
    await save(page);
    await page.getByText("Saved as revision 1.").waitFor();
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Edit crm" }).click();
    await page.getByText("A secret is set. It is not shown.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Customers");
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("answered 200").waitFor();
    expect(receiver.received().at(-1)?.headers["x-signature"]).toBe(signatureOf(receiver.received().at(-1)!.body));
    await save(page);
    await page.getByText("Saved as revision 2.").waitFor();
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Changes in 2" }).click();
    await page.getByRole("dialog").getByText('"Customers"').waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Restore 1" }).click();
    await page.getByRole("dialog").getByText('"Customers"').waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Restore 1" }).click();
    await page.getByText("Revision 3").first().waitFor();
    await page.getByRole("button", { name: "Remove crm" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => opened.server.relay.workspace().destinations).toEqual([]);
    expectQuiet(opened);
  });

  it("shows what another person has saved meanwhile, and puts one on top of the other", async () => {
    const receiver = await signedReceiver();
    const opened = await openEmpty(browser());
    const [one, other] = [await opened.enter("set-up"), await opened.enter("set-up")];
    await fillIn(one, "crm", receiver.url);
    await fillIn(other, "mail", receiver.url);
    const writeKey = await one.locator(".step code.id").first().textContent();
    await save(one);
    await one.getByText("Saved as revision 1.").waitFor();
    await save(other);
    const dialog = other.getByRole("dialog");
    await dialog.getByText("destinations crm").waitFor();
    await picture(other, "6-conflict");
    await dialog.getByRole("button", { name: "Put my changes on top" }).click();
    await save(other);
    await other.getByText("Saved as revision 2.").waitFor();
    await expect.poll(() => opened.server.relay.workspace().destinations.map(({ id }) => id)).toEqual(["crm", "mail"]);
    expect((await track(opened.server.url, {}, writeKey!)).status).toBe(200);
  });

  it("keeps what another person has changed of the same destination, and names what both have changed", async () => {
    const receiver = await signedReceiver();
    const opened = await openEmpty(browser());
    const [mine, theirs] = [await opened.enter("set-up"), await opened.enter("settings")];
    await mine.bringToFront();
    await fillIn(mine, "crm", receiver.url);
    await save(mine);
    await mine.getByText("Saved as revision 1.").waitFor();
    const named = () => opened.server.relay.workspace().destinations[0];
    const secretOf = () => named()?.secrets[0]?.reveal();
    await expect.poll(secretOf).toBeDefined();
    const first = secretOf();
    await goTo(mine, "Settings");
    await mine.getByRole("button", { name: "Edit crm" }).click();
    await mine.getByLabel("Name", { exact: true }).fill("Mine");
    await mine.getByLabel("On: deliver calls").uncheck();
    // Another screen meanwhile: what was entered comes back with the settings that it was entered on.
    await goTo(mine, "Calls");

    await theirs.bringToFront();
    await theirs.getByRole("button", { name: "Edit crm" }).click();
    await theirs.getByRole("button", { name: "Replace the secret" }).click();
    await theirs.getByLabel("Name", { exact: true }).fill("Theirs");
    await save(theirs);
    await theirs.getByText("Give the receiver its secret:").waitFor();
    await expect.poll(secretOf).not.toBe(first);
    const second = secretOf();

    await mine.bringToFront();
    await mine.goBack();
    await save(mine);
    const dialog = mine.getByRole("dialog");
    await dialog.getByText("Both of you have changed: Name.").waitFor();
    await dialog.getByText('"Theirs"').waitFor();
    await dialog.getByRole("button", { name: "Put my changes on top" }).click();
    await save(mine);
    await mine.getByText("Saved as revision 3.").waitFor();
    await expect.poll(() => named()?.name).toBe("Mine");
    expect([secretOf(), named()?.enabled]).toEqual([second, false]);
    expectQuiet(opened);
  });

  it("does not go back to an earlier revision over one that was not there when a person looked", async () => {
    const opened = await openEmpty(browser());
    const page = await opened.enter("settings");
    const dialog = page.getByRole("dialog");
    const add = async (on: Page, id: string): Promise<void> => {
      await on.getByRole("button", { name: "Add a source" }).click();
      await on.getByRole("dialog").getByLabel("ID of the new source").fill(id);
      await on.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await on.getByRole("row", { name: new RegExp(`^${id}`) }).waitFor();
    };
    await add(page, "one");
    await add(page, "two");
    await page.getByRole("button", { name: "Restore 1" }).click();
    await dialog.getByText("sources two").waitFor();
    const other = await opened.enter("settings");
    await add(other, "three");
    await page.getByText("Revision 3").waitFor();
    await dialog.getByRole("button", { name: "Restore 1" }).click();
    await page.getByRole("alert").waitFor();
    const ids = () => opened.server.relay.workspace().sources.map(({ id }) => id);
    await expect.poll(ids).toEqual(["one", "two", "three"]);
    expectQuiet(opened);
  });

  it("puts no new destination and no new source in the place of another one", async () => {
    const opened = await openConsole(browser());
    const page = await opened.enter("set-up");
    await fillIn(page, "mail", "https://receiver.invalid/hook");
    const download = page.getByRole("button", { name: "Download the new entries" });
    await expect.poll(() => download.isEnabled()).toBe(true);
    await page.getByLabel("ID", { exact: true }).fill("crm");
    await page.locator("#destination-id-problems").getByText("not in use").waitFor();
    expect(await download.isEnabled()).toBe(false);
    await page.getByLabel("ID", { exact: true }).fill("mail");
    await page.getByRole("button", { name: "Add a source" }).click();
    await expect.poll(() => download.isEnabled()).toBe(true);
    await page.getByLabel("ID of the new source").fill("website");
    await page.locator("#source-id-problems").getByText("not in use").waitFor();
    expect(await download.isEnabled()).toBe(false);
  });

  it("tells a test event that gets no answer, and why", async () => {
    const opened = await openEmpty(browser(), { network: {} });
    const page = await opened.enter("set-up");
    await fillIn(page, "crm", "http://127.0.0.1:9/hook");
    await page.getByText("No problem was found.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText(/no answer: forbidden-address/).waitFor();
    await page.getByText(/may not be reached.*"network": \{ "allow": \["127.0.0.1"\] \}/).waitFor();
    expectQuiet(opened);
  });

  it("tries each URL before it is saved: its name, its address and its certificate, without a request", async () => {
    const receiver = await startReceiver({ ...BAD[0]!.script }, createSystemClock());
    onTestFinished(() => receiver.close());
    const opened = await openEmpty(browser());
    const page = await opened.enter("set-up");
    await fillIn(page, "crm", `https://127.0.0.1:${String(receiver.port)}/hook`);
    await page.getByText("cannot be reached").waitFor();
    await page.getByText(/its certificate is signed by its own key/).waitFor();
    await page.getByRole("button", { name: "Add a URL" }).click();
    await page.getByLabel("URL 2", { exact: true }).fill("http://receiver.invalid/hook");
    await page.getByText(/no address was found for its name|the resolver or the network/).waitFor();
    await page.getByRole("button", { name: "Try URL 1 again" }).click();
    await expect.poll(() => receiver.connections()).toBe(2);
    expect(receiver.requests).toEqual([]);
    expectQuiet(opened);
  });

  it("replaces a secret, and lets receivers of Standard Webhooks verify by the old one until it is dropped", async () => {
    const receiver = await signedReceiver();
    const opened = await openEmpty(browser());
    const page = await opened.enter("set-up");
    await fillIn(page, "crm", receiver.url);
    await page.getByLabel("Secret", { exact: true }).fill(OWN_SECRET);
    await page.getByLabel("Send the headers of Standard Webhooks too").check();
    await save(page);
    await page.getByText("Saved as revision 1.").waitFor();
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Edit crm" }).click();
    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByText("X-Signature is made with this one alone").waitFor();
    await page.getByText("1 older secret signs too").waitFor();
    const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
    await page.getByText("No problem was found.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("answered 200").waitFor();
    const { headers, body } = receiver.received().at(-1)!;
    const of = (name: string) => String(headers[name]);
    const standard = { id: of("webhook-id"), timestamp: of("webhook-timestamp"), signature: of("webhook-signature") };
    for (const one of [secret, OWN_SECRET]) {
      expect(verifyStandardWebhook([one], body, standard, epochMs(Date.now()))).toEqual({ kind: "valid" });
    }
    expect(verifySignature(secret, body, of("x-signature"))).toBe(true);
    await save(page);
    await page.getByText("Saved as revision 2.").waitFor();
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Edit crm" }).click();
    await page.getByRole("button", { name: "Drop older secrets" }).click();
    await save(page);
    await page.getByText("Saved as revision 3.").waitFor();
    const kept = () => opened.server.relay.workspace().destinations[0]?.secrets.map((one) => one.reveal());
    await expect.poll(kept).toEqual([secret]);
    expectQuiet(opened);
  });

  it("makes a source, gives it another key, and takes it away, all without a destination", async () => {
    const opened = await openEmpty(browser());
    const page = await opened.enter("settings");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add a source" }).click();
    await dialog.getByLabel("ID of the new source").fill("app");
    const first = await dialog.locator("code.id").textContent();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /app/ }).waitFor();
    const status = async (key: string | null) => (await track(opened.server.url, {}, key!)).status;
    await expect.poll(() => status(first)).toBe(200);
    await page.getByRole("button", { name: "New key for app" }).click();
    await dialog.getByText("calls with the old key of app are refused").waitFor();
    const second = await dialog.locator("code.id").textContent();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => status(second)).toBe(200);
    expect(await status(first)).toBe(401);
    await page.getByRole("button", { name: "Remove app" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => status(second)).toBe(401);
    expect(await api(opened, "settings/history")).not.toContain(first);
    expectQuiet(opened);
  });

  it("shows with a lock what the config file of the server has too, and changes none of it", async () => {
    const opened = await openEmpty(browser(), { sources: [{ id: "web", writeKey: DIGEST }], destinations: [] });
    const page = await opened.enter("settings");
    await page.getByText("🔒 sources, destinations").waitFor();
    expect(await page.getByRole("button", { name: /^(Edit|Remove|New key|Add|Set up)/ }).count()).toBe(0);
    await goTo(page, "Set up");
    await page.getByText("🔒 sources, destinations").waitFor();
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    expectQuiet(opened);
  });

  it("makes the file where the file owns the settings, and changes nothing", async () => {
    const opened = await openConsole(browser());
    const page = await opened.enter("set-up");
    await fillIn(page, "mail", "https://receiver.invalid/hook");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the new entries" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("destination.json");
    const made = JSON.parse(readFileSync(await file.path(), "utf8"));
    expect(made).toMatchObject({ destinations: [{ id: "mail", sources: ["website"] }] });
    expect(JSON.stringify(made)).not.toContain("(hidden)");
    expect(opened.server.relay.workspace().destinations.map(({ id }) => id)).toEqual(["crm"]);
  });
});

function signatureOf(body: string): string {
  return createHmac("sha1", OWN_SECRET).update(body).digest("hex");
}

async function api({ server }: Console, path: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return answer.text();
}

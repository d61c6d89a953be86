// Twelve secrets go through the console as its users enter them: by the config, by the form, by another secret in place of one. None of
// them comes back: not in an answer, on a screen, in the log, or in a file of the store.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished, vi } from "vitest";
import { MARK, TOKEN, VIEWER_TOKEN } from "../../canary.js";
import { describeInBrowser } from "../../client/browser/browser.js";
import { tempFolder } from "../../postrider/config-file.js";
import { track } from "../../postrider/server.js";
import { type Console, goTo, openConsole } from "./open-console.js";
import { signedReceiver } from "./receiver.js";

const PLANTED = {
  apiToken: TOKEN,
  viewerToken: VIEWER_TOKEN,
  metricsToken: `${MARK}metrics-token`,
  sealingKey: `${MARK}sealing-key-now`,
  olderSealingKey: `${MARK}sealing-key-then`,
  firstSecret: `${MARK}first-secret`,
  secondSecret: `${MARK}second-secret`,
  header: `${MARK}header-value`,
  otherHeader: `${MARK}other-header-value`,
  variable: `${MARK}value-of-a-variable`,
  testSecret: `${MARK}secret-never-saved`,
};

const REFERENCE = "env:POSTRIDER_PLANTED";

/** What was shown on the way: the content of each screen, and each answer. */
interface Watched {
  readonly screens: string[];
  readonly answers: string[];
}

function watchAnswers({ context }: Console): Watched {
  const answers: string[] = [];
  context.on("response", (response) => {
    const head = JSON.stringify(response.headers());
    response.body().then(
      (body) => answers.push(`${response.url()} ${head} ${body.toString()}`),
      () => undefined,
    );
  });
  return { screens: [], answers };
}

async function fillIn(page: Page, url: string): Promise<void> {
  await page.getByLabel("ID", { exact: true }).fill("crm");
  await page.getByLabel("URL 1", { exact: true }).fill(url);
  for (const [number, value] of [PLANTED.header, PLANTED.otherHeader, REFERENCE].entries()) {
    await page.getByRole("button", { name: "Add a header to URL 1" }).click();
    await page
      .getByLabel("Header of URL 1")
      .nth(number)
      .fill(`X-Header-${String(number)}`);
    await page.getByLabel(`Value of X-Header-${String(number)}`).fill(value);
  }
}

async function saveWith(page: Page, secret: string, revision: number): Promise<void> {
  await page.getByLabel("Secret", { exact: true }).fill(secret);
  await page.getByText("No problem was found.").waitFor();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("answered 200").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`Saved as revision ${String(revision)}.`).waitFor();
}

describeInBrowser("the secrets of a server", (browser) => {
  it("are on no screen, in no answer, in no log and in no file", async () => {
    const receiver = await signedReceiver();
    const file = join(tempFolder(), "postrider.db");
    const opened = await openConsole(browser(), {
      ...{ destinations: undefined, settings: "store", store: `sqlite:${file}`, metricsToken: PLANTED.metricsToken },
      sources: undefined,
      settingsReferences: ["POSTRIDER_PLANTED"],
      sealingKeys: [PLANTED.sealingKey, PLANTED.olderSealingKey],
    });
    const watched = watchAnswers(opened);
    vi.stubEnv("POSTRIDER_PLANTED", PLANTED.variable);
    onTestFinished(() => void vi.unstubAllEnvs());
    const page = await opened.enter("set-up");
    const keep = async (): Promise<void> => void watched.screens.push(await page.content());
    await page.getByLabel("ID of the new source").fill("app");
    const drawn = (await page.locator(".step code.id").first().textContent())!;
    await fillIn(page, receiver.url);
    await page.getByLabel("Secret", { exact: true }).fill(PLANTED.testSecret);
    await page.getByText("No problem was found.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("answered 200").waitFor();
    await keep();
    await saveWith(page, PLANTED.firstSecret, 1);
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Edit crm" }).click();
    await page.getByRole("button", { name: "Replace" }).last().click();
    await saveWith(page, PLANTED.secondSecret, 2);
    await keep();

    await expect.poll(async () => (await track(opened.server.url, { messageId: "m1" }, drawn)).status).toBe(200);
    await goTo(page, "Deliveries");
    await page.getByRole("row", { name: /m1/ }).getByText("delivered").waitFor();
    await keep();
    await page.getByRole("row", { name: /m1/ }).getByRole("link").click();
    await page.getByRole("button", { name: "Show the message" }).click();
    await page.getByRole("button", { name: "Show the request" }).click();
    await page.getByText(/X-Header-0: \*\*\*/).waitFor();
    await keep();
    await goTo(page, "Settings");
    await page.getByText("All settings").click();
    await page.getByRole("button", { name: "Changes in 2" }).click();
    await page.getByRole("dialog").getByText("sealed:").first().waitFor();
    await keep();
    for (const section of ["Overview", "Calls", "Replays", "People"] as const) {
      await page.keyboard.press("Escape");
      await goTo(page, section);
      await keep();
    }

    // What arrived had them, so they were there to be shown.
    const { headers, body } = receiver.received().at(-1)!;
    const arrived = ["x-header-0", "x-header-1", "x-header-2"].map((name) => headers[name]);
    expect(arrived).toEqual([PLANTED.header, PLANTED.otherHeader, PLANTED.variable]);
    expect(JSON.parse(body)).toMatchObject({ messageId: "m1" });
    const folder = dirname(file);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("latin1"));
    const places = { ...watched, log: opened.log.map((line) => JSON.stringify(line)), files };
    expect(Object.entries(places).map(([name, texts]) => [name, texts.length > 0])).toEqual(
      ["screens", "answers", "log", "files"].map((name) => [name, true]),
    );
    for (const [what, secret] of Object.entries({ ...PLANTED, drawn })) {
      for (const [place, texts] of Object.entries(places)) {
        const isShownOnce = what === "drawn" && place === "screens";
        const found = texts.filter((text) => formsOf(secret).some((form) => text.includes(form)));
        if (!isShownOnce) expect([what, place, found.length]).toEqual([what, place, 0]);
      }
    }
  });
});

/** As it is, as base64, and as hex. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString("base64").slice(0, -4),
    bytes.toString("hex"),
    createHash("sha1").update(bytes).digest("hex"),
  ];
}

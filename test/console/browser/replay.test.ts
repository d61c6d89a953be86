// A replay of all that a filter finds: what the dialog says beforehand is what happens.

import { expect, it } from "vitest";
import { describeInBrowser } from "../../client/browser/browser.js";
import { WRITE_KEY } from "../../canary.js";
import { changingReceiver, destinationsAt } from "./receiver.js";
import { expectQuiet, openConsole } from "./open-console.js";

const BATCHES = 100;
const CALLS_PER_BATCH = 100;
const CALLS = BATCHES * CALLS_PER_BATCH;

describeInBrowser("a replay in the console", (browser) => {
  it(`sends again exactly the ${String(CALLS)} deliveries that its preview counts`, async () => {
    const [refusing, accepting] = [await changingReceiver(422), await changingReceiver(200)];
    const opened = await openConsole(browser(), destinationsAt({ crm: refusing.url, mail: accepting.url }));
    for (let batch = 0; batch < BATCHES; batch += 1) await sendBatch(opened.server.url);
    await expect.poll(() => refusing.answered(422)).toBe(CALLS);
    const page = await opened.enter("deliveries?state=dead&destination=crm");
    await page.getByRole("row", { name: /dead/ }).first().waitFor();
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByText("Found 10,000 deliveries.").waitFor();
    await page.getByText("crm: 10,000").waitFor();
    await page.getByText("refused: 10,000").waitFor();
    refusing.answer = { status: 200 };
    await page.getByRole("button", { name: "Replay 10,000" }).click();
    await page.getByRole("heading", { name: "Replays" }).waitFor();
    await page.getByText("10,000 of 10,000 replayed, 0 skipped").waitFor();
    await page.getByRole("row").getByText("done").waitFor();
    await expect.poll(() => refusing.answered(200)).toBe(CALLS);
    await expect.poll(() => accepting.answered(200)).toBe(CALLS);
    expectQuiet(opened);
  });
});

async function sendBatch(url: string): Promise<void> {
  const batch = Array.from({ length: CALLS_PER_BATCH }, () => ({ type: "track", userId: "u1", event: "Signed Up" }));
  const authorization = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
  const response = await fetch(`${url}/v1/batch`, {
    method: "POST",
    headers: { authorization },
    body: JSON.stringify({ batch }),
  });
  expect(response.status).toBe(200);
}

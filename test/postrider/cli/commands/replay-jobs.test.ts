import { describe, expect, it } from "vitest";
import { TOKEN } from "../../../canary.js";
import { configJson } from "../../config-file.js";
import { refusingReceiver, serverOf, track } from "../../server.js";
import { run } from "../../test-host.js";

/** A server with three dead deliveries. */
async function server() {
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: await refusingReceiver() }] }];
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }));
  const call = (...words: readonly string[]) => run(["replay-jobs", ...words, "--url", server.url, "--token", TOKEN]);
  const dead = async (): Promise<number> => {
    const { out } = await run(["deliveries", "--state", "dead", "--count", "--url", server.url, "--token", TOKEN]);
    return Number(out[0]);
  };
  for (const messageId of ["m1", "m2", "m3"]) await track(server.url, { messageId });
  await expect.poll(dead).toBe(3);
  return { call, dead };
}

describe("postrider replay-jobs", () => {
  it("start says what would be replayed, and with --yes replays it and waits for the end", async () => {
    const { call, dead } = await server();
    const preview = await call("start", "--destination", "crm");
    expect(preview).toMatchObject({ code: 1, err: ["nothing was replayed; run again with --yes"] });
    const shown = preview.out.join("\n");
    expect(shown).toMatch(
      /^3 deliveries can be replayed\n {2}accepted from .* to .*\n {2}3 to crm\n {2}3 dead as refused\n/,
    );
    expect(shown).toMatch(/\n\nthe latest of them:\nid +state .*(\n3 +dead .*)(\n2 +dead .*)(\n1 +dead .*)$/);
    expect(await dead()).toBe(3);

    const started = await call("start", "--yes");
    expect(started).toMatchObject({ code: 0, out: ["done: replayed 3, skipped 0"] });
    expect(started.err[0]).toMatch(/^job [0-9a-f]{16} is on its way; it goes on if this program is stopped$/);
    await expect.poll(dead).toBe(6);
  });

  it("start without a wait prints the id, with which the job is shown, cancelled and found in the list", async () => {
    const { call } = await server();
    const { code, out } = await call("start", "--yes", "--no-wait");
    const [id = ""] = out;
    expect([code, id]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    await expect
      .poll(async () => (await call("show", id)).out.join("\n"))
      .toMatch(new RegExp(`^${id} +done +3 +3 +0 `, "m"));
    const cancelled = await call("cancel", id, "--json");
    expect(JSON.parse(cancelled.out[0]!)).toMatchObject({ id, state: "done", replayed: 3 });
    const listed = await call("list", "--json");
    expect(listed.out.map((line) => (JSON.parse(line) as { readonly id: string }).id)).toEqual([id]);
    expect((await call("list")).out.join("\n")).toMatch(
      new RegExp(`^id +state .*\\n${id} +done .* states dead, until .*$`),
    );
  });

  it("say that nothing is found, and refuse wrong words and unknown jobs", async () => {
    const { call } = await server();
    expect(await call("list")).toMatchObject({ code: 0, err: ["there are no replay jobs"] });
    expect(await call("start", "--reason", "expired")).toMatchObject({
      code: 1,
      out: ["0 deliveries can be replayed"],
      err: [],
    });
    expect(await call("start", "--state", "waiting")).toMatchObject({
      code: 2,
      err: [expect.stringContaining("Expected dead, delivered, or both with a comma.")],
    });
    for (const name of ["show", "cancel"]) {
      const { code, err } = await call(name, "elsewhere");
      expect([code, err.join()]).toEqual([1, expect.stringMatching(/404 not-found: there is no such replay job/)]);
    }
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../test-host.js";

const OUTAGE = {
  start: "2026-01-31T09:58:00Z",
  load: { callsPerSecond: 0.2, until: "10:05" },
  destinations: [{ id: "crm", receivers: [{ spells: [{ from: "10:00", to: "10:03", does: 503 }] }] }],
  crashes: [{ at: "10:01", downMs: 10_000 }],
};

function write(scenario: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), "postrider-scenario-")), "outage.json");
  writeFileSync(file, typeof scenario === "string" ? scenario : JSON.stringify(scenario));
  return file;
}

describe("postrider simulate", () => {
  it("prints a line for each destination", async () => {
    // On a busy machine there are lines of progress on standard error.
    const { code, out } = await run(["simulate", write(OUTAGE)]);
    expect(code).toBe(0);
    expect(out[0]).toMatch(/^destination +deliveries +delivered +dead +requests/);
    expect(out[1]).toMatch(/^crm +84 +84 +0 +\d+/);
    expect(out[2]).toMatch(/^all +84 +84 +0/);
    expect(out.at(-2)).toMatch(/^84 calls, at most \d+ deliveries waiting, 2 processes, /);
    expect(out.at(-1)).toMatch(/^seed 1, trace [0-9a-f]{16}$/);
  });

  it("prints the report as JSON, the same for the same seed and another for another", async () => {
    const file = write(OUTAGE);
    const play = async (...words: readonly string[]) =>
      (await run(["simulate", file, "--json", ...words])).out.join("\n");
    const [once, again, other] = [await play(), await play(), await play("--seed", "7")];
    expect(again).toBe(once);
    expect(JSON.parse(once)).toMatchObject({ seed: 1, calls: 84, total: { delivered: 84, dead: {} } });
    expect(JSON.parse(other)).toMatchObject({ seed: 7, calls: 84 });
  });

  it("warns, on standard error, of each number that was hardly meant, and plays the scenario", async () => {
    const file = write({ ...OUTAGE, delivery: { retryWindowMs: 14_400, firstRetryMs: 1 } });
    const { code, err, out } = await run(["simulate", file, "--json"]);
    expect(code).toBe(0);
    const warnings = err.filter((line) => line.startsWith("warning: "));
    expect(warnings.map((line) => line.split(": ")[1])).toEqual(["delivery.retryWindowMs", "delivery.firstRetryMs"]);
    for (const line of warnings) expect(line).toMatch(/^warning: [\w.]+: [^;]+; [^;]+ [(]unusual-number[)]$/);
    const { warnings: reported } = JSON.parse(out.join("\n")) as { readonly warnings: readonly unknown[] };
    expect(reported).toMatchObject([{ path: "policy.retryWindowMs" }, { path: "policy.firstRetryMs" }]);
    expect((await run(["simulate", write(OUTAGE)])).err.join("\n")).not.toContain("warning");
  });

  it("reports everything that is wrong with a scenario, and has status 2", async () => {
    const file = write({ ...OUTAGE, start: "noon", surprise: 1 });
    const { code, err } = await run(["simulate", file]);
    expect(code).toBe(2);
    expect(err.map((line) => line.split(":")[0]).sort()).toEqual(["start", "surprise"]);
    expect(await run(["simulate", write("{")])).toMatchObject({ code: 2 });
    expect(await run(["simulate", "/nowhere/outage.json"])).toMatchObject({ code: 2 });
    expect(await run(["simulate", file, "--seed", "x"])).toMatchObject({ code: 2 });
  });
});

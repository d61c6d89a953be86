// The screens of docs/guides/look.md are those of the real commands at a real server: compared without instants, durations, ports
// and the width of columns. With WRITE_GUIDE=1 they are written anew.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHOP_KEY } from "../canary.js";
import { answering, type Stage, stageOf, to } from "./stage.js";
import { untilTried } from "./waiting.js";

const GUIDE = "docs/guides/look.md";
/** A screen: the command, and what it prints. */
const SCREEN = /```text\n\$ postrider ([^\n]*)\n([^]*?)```/g;
const COMMANDS = ["lanes", "deliveries", "show", "explain", "tail", "test", "doctor"];

it("shows what the commands print", async () => {
  const began = Date.now();
  const stage = await prepare();
  let guide = readFileSync(GUIDE, "utf8");
  for (const [block, command = "", shown = ""] of [...guide.matchAll(SCREEN)]) {
    const { out, err } = await stage.run(command.split(" "));
    const printed = [...out, ...err, ""].join("\n");
    guide = guide.replace(block, () => `\`\`\`text\n$ postrider ${command}\n${settled(printed, began)}\`\`\``);
    if (process.env["WRITE_GUIDE"] === undefined) expect(masked(shown), command).toBe(masked(printed));
  }
  if (process.env["WRITE_GUIDE"] !== undefined) writeFileSync(GUIDE, guide);
});

it("shows each command by which an operator looks", () => {
  const shown = [...readFileSync(GUIDE, "utf8").matchAll(SCREEN)].map(([, command = ""]) => command.split(" ")[0]);
  expect(COMMANDS.filter((command) => !shown.includes(command))).toEqual([]);
});

/** A receiver that fails, one that refuses, a destination that an operator has paused, and calls of several outcomes. */
async function prepare(): Promise<Stage> {
  const body = '{"error":"no such list"}';
  const stage = await stageOf({
    destinations: [
      to("crm", await answering({ status: 503, body: "down for maintenance" })),
      to("mail", await answering({ status: 422, body })),
      to("ads", await answering(200)),
    ],
    delivery: { firstRetryMs: 600_000, maxRetryMs: 3_600_000 },
  });
  await stage.run(["pause", "ads"]);
  await stage.call();
  await stage.until(async () => (await stage.states())["mail"] === "dead");
  await untilTried(stage);
  // A poll has read when the first window ends.
  await stage.until(async () => (await stage.run(["lanes", "--json"])).out.join().includes('"windowEndsAt":"'));
  await stage.call({ messageId: "m2", integrations: { All: false } });
  await stage.call({ messageId: "m3", event: undefined });
  await stage.call();
  await stage.call({}, SHOP_KEY);
  return stage;
}

/** What differs from run to run, replaced. */
function masked(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "INSTANT")
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min|h)(?: \d+ (?:s|min))?(?=[\s,.;:)]|$)/gm, "DURATION")
    .replaceAll(/127\.0\.0\.1:\d+/g, "RECEIVER")
    .replaceAll(/ +/g, " ");
}

/** Ports and instants that stay the same when the guide is written anew. Their length is kept, so that tables stay straight. */
function settled(text: string, began: number): string {
  const ports = [...new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port = ""]) => port))];
  return text
    .replaceAll(/127\.0\.0\.1:(\d+)/g, (_, port: string) => `127.0.0.1:${String(FIRST_PORT + ports.indexOf(port))}`)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+(?:\.\d+)?Z/g, (instant) => {
      const moved = new Date(Date.parse(instant) - began + FIRST_INSTANT).toISOString();
      return instant.length === moved.length ? moved : moved.replace(/\.\d+Z$/, "Z");
    });
}

const FIRST_PORT = 40_001;
const FIRST_INSTANT = Date.parse("2026-01-31T12:00:00.000Z");

// Five strangers, each in an empty folder with only our tarballs. Their programs compile under the strictest settings,
// library files included, and work in plain Node.

import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read } from "../house/packages.js";
import { createStranger, moveIn, packedOnce, type Ran, type Stranger } from "../house/stranger.js";

const tarballs = packedOnce();
const SECRET = "a long shared secret";
const TESTING = ["@types/node", "fast-check", "vitest"];

const strangers: Stranger[] = [];

beforeAll(async () => {});

afterAll(() => {
  for (const stranger of strangers) stranger.remove();
});

describe("a stranger with core alone", () => {
  it("maps a call, signs it, judges a 503 and learns when to try again", async () => {
    const stranger = await settle("core-alone", ["@postrider/core"], ["@types/node"]);
    const { code, stdout, stderr } = await stranger.run("built/index.js");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    const printed = new Map(stdout.split("\n").map((line) => split(line)));
    const message = printed.get("message")!;
    expect(JSON.parse(message)).toEqual({
      version: 1,
      type: "track",
      messageId: "m1",
      userId: "u1",
      event: "Signed Up",
      properties: { plan: "pro" },
      context: {},
      timestamp: "2026-01-31T12:00:00.000Z",
      receivedAt: "2026-01-31T12:00:00.000Z",
    });
    expect(printed.get("signature")).toBe(`${signatureOf(message)} is right`);
    expect(printed.get("verdict")).toBe("retry");
    expect(printed.get("next")).toBe("2026-01-31T12:00:06.250Z");
  });
});

describe("a stranger with a store", () => {
  let stranger: Stranger;
  beforeAll(async () => {
    const ours = ["core", "relay", "fetch", "system", "memory", "testkit"].map((name) => `@postrider/${name}`);
    stranger = await settle("own-store", ours, [...TESTING, "neverthrow", "io-ts", "fp-ts"]);
  });

  it("has written it, and a host around it, in under 160 lines", () => {
    const lines = ["journal-store.ts", "index.ts"].flatMap((file) =>
      read(`test/strangers/own-store/${file}`).trim().split("\n"),
    );
    expect(lines.length).toBeLessThan(160);
  });

  it("proves it with the contract suite, in ten lines", async () => {
    const suite = read("test/strangers/own-store/contract.test.ts");
    const body = suite.slice(suite.indexOf("describe("), suite.lastIndexOf("});")).trim().split("\n");
    expect(body.slice(1).length).toBeLessThanOrEqual(10);

    const tested = await stranger.runTool("vitest/vitest.mjs", "run", "--reporter=json", "contract.test.ts");
    const report = JSON.parse(tested.stdout) as { numPassedTests: number; numFailedTests: number };
    expect(report.numFailedTests, tested.stdout).toBe(0);
    expect(report.numPassedTests).toBeGreaterThan(60);
  });

  it("delivers through relay and fetch, signed, and has it in the journal after a restart", async () => {
    const receiver = await openReceiver();
    const first = await stranger.run("built/index.js", receiver.url, "journal");
    expect(first, first.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^accepted\ndelivered .+\n$/);

    const second = await stranger.run("built/index.js", receiver.url, "journal");
    expect(second, second.stderr).toMatchObject({ code: 0, stderr: "" });
    receiver.close();
    expect(second.stdout).not.toBe(first.stdout);
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
      "Signed Up",
      "Signed Up",
    ]);
    for (const { body, signature } of receiver.received) expect(signature).toBe(signatureOf(body));
  });
});

describe("a stranger with an HTTP adapter", () => {
  const program = "test/strangers/own-http-adapter";
  const files = ["http-adapter.ts", "faults.ts", "certificates.ts", "addresses.ts"];

  it("has written it on node:http alone, in under 280 lines", () => {
    const sources = files.map((file) => read(`${program}/${file}`));
    expect(sources.flatMap((source) => source.trim().split("\n")).length).toBeLessThan(280);
    const imported = sources.flatMap((source) => [...source.matchAll(/ from "([^."][^"]*)"/g)].map(([, name]) => name));
    expect(imported.filter((name) => !name!.startsWith("node:") && name !== "@postrider/core")).toEqual([]);
  });

  it("proves it with the contract suite, and supports every part of it but the status lines that node:http does not report", async () => {
    const ours = ["core", "system", "testkit"].map((name) => `@postrider/${name}`);
    const stranger = await settle("own-http-adapter", ours, TESTING);
    const tested = await stranger.runTool("vitest/vitest.mjs", "run", "--reporter=json", "contract.test.ts");
    const report = JSON.parse(tested.stdout) as {
      readonly numPassedTests: number;
      readonly numFailedTests: number;
      readonly numPendingTests: number;
    };
    expect(report, tested.stdout).toMatchObject({ numFailedTests: 0, numPendingTests: 0 });
    expect(report.numPassedTests).toBeGreaterThan(100);
  });
});

describe("a stranger with a policy", () => {
  let stranger: Stranger;
  beforeAll(async () => {
    stranger = await settle("own-policy", ["@postrider/core", "@postrider/testkit"], TESTING);
  });

  const test = (): Promise<Ran> => stranger.runTool("vitest/vitest.mjs", "run", "--no-color", "policy.test.ts");

  it("finds the flaw that is planted in it: chance may double the longest delay", async () => {
    const { code, stdout, stderr } = await test();
    expect(code).toBe(1);
    expect(stdout).toContain("1 failed | 1 passed");
    expect(stderr).toContain("a receiver that comes back gets an attempt within half an hour");
    expect(stderr).toMatch(/Counterexample: .*"delay":/);
  });

  it("has written a schedule as a function, and finds that it gives up too soon", async () => {
    const testSchedule = (): Promise<Ran> =>
      stranger.runTool("vitest/vitest.mjs", "run", "--no-color", "schedule.test.ts");
    const { code, stdout, stderr } = await testSchedule();
    expect(code).toBe(1);
    expect(stdout).toContain("1 failed | 1 passed");
    expect(stderr).toMatch(/down for \d.* a call died after 6 tries/);
    const program = read("test/strangers/own-policy/schedule.ts");
    stranger.write("schedule.ts", program.replace("rounds > 5", "rounds > 500"));
    expect(await testSchedule()).toMatchObject({ code: 0 });
  });

  it("passes its tests once the flaw is corrected", async () => {
    stranger.write("policy.ts", read("test/strangers/own-policy/policy.ts").replace("jitter: 1,", "jitter: 0.25,"));
    expect(await test()).toMatchObject({ code: 0 });
  });
});

describe("a stranger with an incident", () => {
  it("records it, replays it from a file, and learns where a longer first pause departs", async () => {
    const ours = ["core", "relay", "system", "memory"].map((name) => `@postrider/${name}`);
    const stranger = await settle("incident", ours, ["@types/node", "neverthrow", "io-ts", "fp-ts"]);
    const { code, stdout, stderr } = await stranger.run("built/index.js");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("same: undefined: accepted, attempted, rescheduled, attempted, delivered\n");
    expect(stdout).toMatch(/other: At .* the incident asked store[.]commit .*outcome[.]dueAt: \d+ in the incident/);
    expect(stdout).toContain("replies: 503, 200\n");
  });
});

/** A stranger with one of the programs beside this file, which compiles. */
async function settle(
  program: string,
  packages: readonly string[],
  thirdParties: readonly string[],
): Promise<Stranger> {
  const stranger = await createStranger(tarballs, packages, thirdParties);
  strangers.push(stranger);
  moveIn(stranger, `test/strangers/${program}`);
  expect(await stranger.compile()).toMatchObject({ code: 0, stdout: "" });
  return stranger;
}

interface Receiver {
  readonly url: string;
  readonly received: { readonly body: string; readonly signature: unknown }[];
  close(): void;
}

async function openReceiver(): Promise<Receiver> {
  const received: Receiver["received"] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks).toString(), signature: request.headers["x-signature"] });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received, close: () => server.close() };
}

function signatureOf(body: string): string {
  return createHmac("sha1", SECRET).update(body).digest("hex");
}

function split(line: string): [word: string, rest: string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}

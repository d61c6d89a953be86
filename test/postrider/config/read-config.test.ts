import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProblem } from "../../../packages/postrider/src/config/config-problem.js";
import { readConfig, type ReadConfigResult } from "../../../packages/postrider/src/config/read-config.js";
import { configJson, tempFolder, writeConfig } from "../config-file.js";

const NO_ENV = (): undefined => undefined;

function config(read: ReadConfigResult) {
  if (read.kind === "refused") throw new Error(read.problems.map((problem) => describeProblem(problem, "FILE")).join());
  return read.config;
}

function problems(read: ReadConfigResult): readonly string[] {
  if (read.kind === "ok") throw new Error("it is good");
  return read.problems.map(({ code, path }) => `${code} ${path}`);
}

describe("a config file", () => {
  it("has relative paths that start at the folder of the file", () => {
    const folder = tempFolder();
    const file = writeConfig(configJson({ store: "sqlite:./data/postrider.db", apiToken: "file:token" }), folder);
    writeFileSync(join(folder, "token"), "t0ken-of-16-and-more\n");
    const { server } = config(readConfig(file, NO_ENV));
    expect(server.store).toEqual({ kind: "sqlite", path: join(folder, "data/postrider.db") });
    expect(server.apiToken?.reveal()).toBe("t0ken-of-16-and-more");
  });

  it("is refused where a secret is what was hidden in what it was copied from", () => {
    const endpoints = [{ url: "https://example.com/hook", headers: { Authorization: "(hidden)" } }];
    const destinations = [{ id: "crm", name: "(hidden)", sources: ["web"], endpoints, sharedSecret: ["(hidden)"] }];
    const file = writeConfig(configJson({ sources: [{ id: "web", writeKey: "(hidden)" }], destinations }));
    expect(problems(readConfig(file, NO_ENV))).toEqual([
      "missing sources[0].writeKey",
      "missing destinations[0].endpoints[0].headers.Authorization",
      "missing destinations[0].sharedSecret[0]",
    ]);
  });

  it("leaves absolute paths as they are", () => {
    const { server } = config(readConfig(writeConfig(configJson({ store: "sqlite:/var/lib/p.db" })), NO_ENV));
    expect(server.store).toEqual({ kind: "sqlite", path: "/var/lib/p.db" });
  });

  it("takes strings from the environment", () => {
    const file = writeConfig(configJson({ apiToken: "env:TOKEN" }));
    const { server } = config(readConfig(file, (name) => (name === "TOKEN" ? "t0ken-of-16-and-more" : undefined)));
    expect(server.apiToken?.reveal()).toBe("t0ken-of-16-and-more");
  });

  it("may begin with a byte order mark", () => {
    expect(readConfig(writeConfig(`\uFEFF${JSON.stringify(configJson())}`), NO_ENV).kind).toBe("ok");
  });

  it("that is missing is a problem of the whole file", () => {
    expect(problems(readConfig(join(tempFolder(), "none.json"), NO_ENV))).toEqual(["unreadable "]);
  });

  it("that is not JSON is refused without showing its content", () => {
    const read = readConfig(writeConfig('{ "apiToken": "CANARY", }'), NO_ENV);
    expect(problems(read)).toEqual(["bad-json "]);
    expect(JSON.stringify(read)).not.toContain("CANARY");
  });

  it("is refused with all of its problems, each with its path", () => {
    const destination = { id: "crm", sources: ["nobody"], endpoints: [{ url: "ftp://a.example" }], sharedSecret: "" };
    const read = readConfig(writeConfig(configJson({ destinations: [destination] })), NO_ENV);
    expect(problems(read)).toEqual(
      expect.arrayContaining([
        "unknown-source destinations[0].sources[0]",
        "bad-url destinations[0].endpoints[0].url",
        "empty-secret destinations[0].sharedSecret",
      ]),
    );
  });

  it("is refused if a reference cannot be resolved", () => {
    const file = writeConfig(configJson({ apiToken: "env:NOT_SET", store: "file:nothing" }));
    expect(problems(readConfig(file, NO_ENV))).toEqual(["missing store", "missing apiToken"]);
  });

  it("is refused for all other problems too, if a reference cannot be resolved", () => {
    const file = writeConfig(configJson({ apiToken: "env:NOT_SET", store: "env:STORE", surprise: 1 }));
    const env = (name: string) => (name === "STORE" ? "memory:" : undefined);
    expect(problems(readConfig(file, env)).toSorted()).toEqual(["missing apiToken", "unknown-key surprise"]);
  });

  it("is refused if an authority is not a certificate", () => {
    const file = writeConfig(
      configJson({ network: { ca: ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] } }),
    );
    expect(problems(readConfig(file, NO_ENV))).toEqual(["bad-certificate network.ca[0]"]);
  });

  it("is refused if an allowed range is invalid", () => {
    const file = writeConfig(configJson({ network: { allow: ["127.0.0.0/8", "300.0.0.0/8"] } }));
    expect(problems(readConfig(file, NO_ENV))).toEqual([expect.stringMatching(/ network\.allow\[1\]$/)]);
  });
});

describe("a problem in words", () => {
  it("names the path, or the file if the problem is the whole file", () => {
    const problem = { code: "empty-id", path: "sources[0].id", expected: "an id" } as const;
    expect(describeProblem(problem, "p.json")).toBe("sources[0].id: expected an id (empty-id)");
    expect(describeProblem({ ...problem, path: "" }, "p.json")).toBe("p.json: expected an id (empty-id)");
  });
});

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../config-file.js";
import { run, start } from "../test-host.js";

describe("serve --settings store", () => {
  it("begins in an empty folder: a config, keys that only their owner can read, a store, and an address that logs in", async () => {
    const folder = tempFolder();
    const file = join(folder, "postrider.json");
    const { host, ended } = await start(["serve", "--settings", "store", "--config", file, "--port", "0"]);
    const line = await host.line(/^console /);
    expect(host.lines.out[0]).toBe(`wrote ${file}, and keys beside it that only you can read`);
    const config = JSON.parse(readFileSync(file, "utf8"));
    expect(config).toMatchObject({ settings: "store", store: "sqlite:./postrider.db" });
    expect(config).not.toHaveProperty("destinations");
    for (const name of ["api-token", "sealing-key"]) {
      const key = join(folder, "postrider-keys", name);
      expect(statSync(key).mode & 0o777, name).toBe(0o600);
      expect(readFileSync(key, "utf8").trim()).toMatch(/^[\da-f]{64}$/);
      expect(line).not.toContain(readFileSync(key, "utf8").trim());
    }
    const [, origin, code] = /^console (\S+)\/console\/#login=(\S+) /.exec(line)!;
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", origin: origin! };
    const login = await fetch(`${origin!}/console/session`, {
      method: "POST",
      headers,
      body: JSON.stringify({ code }),
    });
    expect(login.status).toBe(200);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("uses the config that is there", async () => {
    const folder = tempFolder();
    const file = join(folder, "postrider.json");
    writeFileSync(file, JSON.stringify({ listen: { port: 0 }, store: "memory:" }));
    const { host, ended } = await start(["serve", "--settings", "store", "--config", file]);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ listen: { port: 0 }, store: "memory:" });
  });

  it("says where it cannot write", async () => {
    const ran = await run(["serve", "--settings", "store", "--config", "/proc/none/postrider.json"]);
    expect(ran.code).toBe(1);
    expect(ran.err.join("\n")).toContain("cannot write /proc/none/postrider.json and its keys");
  });
});

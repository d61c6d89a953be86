// The files of docs/operate: linted, in agreement with one another and with the program, and as far as possible run. Docker and
// systemd do not run here.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeConfig, expandReferences } from "@postrider/relay/settings";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { readConfig, startServer } from "postrider";
import { describe, expect, it } from "vitest";
import { read, ROOT } from "../house/packages.js";
import { run } from "../house/stranger.js";
import { lintDockerfile, readYaml } from "../programs/linters/lint.js";

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly read_only: boolean;
  readonly stop_grace_period: string;
}

const dockerfile = read("docs/operate/Dockerfile");
const compose = readYaml(read("docs/operate/compose.yaml")) as { readonly services: { readonly postrider: Service } };
const { postrider: service } = compose.services;
const unit = read("docs/operate/postrider.service");
const config = read("docs/operate/postrider.json");

/** The words of an instruction in its exec form; fails for the shell form, in which no signal reaches the program. */
function execForm(instruction: string): readonly string[] {
  const [, words = ""] = new RegExp(`^${instruction}.*?(\\[.*\\])$`, "m").exec(dockerfile) ?? [];
  return JSON.parse(words) as readonly string[];
}

describe("the config", () => {
  it("is accepted, and takes every secret from a variable that compose.yaml sets", () => {
    const names: string[] = [];
    const env = (name: string): string => {
      names.push(name);
      return "a-value-from-outside";
    };
    const expanded = expandReferences(JSON.parse(config), { env, file: () => undefined });
    expect(expanded.kind === "ok" && decodeConfig(expanded.value)).toMatchObject({ kind: "ok" });
    expect(names.sort()).toEqual(Object.keys(service.environment).sort());
  });
});

describe("the Dockerfile", () => {
  it("has no finding of the linter, which finds a wrong instruction", () => {
    expect(lintDockerfile(dockerfile)).toEqual([]);
    expect(lintDockerfile(dockerfile.replace("USER node", "USRE node"))).not.toEqual([]);
  });

  it("runs as another user than root, and starts serve without a shell", async () => {
    expect(dockerfile.indexOf("\nUSER node\n")).toBeGreaterThan(dockerfile.lastIndexOf("\nRUN "));
    const [node, program, ...none] = execForm("ENTRYPOINT");
    expect([node, none]).toEqual(["node", []]);
    expect(program).toBe("/app/node_modules/postrider/bin/postrider.js");
    const [command = "", option = ""] = execForm("CMD");
    const words = [join(ROOT, "packages/postrider/bin/postrider.js"), command, "--help"];
    expect((await run("node", words, { cwd: ROOT })).stdout).toContain(`  ${option} <file>`);
  });

  it("has a health check that is good while a server answers, and bad when none does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-operate-"));
    const path = join(folder, "postrider.json");
    const settings = JSON.parse(config) as object;
    writeFileSync(path, JSON.stringify({ ...settings, store: "memory:", listen: { host: "127.0.0.1", port: 0 } }));
    const loaded = readConfig(path, () => "a-value-from-outside");
    if (loaded.kind === "refused") throw new Error(JSON.stringify(loaded.problems));
    const parts = { clock: createSystemClock(), random: createSystemRandom(), logger: { log: () => undefined } };
    const started = await startServer({ config: loaded.config, ...parts });
    if (started.kind === "refused") throw new Error(started.reason);
    const [node = "", flag = "", script = ""] = execForm("HEALTHCHECK");
    const check = () => run(node, [flag, script.replace("http://127.0.0.1:8080", started.server.url)], { cwd: folder });
    expect(await check()).toMatchObject({ code: 0 });
    await started.server.stop();
    expect(await check()).toMatchObject({ code: 1 });
    rmSync(folder, { recursive: true });
  });
});

describe("compose.yaml", () => {
  it("passes the port of the config on, and keeps the store in a volume", () => {
    const { listen, store } = JSON.parse(config) as {
      readonly listen: { readonly port: number };
      readonly store: string;
    };
    expect(service.ports).toEqual([`127.0.0.1:${String(listen.port)}:${String(listen.port)}`]);
    expect(dockerfile).toContain(`\nEXPOSE ${String(listen.port)}\n`);
    const [, folder = ""] = service.volumes[0]!.split(":");
    expect(store).toBe(`sqlite:${folder}/postrider.db`);
    expect(execForm("VOLUME")).toEqual([folder]);
    expect(service.read_only).toBe(true);
  });

  it("gives it as long to stop as the unit and the pages do", () => {
    expect(service.stop_grace_period).toBe("25s");
    expect(unit).toContain("\nTimeoutStopSec=25\n");
    expect(read("docs/operate/probes.md")).toContain("`terminationGracePeriodSeconds: 25`");
    expect(read("docs/guides/embed.md")).toContain("25 s before it is killed");
  });
});

const hasAnalyzer = spawnSync("systemd-analyze", ["--version"]).status === 0;

// Where there is no systemd, the unit is not checked.
describe.skipIf(!hasAnalyzer)("the unit of systemd", () => {
  const analyze = (...words: readonly string[]) =>
    run("systemd-analyze", [...words, "docs/operate/postrider.service"], { cwd: ROOT });

  it("is valid", async () => {
    // `node` may be elsewhere on this machine, which is the only thing that may be reported.
    const { stderr } = await analyze("verify");
    expect(stderr.replace(/^.*\/usr\/bin\/node is not executable.*\n/gm, "")).toBe("");
  });

  it("is sandboxed: an exposure of less than 2 of 10", async () => {
    const { stdout } = await analyze("security", "--offline=true", "--no-pager");
    const [, exposure] = /exposure level for postrider\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});

// The alerts and the dashboard of docs/operate: each alert has its paragraph and its cases, and all ask for metrics that there are.
// Where promtool is installed, it checks the rules and plays their cases.

import { spawnSync } from "node:child_process";
import { renderPrometheus } from "@postrider/relay/metrics";
import { describe, expect, it } from "vitest";
import { read, ROOT } from "../house/packages.js";
import { allFamilies } from "../postrider/metrics/all-families.js";
import { readYaml } from "../programs/linters/lint.js";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = readYaml(read("docs/operate/alerts.yml")) as {
  readonly groups: readonly { rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const cases = read("docs/operate/alerts.test.yml");
const page = read("docs/operate/alerts.md");

const shown = renderPrometheus(await allFamilies());

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

describe.each(rules)("the alert $alert", ({ alert, expr, labels, annotations }) => {
  it("says in a sentence what is wrong, and leads to what to do", () => {
    expect(annotations.summary).toMatch(/^(\{\{|[A-Z]).*\.$/);
    expect(annotations.runbook).toMatch(new RegExp(`/docs/operate/alerts.md#${alert.toLowerCase()}$`));
    expect(page).toContain(`\n## ${alert}\n`);
    expect(["page", "ticket"]).toContain(labels.severity);
  });

  it("asks for metrics, labels and outcomes that there are", () => {
    const names = [...expr.matchAll(/\b(postrider_\w+)/g)].map(([name]) => name);
    for (const name of names) expect(shown).toMatch(new RegExp(`^${name}[{ ]`, "m"));
    for (const [, outcomes = ""] of expr.matchAll(/outcome=~?"([^"]*)"/g))
      for (const outcome of outcomes.split("|")) expect(shown).toContain(`outcome="${outcome}"`);
  });

  it("has a case in which it fires, and one in which it does not", () => {
    expect(cases).toMatch(new RegExp(`alertname: ${alert}, exp_alerts: \\[\\]`));
    expect(cases).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:`));
  });
});

it("the page has no alert that there is not", () => {
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
});

describe("the dashboard", () => {
  interface Panel {
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }
  const { panels } = JSON.parse(read("docs/operate/grafana.json")) as { readonly panels: readonly Panel[] };
  const graphs = panels.filter(({ type }) => type !== "row");

  it.each(graphs)("$title asks for metrics and labels that there are", ({ targets = [], description }) => {
    expect(description).toMatch(/[.]$/);
    for (const { expr, legendFormat } of targets) {
      const [name = ""] = /\b(?:postrider|http|process|nodejs)_\w+_?\w*(?=\{)/.exec(expr) ?? [];
      const samples = shown.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      expect(samples).not.toEqual([]);
      // Prometheus itself adds the labels job and instance.
      const labels = [...`${expr} ${legendFormat}`.matchAll(/(\w+)=~|\{\{(\w+)\}\}/g)].map(
        ([, one, other]) => one ?? other,
      );
      const ours = labels.filter((label) => label !== "job" && label !== "instance" && label !== "error_type");
      for (const label of ours) expect(samples.some((line) => line.includes(`${label!}="`))).toBe(true);
    }
  });

  it("has panels that lie beside each other, each with a place of 24 columns", () => {
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    expect(graphs.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!hasPromtool)("promtool", () => {
  it.each([["check rules alerts.yml"], ["test rules alerts.test.yml"]])("%s finds nothing", (words) => {
    const { status, stdout, stderr } = spawnSync("promtool", words.split(" "), { cwd: `${ROOT}/docs/operate` });
    expect([status, `${String(stdout)}${String(stderr)}`]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });
});

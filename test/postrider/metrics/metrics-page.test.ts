// The page of metrics lists each metric of a server as the server itself describes it, and none besides.

import { exposeMetrics, type MetricFamily } from "@postrider/relay/metrics";
import { expect, it } from "vitest";
import { read } from "../../house/packages.js";
import { allFamilies } from "./all-families.js";

const UNITS = { s: "seconds", By: "bytes" } as const;

function rowOf(family: MetricFamily): readonly string[] {
  const { body } = exposeMetrics({ families: [family] }, undefined);
  const [, name = "", help = ""] = /^# HELP (\S+) (.*)$/m.exec(new TextDecoder().decode(body)) ?? [];
  const labels = family.points.flatMap((point) => point.labels.map(([label]) => `\`${label.replaceAll(".", "_")}\``));
  const unit = family.unit === undefined ? "" : UNITS[family.unit];
  return [`\`${name}\``, family.kind, unit, [...new Set(labels)].join(", "), help];
}

it("the page of metrics has a row of each metric: its kind, unit, labels and what it counts", async () => {
  const { families } = await allFamilies();
  expect(families.filter(({ points }) => points.length === 0)).toEqual([]);
  const rows = read("docs/operate/metrics.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(families.map(rowOf));
});

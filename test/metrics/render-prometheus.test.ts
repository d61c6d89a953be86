import { epochMs } from "@postrider/core";
import {
  createRegistry,
  exposeMetrics,
  type MetricFamily,
  type MetricsSnapshot,
  renderPrometheus,
} from "@postrider/relay/metrics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExposition } from "./parse-exposition.js";
import { parseOpenMetrics } from "./parse-openmetrics.js";
import { playLife } from "./simulated-life.js";

const OPEN = "application/openmetrics-text;version=1.0.0";
const NOW = epochMs(1_800_000_000_000);

describe("the text of a snapshot", () => {
  it("is what a strict parser reads back, for any labels, helps and numbers", () => {
    fc.assert(
      fc.property(fc.array(anyFamily, { maxLength: 4 }), (drawn) => {
        const families = drawn.map((family, index) => ({ ...family, name: `postrider.m${index}` }));
        const parsed = parseExposition(renderPrometheus({ families }));
        const filled = families.filter(({ points }) => points.length > 0);
        expect(parsed.map(({ help }) => help)).toEqual(filled.map(({ help }) => help));
        filled.forEach((family, index) => {
          expect(samplesOf(parsed[index]!.samples)).toEqual(expectedSamples(family));
        });
      }),
    );
  });

  it("of simulated lives is read by a strict parser", async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const { events, host } = await playLife(seed);
      const registry = createRegistry();
      for (const event of events) registry.observe(event);
      const parsed = parseExposition(renderPrometheus(registry.snapshot(host.relay().lanes(), NOW)));
      expect(parsed.length).toBeGreaterThan(10);
      expect(parsed.map(({ name }) => name)).toContain("postrider_delivery_duration_seconds");
    }
  });

  it("escapes a backslash, a quote and a line feed, and nothing else", () => {
    const text = renderPrometheus(counter('a\\b"c\nd\re{}=,\u2028é', "1 \\ 2\n3"));
    expect(text).toBe(
      '# HELP postrider_m_total 1 \\\\ 2\\n3\n# TYPE postrider_m_total counter\npostrider_m_total{destination="a\\\\b\\"c\\nd\re{}=,\u2028é"} 1\n',
    );
  });

  it("names units, counters and buckets as Prometheus does", () => {
    const families: readonly MetricFamily[] = [
      { ...{ kind: "gauge", name: "postrider.lane.bytes", help: "Bytes.", unit: "By" }, points: point(0.1) },
      { ...{ kind: "gauge", name: "postrider.lane.oldest_due", help: "Due.", unit: "s" }, points: point(1e21) },
      {
        ...{ kind: "histogram", name: "postrider.claim.overdue", help: "Overdue.", unit: "s", bounds: [0.005, 1] },
        points: [{ labels: [], counts: [2, 1, 4], sum: 9.5 }],
      },
    ];
    expect(renderPrometheus({ families })).toBe(`# HELP postrider_lane_bytes Bytes.
# TYPE postrider_lane_bytes gauge
postrider_lane_bytes 0.1
# HELP postrider_lane_oldest_due_seconds Due.
# TYPE postrider_lane_oldest_due_seconds gauge
postrider_lane_oldest_due_seconds 1e+21
# HELP postrider_claim_overdue_seconds Overdue.
# TYPE postrider_claim_overdue_seconds histogram
postrider_claim_overdue_seconds_bucket{le="0.005"} 2
postrider_claim_overdue_seconds_bucket{le="1.0"} 3
postrider_claim_overdue_seconds_bucket{le="+Inf"} 7
postrider_claim_overdue_seconds_sum 9.5
postrider_claim_overdue_seconds_count 7
`);
  });

  it("has numbers of any kind, also those that are no integers of 32 bits", () => {
    const valueOf = (value: number) => {
      const family = { kind: "gauge", name: "postrider.m", help: "Help.", points: point(value) } as const;
      return renderPrometheus({ families: [family] }).split("\n")[2];
    };
    const numbers = [0, 9, 10, 2_147_483_647, 2_147_483_648, -5, -0.5, 1e21, Infinity, -Infinity, NaN];
    expect(numbers.map(valueOf)).toEqual(
      ["0", "9", "10", "2147483647", "2147483648", "-5", "-0.5", "1e+21", "+Inf", "-Inf", "NaN"].map(
        (text) => `postrider_m ${text}`,
      ),
    );
  });

  it("has a bound that is an integer with a fraction of 0, whatever its length", () => {
    const family = { kind: "histogram", name: "postrider.m", help: "Help.", bounds: [0.5, 5, 2_500] } as const;
    const text = renderPrometheus({
      families: [{ ...family, points: [{ labels: [], counts: [0, 0, 0, 0], sum: 0 }] }],
    });
    expect([...text.matchAll(/le="([^"]+)"/g)].map(([, bound]) => bound)).toEqual(["0.5", "5.0", "2500.0", "+Inf"]);
  });

  it("of a registry that has observed nothing is empty", () => {
    expect(renderPrometheus(createRegistry().snapshot([], NOW))).toBe("");
  });
});

describe("OpenMetrics", () => {
  const openText = (snapshot: MetricsSnapshot) => new TextDecoder().decode(exposeMetrics(snapshot, OPEN).body);

  it("says what the other format says, for any labels, helps and numbers", () => {
    fc.assert(
      fc.property(fc.array(anyFamily, { maxLength: 4 }), (drawn) => {
        const families = drawn.map((family, index) => ({ ...family, name: `postrider.m${index}` }));
        expect(parseOpenMetrics(openText({ families }))).toEqual(parseExposition(renderPrometheus({ families })));
      }),
    );
  });

  it("names a counter without _total, its lines with it, and has units and an end", () => {
    const families: readonly MetricFamily[] = [
      { ...{ kind: "counter", name: "postrider.m", help: 'A "\\" and\na line.' }, points: point(2) },
      { ...{ kind: "gauge", name: "postrider.lane.bytes", help: "Bytes.", unit: "By" }, points: point(3) },
    ];
    expect(openText({ families })).toBe(`# TYPE postrider_m counter
# HELP postrider_m A \\"\\\\\\" and\\na line.
postrider_m_total 2
# TYPE postrider_lane_bytes gauge
# UNIT postrider_lane_bytes bytes
# HELP postrider_lane_bytes Bytes.
postrider_lane_bytes 3
# EOF
`);
  });

  it("of a registry that has observed nothing is its end", () => {
    expect(openText(createRegistry().snapshot([], NOW))).toBe("# EOF\n");
  });

  it.each<[string | undefined, "open" | "plain"]>([
    [undefined, "plain"],
    ["", "plain"],
    ["*/*", "plain"],
    ["text/html", "plain"],
    [OPEN, "open"],
    ["Application/OpenMetrics-Text; Version=1.0.0; charset=utf-8", "open"],
    ["application/openmetrics-text", "plain"],
    ["application/openmetrics-text;version=0.0.1", "plain"],
    [`${OPEN};q=0`, "plain"],
    [`${OPEN};q=0.2,text/plain;version=0.0.4;q=0.3`, "plain"],
    // What Prometheus 2.42 and 3 send.
    [
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
      "open",
    ],
    [
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,/;q=0.1",
      "open",
    ],
  ])("to a reader that accepts %s, the answer is %s", (accept, format) => {
    const { contentType, body } = exposeMetrics(counter("crm", "Help."), accept);
    expect(contentType).toMatch(
      format === "open" ? /^application\/openmetrics-text; version=1\.0\.0;/ : /^text\/plain; version=0\.0\.4;/,
    );
    expect(new TextDecoder().decode(body).endsWith("# EOF\n")).toBe(format === "open");
  });
});

describe("the strict parser of OpenMetrics", () => {
  it.each([
    ["a text without an end", "# TYPE a counter\n# HELP a x\na_total 1\n"],
    ["a line after the end", "# EOF\n# TYPE a counter\n# HELP a x\na_total 1\n"],
    ["a counter with _total", "# TYPE a_total counter\n# HELP a_total x\na_total 1\n# EOF\n"],
    ["a unit that the name has not", "# TYPE a gauge\n# UNIT a bytes\n# HELP a x\na 1\n# EOF\n"],
    [
      "a bound that is no canonical number",
      '# TYPE h histogram\n# HELP h x\nh_bucket{le="1"} 0\nh_bucket{le="+Inf"} 0\nh_sum 0\nh_count 0\n# EOF\n',
    ],
  ])("refuses %s", (_what, text) => {
    expect(() => parseOpenMetrics(text)).toThrow();
  });
});

describe("the strict parser", () => {
  const HEAD = "# HELP a_total x\n# TYPE a_total counter\n";
  const BUCKETS = '# HELP h x\n# TYPE h histogram\nh_bucket{le="1"} 2\n';

  it.each([
    ["a last line without an end", `${HEAD}a_total 1`],
    ["a quote that is not escaped", `${HEAD}a_total{b="c"d"} 1\n`],
    ["a line feed in a label", `${HEAD}a_total{b="c\nd"} 1\n`],
    ["a backslash that is not escaped", `${HEAD}a_total{b="c\\d"} 1\n`],
    ["a label twice", `${HEAD}a_total{b="c",b="d"} 1\n`],
    ["a sample twice", `${HEAD}a_total{b="c"} 1\na_total{b="c"} 2\n`],
    ["a number in other words", `${HEAD}a_total Infinity\n`],
    ["a sample without a family", "a_total 1\n"],
    ["a name with a dot", `${HEAD}a.total 1\n`],
    ["a counter without _total", "# HELP a x\n# TYPE a counter\na 1\n"],
    ["buckets without +Inf", `${BUCKETS}h_sum 1\nh_count 2\n`],
    ["counts that fall", `${BUCKETS}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
    ["a count that is not the last bucket's", `${BUCKETS}h_bucket{le="+Inf"} 3\nh_sum 1\nh_count 2\n`],
  ])("refuses %s", (_what, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});

function counter(destination: string, help: string): MetricsSnapshot {
  const points = [{ labels: [["destination", destination] as const], value: 1 }];
  return { families: [{ kind: "counter", name: "postrider.m", help, points }] };
}

function point(value: number) {
  return [{ labels: [], value }];
}

interface Sample {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

function samplesOf(samples: readonly Sample[]): readonly (readonly [string, number])[] {
  return samples.map(({ labels, value }) => [JSON.stringify([...labels]), value]);
}

function expectedSamples(family: MetricFamily): readonly (readonly [string, number])[] {
  if (family.kind !== "histogram") return family.points.map(({ labels, value }) => [JSON.stringify(labels), value]);
  return family.points.flatMap(({ labels, counts, sum }) => {
    const until = (end: number) => counts.slice(0, end + 1).reduce((one, other) => one + other, 0);
    const texts = [...family.bounds.map((bound) => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`)), "+Inf"];
    return [
      ...texts.map((le, index) => [JSON.stringify([...labels, ["le", le]]), until(index)] as const),
      [JSON.stringify(labels), sum] as const,
      [JSON.stringify(labels), until(texts.length)] as const,
    ];
  });
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom("\\", '"', "\n", "n", ",", "}") }),
);
const anyUnit = fc.constantFrom({}, { unit: "s" } as const, { unit: "By" } as const);
const anyNumber = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
const anyFacts = fc.record({ name: fc.constant("m"), help: anyText });
const labelsFrom = (text: string, index: number) =>
  [
    ["destination", text],
    ["route", String(index)],
  ] as const;

const anyNumbers: fc.Arbitrary<MetricFamily> = fc
  .tuple(anyFacts, anyUnit, fc.constantFrom("counter", "gauge"), fc.array(fc.tuple(anyText, anyNumber)))
  .map(([facts, unit, kind, drawn]) => ({
    ...{ ...facts, ...unit, kind },
    points: drawn.map(([text, value], index) => ({ labels: labelsFrom(text, index), value: Math.abs(value) })),
  }));

const anyHistogram: fc.Arbitrary<MetricFamily> = fc
  .tuple(
    anyFacts,
    fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 6 }),
    fc.array(fc.tuple(anyText, fc.array(fc.nat(), { minLength: 7, maxLength: 7 }), anyNumber)),
  )
  .map(([facts, drawn, values]) => {
    const bounds = drawn.sort((one, other) => one - other).map((bound) => bound / 1_000);
    const points = values.map(([text, counts, sum], index) => ({
      ...{ labels: labelsFrom(text, index), counts: counts.slice(0, bounds.length + 1), sum: Math.abs(sum) },
    }));
    return { ...facts, kind: "histogram", bounds, points };
  });

const anyFamily = fc.oneof(anyNumbers, anyHistogram);

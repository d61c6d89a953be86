// A strict parser of Prometheus' text format 0.0.4, written from its description: it throws at any line that the format does
// not allow, and at a family whose lines are apart, doubled, or no histogram.

export interface ParsedSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly ParsedSample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\n]|\\\\|\\n)*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^\\"\n]|\\\\|\\"|\\n)*)"(?:,(?=[a-zA-Z_])|$)/sy;
const NUMBER = /^(?:[+-]Inf|NaN|-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/;

/** All families of a text, in its order. Throws if it is not of the format. */
export function parseExposition(text: string): readonly ParsedFamily[] {
  if (text === "") return [];
  check(text.endsWith("\n"), "the last line has no end");
  const families: { name: string; help: string; type: string; samples: ParsedSample[] }[] = [];
  const lines = text.slice(0, -1).split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const help = HELP.exec(line);
    if (help !== null) {
      const type = TYPE.exec(lines[(index += 1)] ?? "");
      check(type?.[1] === help[1], `no TYPE after ${line}`);
      check(!families.some(({ name }) => name === help[1]), `twice: ${line}`);
      families.push({ name: help[1]!, help: unescaped(help[2]!), type: type![2]!, samples: [] });
    } else {
      const family = families.at(-1);
      const sample = parseSample(line);
      check(family !== undefined && namesOf(family).includes(sample.name), `of no family: ${line}`);
      family!.samples.push(sample);
    }
  }
  families.forEach(checkFamily);
  return families;
}

function namesOf({ name, type }: { name: string; type: string }): readonly string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

function parseSample(line: string): ParsedSample {
  const [, name = "", written = "", number = ""] = SAMPLE.exec(line) ?? [];
  check(name !== "" && NUMBER.test(number), `no sample: ${line}`);
  const labels = new Map<string, string>();
  let end = 0;
  for (LABEL.lastIndex = 0; end < written.length; end = LABEL.lastIndex) {
    const found = LABEL.exec(written);
    check(found !== null, `no label at ${end}: ${line}`);
    check(!labels.has(found![1]!), `a label twice: ${line}`);
    labels.set(found![1]!, unescaped(found![2]!));
  }
  const value = number.endsWith("Inf") ? Number(`${number}inity`) : Number(number);
  return { name, labels, value };
}

function checkFamily({ name, type, samples }: ParsedFamily): void {
  const keys = samples.map((sample) => JSON.stringify([sample.name, [...sample.labels].sort()]));
  check(new Set(keys).size === keys.length, `a sample twice: ${name}`);
  check(type !== "counter" || name.endsWith("_total"), `a counter without _total: ${name}`);
  check(type === "gauge" || samples.every(({ value }) => value >= 0), `below 0: ${name}`);
  if (type === "histogram") checkHistogram(name, samples);
}

/** Of each series: ascending bounds up to +Inf, counts that do not fall, then the sum, then the count of the last bucket. */
function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  let last = { bound: -Infinity, count: 0, labels: "" };
  for (const sample of samples) {
    const rest = JSON.stringify([...sample.labels].filter(([label]) => label !== "le"));
    const le = sample.labels.get("le");
    if (sample.name === `${name}_bucket`) {
      const bound = le === "+Inf" ? Infinity : Number(le);
      if (last.bound === Infinity) last = { bound: -Infinity, count: 0, labels: rest };
      check(bound > last.bound && sample.value >= last.count, `the buckets of ${name} at ${String(le)}`);
      last = { bound, count: sample.value, labels: rest };
    } else {
      check(
        le === undefined && last.bound === Infinity && last.labels === rest,
        `${sample.name} not after its buckets`,
      );
      if (sample.name === `${name}_count`) check(sample.value === last.count, `${name}_count is not that of +Inf`);
    }
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, escape: string) => (escape === "n" ? "\n" : escape));
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

// A strict reader of OpenMetrics 1.0, as far as a registry needs it: it throws at any line that the format does not allow. What
// both formats have in common is read by the parser of the other one.

import { parseExposition, type ParsedFamily } from "./parse-exposition.js";

const END = "# EOF\n";
const HEAD =
  /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)\n(?:# UNIT (\S+) (\S+)\n)?# HELP (\S+) ((?:[^\\"\n]|\\\\|\\n|\\")*)\n/gm;
const BOUND = /[{,]le="([^"]*)"/g;
const CANONICAL = /^(?:\+Inf|\d+\.\d+|\d+(?:\.\d+)?e[+-]\d+)$/;

/** All families of a text, as the other format names them. Throws if it is not of the format. */
export function parseOpenMetrics(text: string): readonly ParsedFamily[] {
  check(text.endsWith(END) && text.indexOf(END) === text.length - END.length, "no end, or more than one");
  const plain = text.slice(0, -END.length).replaceAll(HEAD, toPlainHead);
  check(!plain.includes("# UNIT "), "a unit without a type before it, or a help after it");
  for (const [, bound = ""] of plain.matchAll(BOUND)) check(CANONICAL.test(bound), `a bound in other words: ${bound}`);
  return parseExposition(plain);
}

/** `unitOf` and `unit` are absent of a family without a unit. */
type Head = readonly [
  all: string,
  name: string,
  type: string,
  unitOf: string | undefined,
  unit: string | undefined,
  helpOf: string,
  help: string,
];

function toPlainHead(...[, name, type, unitOf, unit, helpOf, help]: Head): string {
  check(helpOf === name && (unitOf ?? name) === name, `the lines of ${name} are of others`);
  check(name.endsWith(unit === undefined ? "" : `_${unit}`), `${name} does not end in its unit ${String(unit)}`);
  check(type !== "counter" || !name.endsWith("_total"), `a counter with _total: ${name}`);
  const sample = type === "counter" ? `${name}_total` : name;
  return `# HELP ${sample} ${help.replaceAll('\\"', '"')}\n# TYPE ${sample} ${type}\n`;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

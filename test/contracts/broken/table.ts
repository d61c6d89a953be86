// All that each broken store fails, as docs/contracts.md lists it. It takes long: every case is played on every store.

import { setImmediate } from "node:timers/promises";
import {
  type ContractCase,
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreSupport,
} from "@postrider/testkit/contracts";
import type { BrokenStore } from "../broken-stores.js";
import { fails } from "../fails.js";
import { allCases, casesOn, harnessFor, isFoundByModel, MODEL_RUNS, NEVER, SEED, SUPPORTS } from "./playing.js";

export type Part = keyof DeliveryStoreSupport;

export const PARTS = Object.keys(SUPPORTS) as readonly Part[];

/** The findings about a broken store: the names of the cases that it fails, and the parts without which it passes all others. */
export interface Row {
  readonly broken: BrokenStore;
  readonly names: readonly string[];
  readonly leftOpenBy: readonly Part[];
}

export async function playStore(broken: BrokenStore): Promise<Row> {
  const names = await trippedOver(broken);
  const leftOpenBy: Part[] = [];
  for (const part of PARTS) if (await isLeftOpen({ broken, names }, part)) leftOpenBy.push(part);
  return { broken, names, leftOpenBy };
}

/**
 * The names of the cases that a store fails, each played on a separate storage; those against the model only if no other case has
 * found what it breaks. They would find most of the others too, and take twice as long as all the rest.
 */
export async function trippedOver(broken: BrokenStore): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [index, { name }] of casesOn(broken).entries()) {
    if (index >= SUITE_LENGTH && !playsModel(broken, names, name)) continue;
    const contractCase = casesOn(broken)[index];
    if (contractCase !== undefined && (await fails(contractCase))) names.push(name);
  }
  return names;
}

const SUITE_LENGTH = deliveryStoreContract(harnessFor(NEVER)).length;

/** Many runs take long: a store that is there for one case against the model plays only that. */
function playsModel({ breaks, isForModel }: BrokenStore, names: readonly string[], name: string): boolean {
  return isForModel === true ? name === breaks : !names.includes(breaks);
}

/** The parts that change what the cases against the model play. */
const PARTS_OF_MODEL: readonly Part[] = ["deletions", "board", "records", "exactSweeps"];

/** Plays again what a store failed, with a part skipped: true if it then passes all cases, those against the model among them. */
export async function isLeftOpen({ broken, names }: Omit<Row, "leftOpenBy">, part: Part): Promise<boolean> {
  if (harnessFor(broken.create(), broken.supports).supports[part] !== true) return false;
  const without = { ...broken, supports: { ...broken.supports, [part]: { reason: "it is left out" } } };
  for (const [index, { name, skipped }] of casesOn(without).entries()) {
    if (skipped !== undefined || !names.includes(name)) continue;
    if (index >= SUITE_LENGTH && !PARTS_OF_MODEL.includes(part)) return false;
    const contractCase = casesOn(without)[index];
    if (contractCase !== undefined && (await failsOrHangs(contractCase))) return false;
  }
  return broken.skipsModel === true || !(await isFoundByModel(without, SEED, MODEL_RUNS));
}

/** More turns of the event loop than a case in memory takes. */
const MOST_TURNS = 100_000;

/** Without a gate nothing ends a case that waits for ever, as for a lock. In a runner its time runs out, so it fails. */
async function failsOrHangs(one: ContractCase): Promise<boolean> {
  const playing = fails(one);
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const failed = await Promise.race([playing, setImmediate()]);
    if (failed !== undefined) return failed;
  }
  return true;
}

/** The table of what was found of all stores. */
export function writeTable(rows: readonly Row[]): string {
  return [
    "# What the contract suite of the delivery store promises, and what it catches\n",
    "Written by `test/contracts/soak/catches.ts`, which says how.\n",
    writeOpen(rows),
    writePromises(),
    `## What each of the ${String(rows.length)} broken stores trips over\n`,
    ...rows.map(writeSection),
  ].join("\n");
}

/** The part of the table that says what is promised, for which nothing has to be played. */
export function writePromises(): string {
  const promises = deliveryStoreContract(harnessFor(NEVER, SUPPORTS)).map((one) => one.name);
  const modelled = deliveryStoreModelContract(() => harnessFor(NEVER, SUPPORTS)).map((one) => one.name);
  return [
    `## The ${String(promises.length)} promises\n`,
    `${promises.map((name, index) => `${String(index + 1)}. ${name}`).join("\n")}\n`,
    "## Against a model\n",
    "`deliveryStoreModelContract` plays random commands on new storages and on a model beside them. After each command it",
    "compares the answer and all that can be seen: every delivery in full, the list of all, the counters, the lanes, the",
    "requests about users. What the port leaves free is left free: ids, the order of equals, which of several are taken under",
    "a limit, the order of commands that overlap, whether a commit is stored that a crash left without an answer.\n",
    `${modelled.map((name) => `- ${name}`).join("\n")}\n`,
  ].join("\n");
}

function writeOpen(rows: readonly Row[]): string {
  const open = PARTS.map((part) => ({
    part,
    names: rows.filter(({ leftOpenBy }) => leftOpenBy.includes(part)).map(({ broken }) => broken.name),
  }));
  const counts = open.map(({ part, names }) => [`\`${part}\``, String(casesOf(part).size), String(names.length)]);
  return [
    "## What a skipped part leaves open\n",
    "A harness gives a reason for each part of `supports` that its store cannot do. The cases of the part are skipped then, and a",
    `number of the ${String(rows.length)} broken stores below pass all others:\n`,
    `${writeColumns([["part", "cases skipped", "stores left open"], ["", "", ""], ...counts])}\n`,
    "These are the stores:\n",
    `${open.map(({ part, names }) => `- **\`${part}\`**: ${names.length === 0 ? "none" : names.join("; ")}`).join("\n")}\n`,
  ].join("\n");
}

/** A table in Markdown; the second row, which is empty, becomes the rule below the titles. */
function writeColumns(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row, index) =>
    row.map((cell, column) => cell.padEnd(widthOf(column), index === 1 ? "-" : " ")),
  );
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function writeSection({ broken: { name, breaks }, names }: Row): string {
  return `### ${name}\n\n${names.map((one) => (one === breaks ? promiseBroken(one) : `- ${one}`)).join("\n")}\n`;
}

/** The row of the promise that a store breaks. */
export function promiseBroken(name: string): string {
  return `- **${name}**`;
}

/** The names of the cases that are skipped without this part. */
export function casesOf(part: Part): ReadonlySet<string> {
  const everyCase = allCases(() => NEVER, SUPPORTS);
  const without = allCases(() => NEVER, { ...SUPPORTS, [part]: { reason: "it is left out" } });
  return new Set(everyCase.filter((_, index) => without[index]?.skipped !== undefined).map(({ name }) => name));
}

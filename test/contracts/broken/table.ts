// All that each broken store fails, as docs/contracts.md lists it. It takes long: every case is played on every store.

import {
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreSupport,
} from "@postrider/testkit/contracts";
import { BROKEN_STORES, type BrokenStore } from "../broken-stores.js";
import { allCases, casesOn, fails, harnessFor, NEVER, SUPPORTS } from "./playing.js";

/**
 * The names of the cases that a store fails, each played on a separate storage; those against the model only for a store that they
 * have to find, or that might pass if a part of `supports` was skipped. They would find most of the others too, and take twice as
 * long as all the rest.
 */
export async function trippedOver(broken: BrokenStore): Promise<readonly string[]> {
  const suite = deliveryStoreContract(harnessFor(NEVER, SUPPORTS)).map(({ name }) => name);
  const all = allCases(() => NEVER, SUPPORTS).map(({ name }) => name);
  const names = await tripped(broken, [0, suite.length]);
  return playsModel(broken, names) ? [...names, ...(await tripped(broken, [suite.length, all.length]))] : names;
}

function playsModel({ breaks, isForModel, skipsModel }: BrokenStore, names: readonly string[]): boolean {
  if (skipsModel === true) return false;
  return isForModel === true || !names.includes(breaks) || isLeftOpen(names);
}

/** Whether all of these cases are skipped together with one part of `supports`. */
function isLeftOpen(names: readonly string[]): boolean {
  return PARTS.some((part) => names.every((name) => casesOf(part).has(name)));
}

async function tripped(broken: BrokenStore, [from, until]: readonly [number, number]): Promise<readonly string[]> {
  const names: string[] = [];
  const isModel = from > 0;
  for (let index = from; index < until; index += 1) {
    const one = casesOn(broken)[index];
    // Many runs take long: of the cases against the model, such a store plays the one that it breaks.
    if (one === undefined || (broken.isForModel === true && isModel && one.name !== broken.breaks)) continue;
    if (await fails(one)) names.push(one.name);
  }
  return names;
}

/** The table in full: plays every case on every store, and tells of each store that is done. */
export async function writeTable(tell: (line: string) => void): Promise<string> {
  const rows: [BrokenStore, readonly string[]][] = [];
  for (const broken of BROKEN_STORES) {
    rows.push([broken, await trippedOver(broken)]);
    tell(`${String(rows.length)} of ${String(BROKEN_STORES.length)}: ${broken.name}`);
  }
  return [
    writePromises(),
    "## What a skipped part leaves open\n",
    "A harness gives a reason for each part of `supports` that its store cannot do. The cases of the part are skipped then, and",
    "a store that is broken in one of these ways passes all others:\n",
    `${writeOpen(rows)}\n`,
    `## What each of the ${String(BROKEN_STORES.length)} broken stores trips over\n`,
    ...rows.map(([broken, names]) => writeSection(broken, names)),
  ].join("\n");
}

/** The part of the table that says what is promised, for which nothing has to be played. */
export function writePromises(): string {
  const promises = deliveryStoreContract(harnessFor(NEVER, SUPPORTS)).map((one) => one.name);
  const modelled = deliveryStoreModelContract(() => harnessFor(NEVER, SUPPORTS)).map((one) => one.name);
  return [
    "# What the contract suite of the delivery store promises, and what it catches\n",
    "Written by `test/contracts/soak/catches.ts`, which says how.\n",
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

function writeSection({ name, breaks }: BrokenStore, failed: readonly string[]): string {
  return `### ${name}\n\n${failed.map((one) => (one === breaks ? promiseBroken(one) : `- ${one}`)).join("\n")}\n`;
}

/** The row of the promise that a store breaks. */
export function promiseBroken(name: string): string {
  return `- **${name}**`;
}

function writeOpen(tripped: readonly (readonly [BrokenStore, readonly string[]])[]): string {
  const rows = PARTS.map((part) => {
    const skipped = casesOf(part);
    const open = tripped.filter(([, names]) => names.every((name) => skipped.has(name))).map(([{ name }]) => name);
    const found = open.length === 0 ? "none of those below" : open.join("; ");
    return `- **\`${part}\`** (${String(skipped.size)} cases): ${found}`;
  });
  return rows.join("\n");
}

const PARTS = Object.keys(SUPPORTS) as readonly (keyof DeliveryStoreSupport)[];
const casesByPart = new Map<keyof DeliveryStoreSupport, ReadonlySet<string>>();

/** The names of the cases that are skipped without this part. */
function casesOf(part: keyof DeliveryStoreSupport): ReadonlySet<string> {
  const known = casesByPart.get(part);
  if (known !== undefined) return known;
  const all = allCases(() => NEVER, SUPPORTS).map(({ name }) => name);
  const without = allCases(() => NEVER, { ...SUPPORTS, [part]: { reason: "" } });
  const names = new Set(all.filter((_, index) => without[index]?.skipped !== undefined));
  casesByPart.set(part, names);
  return names;
}

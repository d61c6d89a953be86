// A situation: a state of a real server that an operator is puzzled by, what caused it, and the words by which the output of the
// commands names that cause. `look` runs the commands; the name and the causes are in none of what it returns.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../../packages/postrider/src/cli/deliveries/delivery-json.js";
import type { Stage } from "./stage.js";

export interface Situation {
  readonly name: string;
  /** For those who check answers. */
  readonly causes: readonly string[];
  /**
   * What the commands say as data, in order: `crm: paused` is a reason of the delivery to crm, `ads: filtered, historical` a unit
   * without one, and `call: refused, no-ids` a call that was not stored.
   */
  readonly facts: readonly string[];
  /** What the output has to say: one pattern for each cause. */
  readonly says: readonly RegExp[];
  /** Brings the state about. The variables change the environment of the operator's commands. */
  readonly prepare: () => Promise<Prepared>;
}

export interface Prepared extends Pick<Stage, "run"> {
  readonly env?: Readonly<Record<string, string>>;
}

/** What an operator runs for a call that did not arrive. */
const COMMANDS: readonly (readonly string[])[] = [
  ["doctor", "--message-id", "m1"],
  ["explain", "--message-id", "m1"],
  ["tail", "--no-follow"],
  ["lanes"],
];

/** The commands and what they print, as a terminal shows it. */
export async function look({ run, env }: Prepared): Promise<string> {
  const screens: string[] = [];
  for (const words of COMMANDS) {
    const { code, out, err } = await run(words, env);
    const status = code === 0 ? [] : [`(status ${String(code)})`];
    screens.push([`$ postrider ${words.join(" ")}`, ...out, ...err, ...status].join("\n"));
  }
  return `${screens.join("\n\n")}\n`;
}

/** The facts, as lines of JSON of the same commands have them. */
export async function factsOf({ run, env }: Prepared): Promise<readonly string[]> {
  const json = async (...words: readonly string[]): Promise<readonly JsonObject[]> => {
    const { out } = await run([...words, "--json"], env);
    return out.map((line) => JSON.parse(line) as JsonObject);
  };
  const deliveries = await json("deliveries", "--message-id", "m1");
  const explained = deliveries.length === 0 ? [] : await json("explain", "--message-id", "m1");
  const reasons = deliveries.flatMap(({ id, destination }) => {
    const explanation = explained.find((one) => one["id"] === id) ?? {};
    return objectsIn(explanation, "reasons").map((reason) => `${String(destination)}: ${fieldOf(reason, "kind")}`);
  });
  const calls = (await json("tail", "--no-follow", "--limit", "1000")).filter(isOfInterest);
  // Each look with a wrong key is a request with a wrong key.
  return [...new Set([...reasons, ...calls.flatMap(factsOfCall)])].sort();
}

function isOfInterest({ messageId }: JsonObject): boolean {
  return messageId === "m1" || messageId === null;
}

function factsOfCall(call: JsonObject): readonly string[] {
  const { outcome, refusal } = call;
  if (outcome === "accepted" || outcome === "filtered")
    return objectsIn(call, "filtered").map((unit) => `${destinationOf(unit)}: filtered, ${fieldOf(unit, "reason")}`);
  const code = isPlainObject(refusal) ? `, ${fieldOf(refusal, "code")}` : "";
  return [`call: ${fieldOf(call, "outcome")}${code}`];
}

function destinationOf(unit: JsonObject): string {
  return unit["destination"] === null ? "call" : fieldOf(unit, "destination");
}

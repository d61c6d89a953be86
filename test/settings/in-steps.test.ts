// Settings that are read in steps: no step looks at more than one entry of their lists, and there is a step for each.

import {
  decodeConfigInSteps,
  expandReferencesInSteps,
  findJsonFault,
  findJsonFaultInSteps,
} from "@postrider/relay/settings";
import { runSteps, type Steps } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const ENTRIES = 20;

/** A config that notes which of its entries are looked at; `changes` stand in each destination. */
function watchedConfig(changes: object = {}) {
  const touched = new Set<string>();
  const watched = (id: string, fields: object): object => ({
    ...fields,
    get id() {
      touched.add(id);
      return id;
    },
  });
  const ids = Array.from({ length: ENTRIES }, (_, index) => String(index));
  const sources = ids.map((id) => watched(`source-${id}`, { writeKey: `wk-${id}` }));
  const destinations = ids.map((id) =>
    watched(`destination-${id}`, { sources: [`source-${id}`], endpoints: [{ url: "https://a.example/" }], ...changes }),
  );
  return { config: { sources, destinations }, touched };
}

/** How many entries each step looked at. */
function entriesPerStep(steps: Steps<unknown>, touched: Set<string>): readonly number[] {
  const perStep: number[] = [];
  for (let isDone = false; !isDone;) {
    touched.clear();
    isDone = steps.next().done === true;
    perStep.push(touched.size);
  }
  return perStep;
}

describe("settings in steps", () => {
  it.each([
    ["decoded", {}],
    ["refused for a wrong type in each entry", { name: 1 }],
    ["refused for an unknown key in each entry", { surprise: 1 }],
    ["refused for a broken rule in each entry", { endpoints: [] }],
  ])("look at one entry in a step where they are %s", (_, changes) => {
    const { config, touched } = watchedConfig(changes);
    const perStep = entriesPerStep(decodeConfigInSteps(config), touched);
    expect(Math.max(...perStep)).toBe(1);
    expect(perStep.filter((entries) => entries === 1).length).toBeGreaterThanOrEqual(2 * ENTRIES);
  });

  it("have their references expanded one entry in a step", () => {
    const { config, touched } = watchedConfig({ sharedSecret: "env:SECRET" });
    const reader = { env: () => "s", file: () => undefined };
    const perStep = entriesPerStep(expandReferencesInSteps(config, reader), touched);
    expect(Math.max(...perStep)).toBe(1);
    expect(runSteps(expandReferencesInSteps(config, reader))).toMatchObject({
      kind: "ok",
      value: { destinations: Array.from({ length: ENTRIES }, () => ({ sharedSecret: "s" })) },
    });
  });

  it("that are no JSON are searched in steps, however long they are", () => {
    const text = `[${"1,".repeat(10_000)}`;
    const steps = findJsonFaultInSteps(text);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(100);
    expect(step.value).toEqual(findJsonFault(text));
    expect(step.value).toEqual({ line: 1, column: text.length + 1 });
  });
});

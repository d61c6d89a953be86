// Finds what is nested too deeply in a value from outside, without going down by calls itself: what walks such a value
// that way later, as `JSON.stringify` does, would run out of stack.

import { isPlainObject, pathTo } from "@postrider/core";

interface Place {
  readonly container: object;
  readonly parent: Place | undefined;
  readonly step: string | number;
  readonly level: number;
}

/** The path of a list or object that lies deeper than `levels`, the value itself being level 1; undefined if none does. */
export function findTooDeep(value: unknown, levels: number): string | undefined {
  const open: Place[] = isContainer(value) ? [{ container: value, parent: undefined, step: "", level: 1 }] : [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.level > levels) return pathOf(place);
    for (const inner of within(place)) open.push(inner);
  }
  return undefined;
}

function* within(parent: Place): Iterable<Place> {
  for (const [step, container] of partsOf(parent.container)) {
    if (isContainer(container)) yield { container, parent, step, level: parent.level + 1 };
  }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

function partsOf(container: object): Iterable<readonly [string | number, unknown]> {
  return Array.isArray(container) ? container.entries() : Object.entries(container);
}

/** From the root; at most `levels` steps. */
function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place = place; at.parent !== undefined; at = at.parent) steps.push(at.step);
  return steps.reduceRight<string>(pathTo, "");
}

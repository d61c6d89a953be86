// Finds a list or an object that is nested too deeply in an untrusted value, without recursion: code that recurses into
// such a value later, as `JSON.stringify` does, would run out of stack.

import { isPlainObject, pathOf, type Place, ROOT_PLACE, runSteps, type Steps } from "@postrider/core/engine";

interface Container extends Place {
  readonly container: object;
  readonly level: number;
}

/** Each container down to this level is a step; the entries of the lists of settings are at this level. */
const STEP_LEVEL = 3;

/**
 * The path of a list or an object that is nested deeper than `levels`; undefined if there is none. The whole value is
 * level 1.
 */
export function findTooDeep(value: unknown, levels: number): string | undefined {
  return runSteps(findTooDeepInSteps(value, levels));
}

/** Like `findTooDeep`, in steps of one entry of the lists of settings. @internal */
export function* findTooDeepInSteps(value: unknown, levels: number): Steps<string | undefined> {
  const open: Container[] = isContainer(value) ? [{ ...ROOT_PLACE, container: value, level: 1 }] : [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.level > levels) return pathOf(place);
    openWithin(place, open);
    if (place.level <= STEP_LEVEL) yield;
  }
  return undefined;
}

function openWithin(parent: Container, open: Container[]): void {
  const { container, level } = parent;
  const steps = Array.isArray(container) ? container.keys() : Object.keys(container);
  for (const step of steps) {
    const inner: unknown = Reflect.get(container, step);
    if (isContainer(inner)) open.push({ container: inner, parent, step, level: level + 1 });
  }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

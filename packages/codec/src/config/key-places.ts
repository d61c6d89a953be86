// Finds where in a config a key would have a meaning, for a key that was written elsewhere.

import { isPlainObject } from "@postrider/core/engine";
import { configJsonSchema } from "./config-settings.js";

/**
 * The path of the object that has the key, such as `listen` for `port`; undefined if there is none. Of several, the one in the
 * same part of the config as the key, such as `destinations`; undefined if that does not decide.
 * @internal
 */
export function placeOfKey(key: string, part: string): string | undefined {
  const places = PLACES.filter((place) => place.key === key);
  const near = places.length === 1 ? places : places.filter(({ parent }) => parent.startsWith(`${part}[]`));
  return near.length === 1 ? near[0]?.parent : undefined;
}

interface KeyPlace {
  readonly key: string;
  /** The path of the object; empty for the whole config. */
  readonly parent: string;
}

const PLACES: readonly KeyPlace[] = placesIn(configJsonSchema, "");

function placesIn(schema: unknown, parent: string): readonly KeyPlace[] {
  if (!isPlainObject(schema)) return [];
  const properties = isPlainObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const here = properties.flatMap(([key, field]) => [
    { key, parent },
    ...placesIn(field, parent === "" ? key : `${parent}.${key}`),
  ]);
  return [...here, ...placesIn(schema["items"], `${parent}[]`)];
}

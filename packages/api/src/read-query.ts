// Reads the query of a request by its allowed fields.

import type { Decoded } from "@postrider/codec";
import { type Fields, readFields } from "./read-fields.js";

/** Reads the fields of a query. A name that occurs twice gives a list, which no field of a query accepts. */
export function readQuery<T extends object>(query: string, fields: Fields<T>): Decoded<Partial<T>> {
  const given = new URLSearchParams(query);
  const pairs = [...new Set(given.keys())].map((name) => {
    const [value, ...more] = given.getAll(name);
    return [name, more.length === 0 ? value : [value, ...more]] as const;
  });
  return readFields(Object.fromEntries(pairs), fields);
}

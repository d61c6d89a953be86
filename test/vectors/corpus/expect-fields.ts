// Compares a message that has arrived with the fields that its case expects.

import { expect } from "vitest";
import type { Delivered } from "./corpus.js";
import { valueOf } from "./parts.js";
import type { Message } from "./world.js";

/** Compared as JSON text: the order of keys counts, and a long text that differs is not printed. */
export function expectFields(message: Message, { message: fields = {}, written = {} }: Delivered): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = Object.hasOwn(message, name) ? message[name] : null;
    expect(JSON.stringify(field).slice(0, 200)).toBe(JSON.stringify(valueOf(value)).slice(0, 200));
    expect(JSON.stringify(field) === JSON.stringify(valueOf(value))).toBe(true);
  }
  for (const [name, text] of Object.entries(written)) expect(JSON.stringify(message[name])).toBe(text);
}

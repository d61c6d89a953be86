// Adds an attempt that ended after its delivery was settled. The attempt changes no state and starts no window.

import type { Changes } from "@postrider/core";
import type { Contents } from "./contents.js";

export function append(contents: Contents, { id, attempt }: Changes["append"][number]): "appended" | "gone" {
  const delivery = contents.deliveries.get(id);
  if (delivery === undefined) return "gone";
  delivery.attempts = [...delivery.attempts, attempt];
  return "appended";
}

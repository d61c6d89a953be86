// Looks for deliveries until some are found: the server looks at a part of a large store at a time, and answers an empty page with the
// place where to go on.

import { type Asked, read } from "./ask.js";
import type { Deliveries } from "./shapes.js";

/** How many deliveries the server looks at for one page. */
const LOOKED_AT = 20_000;
/** The most pages of one search, which is ten million deliveries. */
const MAX_PAGES = 500;

/** The first page with a delivery, or the last one. `onProgress` is told how many deliveries were looked at. */
export async function search(path: string, onProgress: (lookedAt: number) => void): Promise<Asked<Deliveries>> {
  let asked = await readDeliveries(path, null);
  for (let pages = 1; pages < MAX_PAGES && isToGoOn(asked); pages += 1) {
    onProgress(pages * LOOKED_AT);
    asked = await readDeliveries(path, asked.value.next);
  }
  return asked;
}

/** A page of a list. `path` has a query; `after` is where the page before has ended, null for the first one. */
export function readDeliveries(path: string, after: string | null): Promise<Asked<Deliveries>> {
  return read(after === null ? path : `${path}&after=${encodeURIComponent(after)}`);
}

function isToGoOn(
  asked: Asked<Deliveries>,
): asked is { readonly kind: "ok"; readonly value: Deliveries & { readonly next: string } } {
  return asked.kind === "ok" && asked.value.deliveries.length === 0 && asked.value.next !== null;
}

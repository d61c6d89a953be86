// The time, for what counts down: moves each second while the page is seen.

import { signal } from "@preact/signals";

export const now = signal(Date.now());

const SECOND_MS = 1_000;

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, SECOND_MS);

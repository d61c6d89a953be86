import type { Page } from "playwright-core";

interface Place {
  readonly target: "browser" | "node" | "worker";
  readonly run: (code: string, endpoint: string, page: Page) => Promise<object>;
}

export const PLACES: Readonly<Record<string, Place>>;

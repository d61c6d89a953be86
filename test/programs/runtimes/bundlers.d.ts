import type { Bundle } from "../bundlers/bundle.js";

export const BUNDLERS: Readonly<Record<string, Bundle>>;

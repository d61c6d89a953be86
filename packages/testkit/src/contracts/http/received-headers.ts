// Finds the headers of one name among those that came.

import type { Header } from "@postrider/core";
import type { RecordedRequest } from "./receiver.js";

export function headerOf(request: RecordedRequest | undefined, lowerName: string): readonly string[] {
  return valuesOf(request?.headers ?? [], lowerName);
}

export function valuesOf(headers: readonly Header[], lowerName: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === lowerName).map(([, value]) => value);
}

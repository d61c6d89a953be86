// Bounds how many values a label has: the first ones are named, all further ones are one. Does not know what they name.

import { MAX_LABEL_VALUES, OTHER } from "./limits.js";

/** The label of a text: the text itself, or `other` once `MAX_LABEL_VALUES` different texts have one. */
export type LabelOf = (text: string) => string;

/** A label without any value yet. A text keeps its label as long as the registry exists. */
export function createLabelValues(): LabelOf {
  const named = new Set<string>();
  return (text) => {
    if (named.has(text)) return text;
    if (named.size >= MAX_LABEL_VALUES) return OTHER;
    named.add(text);
    return text;
  };
}

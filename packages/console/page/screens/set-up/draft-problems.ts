// The problems of a draft that the page finds itself, since the document that it makes does not show them; and which problems of a
// document are those of the draft.

import type { Problem } from "../../settings/checked.js";
import { type Document, pathOfEntry } from "../../settings/document.js";
import type { Draft } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";

/** A new entry with the id of another one would take its place. */
export function takenIds(
  { sources = [], destinations = [] }: Document,
  { id, source }: Draft,
  isNew: boolean,
): readonly Problem[] {
  const places = [
    ...(isNew ? [["destinations", destinations.findIndex((one) => one.id === id), ".id"] as const] : []),
    ["sources", sources.findIndex((one) => one.id === source?.id), ".id"] as const,
  ];
  return places
    .filter(([, index]) => index >= 0)
    .map(([list, index, key]) => ({
      code: "duplicate-id",
      path: `${list}[${String(index)}]${key}`,
      expected: TEXTS.setUp.taken,
    }));
}

/** Of two headers of one name the document has only one. Of names that differ in case the server tells. */
export function repeatedHeaders({ endpoints }: Draft, path: string): readonly Problem[] {
  return endpoints.flatMap(({ headers }, index) => {
    const names = headers.map(({ name }) => name);
    return headers
      .filter(({ name }, at) => names.indexOf(name) < at)
      .map(({ name }) => ({
        code: "duplicate-header",
        path: `${path}.endpoints[${String(index)}].headers.${name}`,
        expected: TEXTS.setUp.repeatedHeader,
      }));
  });
}

/** The texts of a file that are secret are hidden here, and no fault of what is entered. */
export function isOfDraft({ code, path }: Problem, document: Document, { id, source }: Draft): boolean {
  const own = [pathOfEntry(document, "destinations", id)];
  if (source !== undefined) own.push(pathOfEntry(document, "sources", source.id));
  return code !== "plain-secret" && own.some((one) => path.startsWith(one));
}

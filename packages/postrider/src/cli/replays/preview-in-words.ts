// Writes the preview of a replay job as text: how many deliveries, of when, by why they are dead, and what is out of reach.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { deliveryTable } from "../deliveries/delivery-table.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { counted, formatCount } from "../format-count.js";
import type { Line } from "../terminal/line.js";

const OUT_OF_REACH: readonly (readonly [name: string, why: string])[] = [
  ["purged", "their messages were purged"],
  ["destination-removed", "the config does not have their destination"],
];

/** `width`: the characters of a line of the table; if absent, nothing is cut. */
export function previewInWords(preview: JsonObject, width: number | undefined): readonly Line[] {
  const examples = objectsIn(preview, "examples");
  const { deliveries, isWhole } = preview;
  const found = `${counted(deliveries, "delivery", "deliveries")}${isWhole === false ? " or more" : ""}`;
  return [
    [{ text: `${found} can be replayed`, style: "strong" }],
    ...rangeLines(preview),
    ...objectsIn(preview, "byDestination").map((one) => countLine(one, `to ${fieldOf(one, "destination")}`)),
    ...objectsIn(preview, "byReason").map((one) => countLine(one, reasonInWords(fieldOf(one, "reason")))),
    ...outOfReachLines(preview["outOfReach"]),
    ...(examples.length > 0 ? ["", "the latest of them:", ...deliveryTable(examples, width)] : []),
  ];
}

function rangeLines(preview: JsonObject): readonly Line[] {
  return preview["oldest"] === null
    ? []
    : [`  accepted from ${fieldOf(preview, "oldest")} to ${fieldOf(preview, "newest")}`];
}

function countLine({ deliveries }: JsonObject, what: string): Line {
  return `  ${formatCount(deliveries)} ${what}`;
}

function reasonInWords(reason: string): string {
  return reason === "delivered" ? "delivered before" : `dead as ${reason}`;
}

function outOfReachLines(outOfReach: unknown): readonly Line[] {
  if (!isPlainObject(outOfReach)) return [];
  return OUT_OF_REACH.flatMap(([name, why]) => {
    const count = outOfReach[name];
    return typeof count === "number" && count > 0 ? [`  ${formatCount(count)} cannot be replayed: ${why}`] : [];
  });
}

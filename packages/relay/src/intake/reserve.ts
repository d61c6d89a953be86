// Takes the places of a message in its lanes before it is stored, so that calls which come in meanwhile see them taken,
// and gives them back should it not be stored after all.

import type { NewMessage } from "@postrider/core";
import type { LaneBook } from "../books/lane-book.js";

type Placed = Pick<NewMessage, "deliveries" | "body">;

export function reserve(lanes: LaneBook, { deliveries, body }: Placed): void {
  for (const { destination, start } of deliveries) {
    if (start.kind === "dead") continue;
    lanes.grow(destination, body.length);
    if (start.kind === "claimed") lanes.begin(destination);
  }
}

export function giveBack(lanes: LaneBook, { deliveries, body }: Placed): void {
  for (const { destination, start } of deliveries) {
    if (start.kind === "dead") continue;
    lanes.shrink(destination, body.length);
    if (start.kind === "claimed") lanes.cancel(destination);
  }
}

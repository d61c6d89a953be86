import type { Destination } from "@postrider/core";
import { checkSettings, checkSettingsInSteps } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { createRig, CRM, destination, track } from "./rig.js";

/** Destinations that count how often their endpoints are read. */
function countLooks(ids: readonly string[]) {
  let looks = 0;
  const destinations = ids.map((id): Destination => {
    const fixed = destination(id, ["a"]);
    return {
      ...fixed,
      get endpoints() {
        looks += 1;
        return fixed.endpoints;
      },
    };
  });
  return { destinations, looks: () => looks };
}

describe("settings that have been checked", () => {
  it("come into force without reading their destinations again", async () => {
    const rig = createRig({ destinations: [] });
    const { destinations, looks } = countLooks(["crm", "mail", "ads"]);
    const workspace = rig.workspace(destinations);
    const checked = checkSettings(workspace)._unsafeUnwrap();
    const before = looks();
    rig.relay().configure(checked)._unsafeUnwrap();
    expect(looks()).toBe(before);
    expect(rig.relay().workspace()).toBe(workspace);
    await rig.accept(track());
    await rig.advance(100);
    expect(rig.seen).toHaveLength(3);
  });

  it("are checked and indexed in steps of one destination", () => {
    const { destinations, looks } = countLooks(["crm", "mail", "ads"]);
    const steps = checkSettingsInSteps(createRig().workspace(destinations));
    const perStep: number[] = [];
    for (let isDone = false, before = 0; !isDone; before = looks()) {
      isDone = steps.next().done === true;
      perStep.push(looks() - before);
    }
    expect(Math.max(...perStep)).toBe(1);
    expect(perStep.filter((count) => count === 1)).toHaveLength(6);
  });

  it("are refused with all of their problems", () => {
    const broken = createRig().workspace([destination("crm", []), destination("crm", ["a"])]);
    expect(checkSettings(broken)._unsafeUnwrapErr()).toEqual([
      expect.objectContaining({ code: "no-endpoints", path: "destinations[0].endpoints" }),
      expect.objectContaining({ code: "duplicate-id", path: "destinations[1].id" }),
    ]);
  });

  it("may be those of a relay from its beginning", async () => {
    const checked = checkSettings(createRig().workspace([destination("crm", ["a"])]))._unsafeUnwrap();
    const rig = createRig({ relay: { workspace: checked } });
    await rig.accept(track());
    expect((await rig.only()).destination).toBe(CRM);
  });
});

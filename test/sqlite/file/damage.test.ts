// Whatever a disk does to a file: each body that is claimed is the one that was stored, or none is claimed. This is a short
// run; the command `npm run soak -- disk` does it a thousand times.

import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { createImages, damages, type Image, judgeDamage } from "./damage.js";

let images: { readonly closed: Image; readonly killed: Image };

beforeAll(async () => {
  images = await createImages();
});

it("no body that differs is handed out, and none is lost without an error, whatever happens to the files", async () => {
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      const image = damage.file === "log" ? images.killed : images.closed;
      expect(["right", "told", "shorter"]).toContain(await judgeDamage(image, damage));
    }),
  );
});

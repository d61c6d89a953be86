import { createHash } from "node:crypto";
import { createSecret, type SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { SHOP_KEY, WRITE_KEY } from "../canary.js";
import { destination, source, workspace } from "../ingest/world.js";
import { createRig } from "./rig.js";

const CRM = { destination: "crm", name: "Webhooks", enabled: false, paused: true, acceptsHistorical: true };
const WEBSITE = { source: "website", name: "website", destinations: [CRM] };
const SHOP = { source: "shop", name: "shop", destinations: [] };

function digestOf(key: string): string {
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

function rigOf(sources = workspace().sources) {
  return createRig({
    workspace: workspace({ sources, destinations: [destination({ enabled: false, paused: true })] }),
  });
}

describe("GET /api/sources", () => {
  it("shows the destinations of each source, and no key", async () => {
    expect(await rigOf().get("/api/sources")).toMatchObject({ status: 200, body: { sources: [WEBSITE, SHOP] } });
  });

  it("finds the source of a key by its digest, however the settings hold it", async () => {
    const hashed = { ...source("shop", SHOP_KEY), writeKey: createSecret(digestOf(SHOP_KEY)), id: "shop" as SourceId };
    const rig = rigOf([source("website", WRITE_KEY), hashed]);
    const of = async (key: string) => (await rig.get(`/api/sources?writeKey=${digestOf(key)}`)).body;
    expect(await of(WRITE_KEY)).toEqual({ sources: [WEBSITE] });
    expect(await of(SHOP_KEY)).toEqual({ sources: [SHOP] });
    expect(await of("wrong")).toEqual({ sources: [] });
  });

  it("refuses a key that is not a digest, and shows nothing of it", async () => {
    const { status, body } = await rigOf().get(`/api/sources?writeKey=${WRITE_KEY}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "bad-query", path: "writeKey" } } });
    expect(JSON.stringify(body)).not.toContain(WRITE_KEY);
  });
});

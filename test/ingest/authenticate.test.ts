import { createHash } from "node:crypto";
import { createSecret, type Workspace } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { basicAuthKey, bodyKey, createKeyIndex, queryKey } from "../../packages/http/src/ingest/sources.js";
import { SHOP_KEY, WRITE_KEY } from "../canary.js";
import { source, workspace } from "./world.js";

function encoded(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

describe("basicAuthKey", () => {
  it.each([
    ["a key and a colon", encoded("wk_website:"), "wk_website"],
    ["a key without the colon", encoded("wk_website"), "wk_website"],
    ["a password, which is ignored", encoded("wk_website:secret:more"), "wk_website"],
    ["a scheme in any case", encoded("wk_website:").replace("Basic", "bAsIc"), "wk_website"],
    ["a key beyond ASCII", encoded("schlüssel:"), "schlüssel"],
  ])("reads %s", (_, header, key) => {
    expect(basicAuthKey(header)).toBe(key);
  });

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["another scheme", "Bearer abc"],
    ["a scheme that ends like it", `X${encoded("wk_website:")}`],
    ["a scheme alone", "Basic"],
    ["an empty key", encoded(":")],
    ["what is no base64", "Basic !!!"],
    ["two words", "Basic abc def"],
  ])("finds none in %s", (_, header) => {
    expect(basicAuthKey(header)).toBeUndefined();
  });
});

describe("queryKey", () => {
  it("reads the first one, unescaped", () => {
    expect(queryKey("writeKey=k")).toBe("k");
    expect(queryKey("a=b&writeKey=schl%C3%BCssel+1&writeKey=other")).toBe("schlüssel 1");
  });

  it.each(["", "writeKey", "writeKey=", "writekey=k", "a=writeKey=k"])("finds none in %j", (query) => {
    expect(queryKey(query)).toBeUndefined();
  });
});

describe("bodyKey", () => {
  it("reads only an own field of the body that is a text", () => {
    expect(bodyKey({ writeKey: "k" })).toBe("k");
    expect(bodyKey({ writeKey: 1 })).toBeUndefined();
    expect(bodyKey({})).toBeUndefined();
    expect(bodyKey(Object.create({ writeKey: "inherited" }))).toBeUndefined();
  });
});

describe("createKeyIndex", () => {
  it("finds the source of a key, and none for a wrong one", () => {
    const find = createKeyIndex(() => workspace());
    expect(find(WRITE_KEY)?.id).toBe("website");
    expect(find(SHOP_KEY)?.id).toBe("shop");
    expect(find(WRITE_KEY.slice(0, -1))).toBeUndefined();
    expect(find("")).toBeUndefined();
    expect(find("__proto__")).toBeUndefined();
  });

  it.each([
    ["in the settings", `\n${WRITE_KEY} \r\n`, WRITE_KEY],
    ["at the caller", WRITE_KEY, ` ${WRITE_KEY}\n`],
    ["on both sides", `${WRITE_KEY}\n`, `\t${WRITE_KEY}`],
  ])("does not count blanks and line ends around a key, %s", (_, inSettings, shown) => {
    const find = createKeyIndex(() => workspace({ sources: [source("website", inSettings)] }));
    expect(find(shown)?.id).toBe("website");
    expect(find(shown.trim().replace(/^./, "$& "))).toBeUndefined();
  });

  it("finds a key by its digest, whether it was taken with the line end of the caller or without", () => {
    const digest = (key: string): string => `sha256:${createHash("sha256").update(key).digest("hex")}`;
    const sources = [source("website", digest("k")), source("shop", digest("l\n"))];
    const find = createKeyIndex(() => workspace({ sources }));
    expect(["k", "k\n", " k", "l\n", "l"].map((key) => find(key)?.id)).toEqual([
      "website",
      "website",
      "website",
      "shop",
      undefined,
    ]);
  });

  it("follows the settings in force, and reads the keys once for each", () => {
    let revealed = 0;
    const counted = (key: string): Workspace => {
      const secret = createSecret(key);
      const writeKey = { reveal: (): string => ((revealed += 1), secret.reveal()) };
      return workspace({ sources: [{ ...source("website", ""), writeKey }] });
    };
    let inForce = counted("old");
    const find = createKeyIndex(() => inForce);
    const ids = (...keys: readonly string[]) => keys.map((key) => find(key)?.id);
    expect(ids("old", "old", "new")).toEqual(["website", "website", undefined]);
    inForce = counted("new");
    expect(ids("old", "new")).toEqual([undefined, "website"]);
    expect(revealed).toBe(2);
  });

  it("finds the source of a key whose digest is in the settings, but not if a caller shows the digest", () => {
    const hex = createHash("sha256").update("schl\u00fcssel").digest("hex");
    const find = createKeyIndex(() => workspace({ sources: [source("website", `sha256:${hex}`)] }));
    expect(find("schl\u00fcssel")?.id).toBe("website");
    for (const shown of [`sha256:${hex}`, hex, "schl\u00fcsse", ""]) expect(find(shown)).toBeUndefined();
  });

  it("finds no source for a key that begins like a digest and is not one", () => {
    const find = createKeyIndex(() => workspace({ sources: [source("website", "sha256:x")] }));
    for (const shown of ["sha256:x", "x", ""]) expect(find(shown)).toBeUndefined();
  });
});

// The words of `npm run release`, the order of packages, and when a statement of origin is signed.

import { describe, expect, it } from "vitest";
import { ROOT } from "../house/packages.js";
import { readOptions } from "./options.js";
import { hasProvenance } from "./publish.js";
import { inDependencyOrder, readPackages } from "./workspace.js";

describe("npm run release", () => {
  it("publishes to the registry that is named", () => {
    const registry = "https://packages.example/npm/";
    expect(readOptions(["--registry", registry])).toEqual({ kind: "publish", registry, isDry: false });
    expect(readOptions(["--registry", registry, "--dry-run"])).toEqual({ kind: "publish", registry, isDry: true });
    expect(readOptions(["--registry", "http://127.0.0.1:4873/"])).toMatchObject({ kind: "publish" });
  });

  it("writes a version", () => {
    expect(readOptions(["--set-version", "0.2.0"])).toEqual({ kind: "set-version", version: "0.2.0" });
    expect(readOptions(["--set-version", "1.0.0-rc.1"])).toMatchObject({ kind: "set-version" });
  });

  it.each([
    [[], "--registry: expected the URL"],
    [["--registry", "packages.example"], "--registry: expected an https URL"],
    [["--registry", "http://packages.example/"], "--registry: expected an https URL, or http on this machine"],
    [["--registry", "http://127.0.0.1.example/"], "--registry: expected an https URL, or http on this machine"],
    [["--dry-run"], "--registry: expected the URL"],
    [["--set-version", "v1"], "--set-version: expected a version"],
    [["--set-version", "01.2.3"], "--set-version: expected a version"],
    [["--set-version", "1.2.3", "--registry", "https://a.example"], "--set-version: expected no other option"],
    [["--regsitry", "https://a.example"], "Unknown option '--regsitry'"],
    [["everything"], "Unexpected argument 'everything'"],
  ])("refuses %j", (words, reason) => {
    expect(readOptions(words)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) as string });
  });
});

describe("packages", () => {
  const named = (name: string, needs: readonly string[]) => ({
    name,
    folder: `packages/${name}`,
    manifest: { dependencies: Object.fromEntries(needs.map((one) => [one, "1.0.0"])) },
  });

  it("come after all that they need", () => {
    const order = inDependencyOrder(readPackages(ROOT)).map(({ name }) => name);
    expect(order[0]).toBe("@postrider/core");
    expect(order.at(-1)).toBe("postrider");
    expect(order.indexOf("@postrider/thread")).toBeLessThan(order.indexOf("postrider"));
  });

  it("that need one another in a circle are refused by name", () => {
    const circle = [named("a", ["b"]), named("b", ["a"]), named("c", [])];
    expect(() => inDependencyOrder(circle)).toThrow("in a circle: a, b");
  });
});

describe("a statement of origin", () => {
  const token = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://ci.example/token" };

  it("is signed where a CI service gives a token for it", () => {
    expect(hasProvenance(token, "https://packages.example/")).toBe(true);
    expect(hasProvenance({ SIGSTORE_ID_TOKEN: "a" }, "https://packages.example/")).toBe(true);
  });

  it("is not signed elsewhere, nor for a registry without TLS", () => {
    expect(hasProvenance({}, "https://packages.example/")).toBe(false);
    expect(hasProvenance({ SIGSTORE_ID_TOKEN: "" }, "https://packages.example/")).toBe(false);
    expect(hasProvenance(token, "http://127.0.0.1:4873/")).toBe(false);
  });
});

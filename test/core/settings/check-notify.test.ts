// Which hooks may be notified.

import { checkWorkspace, createSecret, type NotificationKind, type NotifyHook } from "@postrider/core";
import { expect, it } from "vitest";
import { workspace } from "../builders.js";

function hook(changes: Partial<NotifyHook> = {}): NotifyHook {
  return { url: "https://pager.example/hook", headers: [], secrets: [createSecret("s")], ...changes };
}

function problems(...notify: readonly NotifyHook[]): readonly string[] {
  return checkWorkspace(workspace({ notify })).map(({ code, path }) => `${code} ${path}`);
}

it("hooks with or without secrets, headers and kinds are valid", () => {
  expect(problems()).toEqual([]);
  expect(
    problems(hook(), hook({ url: "http://127.0.0.1/", secrets: [], headers: [["X-A", "b"]], on: ["store"] })),
  ).toEqual([]);
});

it("what is wrong with a hook is told by its path", () => {
  expect(problems(hook({ url: "ftp://pager.example" }))).toEqual(["bad-url notify[0].url"]);
  expect(problems(hook({ headers: [["Host", "b"]] }))).toEqual(["reserved-header notify[0].headers.Host"]);
  expect(problems(hook({ secrets: [createSecret("s"), createSecret(" ")] }))).toEqual([
    "empty-secret notify[0].secrets[1]",
  ]);
  expect(problems(hook({ on: [] }))).toEqual(["too-few notify[0].on"]);
  expect(problems(hook({ on: ["store", "party" as NotificationKind] }))).toEqual(["wrong-type notify[0].on[1]"]);
});

it("each URL is named once, and there are at most five hooks", () => {
  expect(problems(hook(), hook({ url: "https://PAGER.example:443/hook" }))).toEqual([
    "duplicate-endpoint notify[1].url",
  ]);
  const many = Array.from({ length: 6 }, (_, nth) => hook({ url: `https://pager${String(nth)}.example/` }));
  expect(problems(...many.slice(1))).toEqual([]);
  expect(problems(...many)).toEqual(["too-many notify"]);
});

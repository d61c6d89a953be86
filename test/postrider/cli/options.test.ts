import { describe, expect, it } from "vitest";
import {
  delayOption,
  instantOption,
  objectOption,
  portOption,
  serverOption,
  statusOption,
} from "../../../packages/postrider/src/cli/options.js";

describe("the values of options", () => {
  it.each([
    [portOption, "0", 0],
    [portOption, "65535", 65_535],
    [statusOption, "503", 503],
    [delayOption, "6000", 6000],
    [serverOption, "http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    [serverOption, "https://example.com/base//", "https://example.com/base"],
    [objectOption, '{"plan":"pro"}', { plan: "pro" }],
    [instantOption, "2026-01-31T12:00:00+01:00", "2026-01-31T11:00:00.000Z"],
    [instantOption, "2026-01-31", "2026-01-31T00:00:00.000Z"],
  ])("%o reads %s", (read: (text: string) => unknown, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    [portOption, "65536"],
    [portOption, "-1"],
    [portOption, "80a"],
    [portOption, ""],
    [portOption, "1e3"],
    [statusOption, "199"],
    [statusOption, "600"],
    [delayOption, "0.5"],
    [serverOption, "127.0.0.1:8080"],
    [serverOption, "ftp://example.com"],
    [objectOption, "[1]"],
    [objectOption, "{"],
    [objectOption, "null"],
    [instantOption, "yesterday"],
    [instantOption, "2026-02-30"],
  ])("%o refuses %s", (read: (text: string) => unknown, text) => {
    expect(() => read(text)).toThrow(/^Expected /);
  });
});

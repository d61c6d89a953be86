import { describe, expect, it } from "vitest";
import {
  parseDelay,
  parseInstant,
  parseJsonObject,
  parsePort,
  parseServerUrl,
  parseStatus,
} from "../../../packages/postrider/src/cli/options.js";

describe("the values of options", () => {
  it.each([
    [parsePort, "0", 0],
    [parsePort, "65535", 65_535],
    [parseStatus, "503", 503],
    [parseDelay, "6000", 6000],
    [parseServerUrl, "http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    [parseServerUrl, "https://example.com/base//", "https://example.com/base"],
    [parseJsonObject, '{"plan":"pro"}', { plan: "pro" }],
    [parseInstant, "2026-01-31T12:00:00+01:00", "2026-01-31T11:00:00.000Z"],
    [parseInstant, "2026-01-31", "2026-01-31T00:00:00.000Z"],
  ])("%o reads %s", (read: (text: string) => unknown, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    [parsePort, "65536"],
    [parsePort, "-1"],
    [parsePort, "80a"],
    [parsePort, ""],
    [parsePort, "1e3"],
    [parseStatus, "199"],
    [parseStatus, "600"],
    [parseDelay, "0.5"],
    [parseServerUrl, "127.0.0.1:8080"],
    [parseServerUrl, "ftp://example.com"],
    [parseJsonObject, "[1]"],
    [parseJsonObject, "{"],
    [parseJsonObject, "null"],
    [parseInstant, "yesterday"],
    [parseInstant, "2026-02-30"],
  ])("%o refuses %s", (read: (text: string) => unknown, text) => {
    expect(() => read(text)).toThrow(/^Expected /);
  });
});

import { expect, it } from "vitest";
import { createLevelFilter, type ServerLogLevel } from "../../../packages/postrider/src/log/server-logger.js";

it.each([
  ["debug", ["debug", "info", "warning", "error"]],
  ["info", ["info", "warning", "error"]],
  ["warning", ["warning", "error"]],
  ["error", ["error"]],
] as const)("a log from level %s on has the more important levels too", (least, passed) => {
  const seen: ServerLogLevel[] = [];
  const logger = createLevelFilter({ log: (level) => void seen.push(level) }, least);
  for (const level of ["debug", "info", "warning", "error"] as const) logger.log(level, { code: "configured" });
  expect(seen).toEqual(passed);
});

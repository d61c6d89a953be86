import { describe, expect, it } from "vitest";
import { programName } from "../../../../packages/postrider/src/cli/commands/init.js";

describe("the name by which a shell finds this program", () => {
  it.each([
    ["npx postrider", { npm_command: "exec" }],
    ["npx postrider", { npm_command: "run-script" }],
    ["npx postrider", { npm_lifecycle_event: "npx" }],
    ["npx postrider", { npm_execpath: "/usr/lib/node_modules/npm/bin/npx-cli.js" }],
    ["postrider", {}],
    ["postrider", { npm_command: "" }],
  ])("is %s in a process with %o", (name, env: Readonly<Record<string, string>>) => {
    expect(programName((key) => env[key])).toBe(name);
  });
});

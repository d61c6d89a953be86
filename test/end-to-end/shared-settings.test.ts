import { describe } from "vitest";
import { testSharedSettings } from "./shared-settings-suite.js";

describe("servers on one SQLite file that keeps their settings", () => {
  testSharedSettings(() => Promise.resolve("sqlite:./postrider.db"));
});

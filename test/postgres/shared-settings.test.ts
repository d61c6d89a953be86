import { describe } from "vitest";
import { testSharedSettings } from "../end-to-end/shared-settings-suite.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

for (const installed of installedServers().slice(0, 1)) {
  describe(`servers on ${installed.name} that keeps their settings`, () => {
    testSharedSettings(startForSuite(installed).newDatabase);
  });
}

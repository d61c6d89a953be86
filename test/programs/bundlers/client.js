// A page that makes one call. What it has made is asked for by its name.

import { createClient } from "@postrider/client";

globalThis.makeCall = async (endpoint, _storage, options, limit) => {
  const client = createClient("wk_website", { endpoint, ...options });
  client.track({ userId: "u1", event: "Bundled" });
  const report = await client.flush(limit);
  await client.close();
  return report;
};

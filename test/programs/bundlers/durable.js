// A page that makes one call over a storage. What it has made is asked for by its name.

import { createDurableClient } from "@postrider/client/durable";

globalThis.makeCall = async (endpoint, storage, options, limit) => {
  const client = createDurableClient("wk_website", { endpoint, storage, ...options });
  client.track({ userId: "u1", event: "Bundled" });
  const report = await client.flush(limit);
  await client.close();
  return report;
};

// A page that makes one call over a storage. What it has made is asked for by its name.

import { createDurableClient } from "@postrider/client/durable";

globalThis.makeCall = (endpoint, storage) => {
  const client = createDurableClient("wk_website", { endpoint, storage });
  client.track({ userId: "u1", event: "Bundled" });
  return client.flush();
};

// A page that makes one call. What it has made is asked for by its name.

import { createClient } from "@postrider/client";

globalThis.makeCall = (endpoint, _storage, options) => {
  const client = createClient("wk_website", { endpoint, ...options });
  client.track({ userId: "u1", event: "Bundled" });
  return client.flush();
};

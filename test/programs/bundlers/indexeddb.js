// A page that makes one call over the storage of the browser, which may be absent. What it has made is asked for by its name.

import { createDurableClient } from "@postrider/client/durable";
import { createIndexedDbCallStorage } from "@postrider/client/indexeddb";

globalThis.makeCall = (endpoint) =>
  new Promise((resolve) => {
    const storage = createIndexedDbCallStorage({ name: "wk_website" });
    const onDelivered = () => resolve({ delivered: 1, failed: 0, pending: 0 });
    const client = createDurableClient("wk_website", { endpoint, storage, onDelivered, flushAt: 1 });
    client.track({ userId: "u1", event: "Bundled" });
  });

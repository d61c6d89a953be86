// The code of a worker whose requests share one client, as a module of a host would have it. `ENDPOINT` is defined before it.

import { createClient } from "@postrider/client";

// It tries for longer than an outage lasts, however slow the machine is.
const retries = { firstRetryMs: 20, maxRetryMs: 200, maxRetries: 1_000 };
const client = createClient("wk_website", { endpoint: ENDPOINT, timeoutMs: 1_000, ...retries });

/** Makes a call if there is an `id`, and answers what flushing has, which may take `limit`. */
globalThis.handle = async (request, context) => {
  const { searchParams } = new URL(request.url);
  const messageId = searchParams.get("id");
  if (messageId !== null) client.track({ userId: "u1", event: "Asked", messageId });
  const flushed = client.flush({ timeoutMs: Number(searchParams.get("limit")) });
  context.waitUntil(flushed);
  return Response.json(await flushed);
};

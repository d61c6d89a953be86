// The lines by which a program makes its first call, for four ways to call.

export interface Lines {
  readonly title: string;
  readonly text: string;
}

/** `url` is that of the server. */
export function linesFor(url: string, writeKey: string): readonly Lines[] {
  return [
    {
      title: "curl",
      text: `curl -u '${writeKey}:' -d '{"userId":"u1","event":"Signed Up"}' ${url}/v1/track`,
    },
    {
      title: "@postrider/client",
      text: `import { createClient } from "@postrider/client";

const client = createClient("${writeKey}", { endpoint: "${url}" });
client.track({ userId: "u1", event: "Signed Up" });
await client.close();`,
    },
    {
      title: "@segment/analytics-node",
      text: `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({ host: "${url}", writeKey: "${writeKey}" });
analytics.track({ userId: "u1", event: "Signed Up" });
await analytics.closeAndFlush();`,
    },
    {
      title: "analytics.js",
      text: `import { AnalyticsBrowser } from "@segment/analytics-next";

const analytics = AnalyticsBrowser.load({ writeKey: "${writeKey}", cdnURL: "${url}" });
analytics.track("Signed Up");`,
    },
  ];
}

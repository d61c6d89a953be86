// The text that the demo shows when it runs: how to make a call, how to see its delivery, and the config.

import { DEMO_WRITE_KEY } from "./demo-config.js";

export interface GuideFacts {
  /** The URL of the server. */
  readonly url: string;
  readonly apiToken: string;
  /** The address of the console, which logs in once. */
  readonly consoleUrl: string;
  /** The config that is shown. */
  readonly config: object;
}

/** The lines of the text. */
export function guide({ url, apiToken, consoleUrl, config }: GuideFacts): readonly string[] {
  return [
    "Make a call; its message is shown below:",
    `  curl -u ${DEMO_WRITE_KEY}: -d '{"userId":"u1","event":"Signed Up"}' ${url}/v1/track`,
    "",
    "See it in a browser; this address logs in once, within 10 minutes:",
    `  ${consoleUrl}`,
    "",
    "See its delivery:",
    `  curl -H 'Authorization: Bearer ${apiToken}' '${url}/api/deliveries?limit=1'`,
    "",
    "The config of this server; save it as postrider.json to run your own:",
    ...JSON.stringify(config, null, 2).split("\n"),
    "  npx postrider serve --config postrider.json --port 0",
    "",
    "Ctrl-C ends the demo and removes its database.",
  ];
}

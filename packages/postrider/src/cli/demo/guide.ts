// What the demo says when it is up: how to make a call of one's own, how to see what became of it, and the config.

import { DEMO_WRITE_KEY } from "./demo-config.js";

export interface GuideFacts {
  /** Of the server. */
  readonly url: string;
  readonly apiToken: string;
  /** The config, to be shown. */
  readonly config: object;
}

/** Lines of text. */
export function guide({ url, apiToken, config }: GuideFacts): readonly string[] {
  return [
    "Make a call of your own; its message shows up below:",
    `  curl -u ${DEMO_WRITE_KEY}: -d '{"userId":"u1","event":"Signed Up"}' ${url}/v1/track`,
    "",
    "See what became of it:",
    `  curl -H 'Authorization: Bearer ${apiToken}' '${url}/api/deliveries?limit=1'`,
    "",
    "The config that it runs with; save it as postrider.json for a server of your own:",
    ...JSON.stringify(config, null, 2).split("\n"),
    "  npx postrider serve --config postrider.json --port 0",
    "",
    "Ctrl-C ends the demo and removes its database.",
  ];
}

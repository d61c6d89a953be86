// The settings that browser libraries load before their first call. They name one integration, ourselves, and send the
// library back to the host it asked: without `apiHost` it would send its calls to its maker (decision: http front).

import { type Answer, jsonAnswer } from "@postrider/http";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** What analytics.js needs to run. `host` is the Host header; the key is the one that was asked with. */
export function projectSettings(writeKey: string, host: string | undefined): Answer {
  const apiHost = host !== undefined && HOST.test(host) ? { apiHost: `${host}/v1` } : {};
  const own = { apiKey: writeKey, ...apiHost, addBundledMetadata: true, unbundledIntegrations: [] };
  // The answer is another one for another host, and as good as the settings of that moment.
  const headers: Answer["headers"] = [
    ["Vary", "Host"],
    ["Cache-Control", "no-cache"],
  ];
  const settings = {
    integrations: { "Segment.io": own },
    plan: { track: { __default: { enabled: true, integrations: {} } } },
    edgeFunction: {},
    analyticsNextEnabled: true,
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  };
  return jsonAnswer(200, settings, headers);
}

// The settings that browser libraries load before their first call. They name this server as the only integration, and
// the host of the request as `apiHost`: without `apiHost`, a library would send its calls to Segment (decision: http
// front).

import { type Answer, jsonAnswer } from "@postrider/http";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The settings that analytics.js needs to run. `host` is the Host header; `writeKey` is the key of the path. */
export function projectSettings(writeKey: string, host: string | undefined): Answer {
  const apiHost = host !== undefined && HOST.test(host) ? { apiHost: `${host}/v1` } : {};
  const own = { apiKey: writeKey, ...apiHost, addBundledMetadata: true, unbundledIntegrations: [] };
  // The answer depends on the host and on the settings in force.
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

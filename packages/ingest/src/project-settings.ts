// The settings that browser libraries load before their first call. They name this server as the only integration, and
// the host of the request as `apiHost`: without `apiHost`, a library would send its calls to Segment (decision: http
// front).

import { type Answer, jsonAnswer } from "@postrider/http";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

const MOUNT_PATH = /^(?:\/[\w.~-]+)*$/;

/**
 * The settings that analytics.js needs to run. `writeKey` is the key of the path, `host` the Host header, and `mountPath` the
 * path under which this server is mounted.
 */
export function projectSettings(writeKey: string, host: string | undefined, mountPath = ""): Answer {
  const isUsable = host !== undefined && HOST.test(host) && MOUNT_PATH.test(mountPath);
  const apiHost = isUsable ? { apiHost: `${host}${mountPath}/v1` } : {};
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

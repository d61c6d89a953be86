// The table of the keys for sources, destinations, delivery, retention and hooks: types, defaults, units and descriptions. The decoder,
// the JSON Schema and the table of keys in the README are made from it. Further rules are core's.

import { DEFAULT_DELIVERY, DEFAULT_RETENTION, type Retention, MAX_ENDPOINTS_PER_DESTINATION } from "@postrider/core";
import { DEFAULT_DESTINATION_NAME, MAX_NOTIFY_HOOKS } from "@postrider/core/engine";
import { endpointFields, secretsSetting, textOrElse, notifySetting } from "./endpoint-settings.js";
import { described, listSetting, objectSetting, type Setting } from "./setting.js";
import {
  anyText,
  burstSetting,
  destinationNameSetting,
  durationSetting,
  flagSetting,
  growthSetting,
  hoursSetting,
  idSetting,
  jitterSetting,
  scheduleSetting,
  modeSetting,
  rateSetting,
  writeKeySetting,
} from "./setting-leaves.js";
import type {
  ConnectionEntry,
  DeliveryEntry,
  DestinationEntry,
  EndpointEntry,
  NotifyEntry,
  RateLimitEntry,
  SourceEntry,
} from "./config-file.js";

/** @internal */
export const sourceSetting: Setting<SourceEntry> = objectSetting("a source: an object with id and writeKey", {
  required: {
    id: described(idSetting, "Identifies the source in settings, the API and the log; each source has a different id."),
    writeKey: described(
      writeKeySetting,
      "The key with which callers send calls; each source has a different one. A key without a colon, or sha256: and the 64 lower-case digits of its digest; blanks around it do not count.",
    ),
  },
  optional: {
    name: described(anyText, "The name of the source for people. If absent, its id."),
    rateLimit: described(
      rateLimitOf("calls"),
      "The rate of its calls; a call beyond it is answered 429. If absent, none.",
    ),
    addsIp: described(
      flagSetting,
      "Whether its calls get the address of their caller as context.ip, unless they have one.",
      false,
    ),
  },
});

/** @internal */
export const destinationSetting: Setting<DestinationEntry> = objectSetting(
  "a destination: an object with id, sources and endpoints",
  {
    required: {
      id: described(
        idSetting,
        "Identifies the destination in settings, the API and the log; each destination has a different id.",
      ),
      sources: described(
        listSetting('a list of sources, such as ["website"]', connectionSetting()),
        "The sources whose calls it gets, each once.",
      ),
      endpoints: described(
        listSetting('a list of endpoints, such as [{ "url": "https://example.com/hook" }]', endpointSetting(), {
          minItems: 1,
          maxItems: MAX_ENDPOINTS_PER_DESTINATION,
        }),
        "The URLs, of which one must take each message; each URL once.",
      ),
    },
    optional: {
      name: described(
        destinationNameSetting,
        "Its name in the integrations of a call, case sensitive; several destinations may have the same name, and none is called All.",
        DEFAULT_DESTINATION_NAME,
      ),
      enabled: described(
        flagSetting,
        "If false, new calls do not go to it, and the deliveries that wait are kept.",
        true,
      ),
      paused: described(flagSetting, "If true, its deliveries wait.", false),
      acceptsHistorical: described(flagSetting, "Whether it gets calls older than delivery.historicalAfterMs.", true),
      sharedSecret: described(
        secretsSetting,
        "Signs its messages: one secret, or several, newest first. If absent, messages are not signed.",
      ),
      standardWebhooks: described(flagSetting, "Whether the headers of Standard Webhooks are sent as well.", false),
      rateLimit: described(
        rateLimitOf("deliveries"),
        "The rate at which its deliveries start, retries included; a delivery beyond it waits. If absent, none.",
      ),
    },
  },
);

/** @internal */
export const deliverySetting: Setting<DeliveryEntry> = objectSetting("an object with durations, growth and jitter", {
  required: {},
  optional: {
    timeoutMs: duration(
      "timeoutMs",
      "How long a receiver may take to answer, from the look-up of its name to the status line",
    ),
    retryWindowMs: duration("retryWindowMs", "For how long after the first attempt retries may still start"),
    firstRetryMs: duration("firstRetryMs", "The shortest delay before a retry"),
    maxRetryMs: duration("maxRetryMs", "The longest delay before a retry, at least firstRetryMs; jitter is added"),
    maxRetryAfterMs: duration("maxRetryAfterMs", "The longest delay that a receiver can ask for by Retry-After"),
    leaseMs: duration("leaseMs", "How long a process keeps a delivery for itself, at least timeoutMs + 5000"),
    growth: described(
      growthSetting,
      "By what each delay is multiplied after a further failed round.",
      DEFAULT_DELIVERY.growth,
    ),
    jitter: described(
      jitterSetting,
      "The largest random extension of a delay, as a share of the delay: 0.5 is half of it.",
      DEFAULT_DELIVERY.jitter,
    ),
    schedule: described(scheduleSetting, "A function that decides the delays; only in code, not in a file."),
    historicalAfterMs: duration("historicalAfterMs", "A call older than this when it is received is historical"),
  },
});

/** @internal */
export const retentionSetting: Setting<Partial<Retention>> = objectSetting(
  "an object with deliveredHours and deadHours",
  {
    required: {},
    optional: {
      deliveredHours: described(
        hoursSetting,
        "How long deliveries that arrived are kept, in hours.",
        DEFAULT_RETENTION.deliveredHours,
      ),
      deadHours: described(hoursSetting, "How long dead deliveries are kept, in hours.", DEFAULT_RETENTION.deadHours),
    },
  },
);

/** The keys of a workspace; a config file has the keys of the server as well. @internal */
export const workspaceSettings: {
  readonly sources: Setting<readonly SourceEntry[]>;
  readonly destinations: Setting<readonly DestinationEntry[]>;
  readonly delivery: Setting<DeliveryEntry>;
  readonly retention: Setting<Partial<Retention>>;
  readonly notify: Setting<readonly NotifyEntry[]>;
} = {
  sources: described(
    listSetting("a list of sources", sourceSetting),
    "The sites, apps and services that send calls.",
    [],
  ),
  destinations: described(listSetting("a list of destinations", destinationSetting), "What receives calls.", []),
  delivery: described(deliverySetting, "The timing of deliveries, in milliseconds."),
  retention: described(retentionSetting, "How long finished deliveries are kept, in hours."),
  notify: described(
    listSetting('a list of hooks, such as [{ "url": "https://example.com/hook" }]', notifySetting, {
      maxItems: MAX_NOTIFY_HOOKS,
    }),
    "URLs that are told of trouble: a destination that fails, deliveries that expire, a store that is full.",
    [],
  ),
};

function duration(key: keyof DeliveryEntry, description: string): Setting<number> {
  return described(durationSetting, `${description} (milliseconds).`, DEFAULT_DELIVERY[key]);
}

function rateLimitOf(what: "calls" | "deliveries"): Setting<RateLimitEntry> {
  return objectSetting("an object with perSecond and burst", {
    required: { perSecond: described(rateSetting, `The number of ${what} per second in the long run.`) },
    optional: {
      burst: described(
        burstSetting,
        `The number of ${what} at once after a pause. If absent, perSecond, but at least 1.`,
      ),
    },
  });
}

function endpointSetting(): Setting<EndpointEntry> {
  return objectSetting("an endpoint: an object with url", endpointFields);
}

/** An entry that is only the id of a source means cloud mode. */
function connectionSetting(): Setting<ConnectionEntry> {
  return textOrElse(
    objectSetting("the id of a source, or an object", {
      required: { source: described(anyText, "The id of a source.") },
      optional: { mode: described(modeSetting, "Only cloud is offered.", "cloud") },
    }),
    anyText,
  );
}

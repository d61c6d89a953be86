// Mistakes by which a config is refused.

import { SECRET, SHOP_KEY, TOKEN, WRITE_KEY } from "../../../canary.js";
import { good, type Mistake, withDestination } from "./mistake.js";

const STORE =
  "store: expected memory:, or sqlite: and a path, such as sqlite:./postrider.db, without // after sqlite:, or a URL such as postgres://HOST/DATABASE (wrong-type)";

export const REFUSED_MISTAKES: readonly Mistake[] = [
  {
    what: "a misspelt key",
    content: good({ destnations: [] }),
    status: 2,
    says: [
      "destnations: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema; did you mean destinations? (unknown-key)",
    ],
  },
  {
    what: "a key in another case",
    content: good({ delivery: { timeoutMS: 5_000 } }),
    status: 2,
    says: [
      "delivery.timeoutMS: expected one of the keys timeoutMs, retryWindowMs, firstRetryMs, maxRetryMs, maxRetryAfterMs, leaseMs, growth, jitter, schedule, historicalAfterMs; did you mean timeoutMs? (unknown-key)",
    ],
  },
  {
    what: "a key at the wrong place",
    content: good({ port: 8080 }),
    status: 2,
    says: [
      "port: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema; port is a key of listen (unknown-key)",
    ],
  },
  {
    what: "the token called token",
    content: good({ token: TOKEN }),
    status: 2,
    says: [
      "token: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema; did you mean apiToken? (unknown-key)",
    ],
  },
  {
    what: "a key of another program",
    content: good({ databaseUrl: "postgres://x" }),
    status: 2,
    says: [
      "databaseUrl: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema (unknown-key)",
    ],
  },
  {
    what: "a key in snake case",
    content: good({ api_token: TOKEN }),
    status: 2,
    says: [
      "api_token: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema; did you mean apiToken? (unknown-key)",
    ],
  },
  {
    what: "the endpoint as a single URL",
    content: withDestination({ endpoints: "https://example.com/hook" }),
    status: 2,
    says: [
      'destinations[0].endpoints: expected a list of endpoints, such as [{ "url": "https://example.com/hook" }] (wrong-type)',
    ],
  },
  {
    what: "a url beside endpoints",
    content: withDestination({ url: "https://example.com/hook" }),
    status: 2,
    says: [
      "destinations[0].url: expected one of the keys id, sources, endpoints, name, enabled, paused, acceptsHistorical, sharedSecret, standardWebhooks, rateLimit; url is a key of destinations[].endpoints[] (unknown-key)",
    ],
  },
  {
    what: "the secret called secret",
    content: withDestination({ secret: SECRET }),
    status: 2,
    says: [
      "destinations[0].secret: expected one of the keys id, sources, endpoints, name, enabled, paused, acceptsHistorical, sharedSecret, standardWebhooks, rateLimit; did you mean sharedSecret? (unknown-key)",
    ],
  },
  {
    what: "listen as a text",
    content: good({ listen: "0.0.0.0:8080" }),
    status: 2,
    says: ["listen: expected an object with host and port (wrong-type)"],
  },
  {
    what: "the port as a text",
    content: good({ listen: { port: "8080" } }),
    status: 2,
    says: ["listen.port: expected a whole number from 0 to 65535, without quotes (wrong-type)"],
  },
  {
    what: "a port that does not exist",
    content: good({ listen: { port: 80_800 } }),
    status: 2,
    says: ["listen.port: expected a whole number from 0 to 65535, without quotes (wrong-type)"],
  },
  {
    what: "a store of another kind",
    content: good({ store: "mysql://localhost/p" }),
    status: 2,
    says: [STORE],
  },
  {
    what: "a store without sqlite:",
    content: good({ store: "./postrider.db" }),
    status: 2,
    says: [STORE],
  },
  {
    what: "a store as a URL",
    content: good({ store: "sqlite://./postrider.db" }),
    status: 2,
    says: [STORE],
  },
  ...["http://0.0.0.0", "localhost:8080", "0.0.0.0/0", "[::1]", "[::]:8080", "127.0.0.1:8080", "my host", ""].map(
    (host): Mistake => ({
      what: `the host ${JSON.stringify(host)}`,
      content: good({ listen: { host } }),
      status: 2,
      says: [
        "listen.host: expected a host name or an address, such as 127.0.0.1 or ::1, without a scheme, a port, brackets and a slash (wrong-type)",
      ],
    }),
  ),
  {
    what: "a duration with its unit",
    content: good({ delivery: { timeoutMs: "5s" } }),
    status: 2,
    says: ["delivery.timeoutMs: expected a whole number of milliseconds, such as 5000 (wrong-type)"],
  },
  {
    what: "a duration of zero",
    content: good({ delivery: { timeoutMs: 0 } }),
    status: 2,
    says: ["delivery.timeoutMs: expected a number above 0 (not-positive)"],
  },
  {
    what: "a lease that is shorter than the timeout",
    content: good({ delivery: { timeoutMs: 30_000 } }),
    status: 2,
    says: ["delivery.leaseMs: expected at least timeoutMs + 5000 (below-minimum)"],
  },
  {
    what: "true as a text",
    content: withDestination({ enabled: "true" }),
    status: 2,
    says: ["destinations[0].enabled: expected true or false (wrong-type)"],
  },
  {
    what: "a missing write key",
    content: good({ sources: [{ id: "website" }] }),
    status: 2,
    says: ["sources[0].writeKey: expected the key writeKey with a string (missing)"],
  },
  {
    what: "a write key with a colon",
    content: good({ sources: [{ id: "website", writeKey: "wk:1" }] }),
    status: 2,
    says: [
      "sources[0].writeKey: expected a write key without a colon, since Basic auth ends a key there (bad-write-key)",
    ],
  },
  {
    what: "a digest in capitals",
    content: good({ sources: [{ id: "website", writeKey: `sha256:${"AB".repeat(32)}` }] }),
    status: 2,
    says: ["sources[0].writeKey: expected sha256: and 64 lower-case hexadecimal digits (bad-write-key)"],
  },
  {
    what: "an empty id",
    content: good({ sources: [{ id: "", writeKey: WRITE_KEY }], destinations: [] }),
    status: 2,
    says: ["sources[0].id: expected an id (empty-id)"],
  },
  {
    what: "an id that no address can have",
    content: good({ destinations: [{ id: "..", sources: ["website"], endpoints: [{ url: "https://a.test" }] }] }),
    status: 2,
    says: ["destinations[0].id: expected an id other than . and .. (reserved-name)"],
  },
  {
    what: "a variable that is not set",
    content: good({ apiToken: "env:NOPE" }),
    status: 2,
    says: ["apiToken: expected the name of an environment variable that is set; NOPE is not (missing)"],
  },
  {
    what: "a variable that is empty",
    content: withDestination({ sharedSecret: "env:EMPTY" }),
    status: 2,
    says: ["destinations[0].sharedSecret: expected a secret that is not blank, or none (empty-secret)"],
  },
  {
    what: "a file that is not there",
    content: good({ apiToken: "file:secrets/token" }),
    status: 2,
    says: ["apiToken: expected the path of a file that can be read; secrets/token is not (missing)"],
  },
  {
    what: "a secret behind file:",
    content: good({ apiToken: `file:${TOKEN}` }),
    status: 2,
    says: ["apiToken: expected the path of a file that can be read (missing)"],
  },
  {
    what: "a variable for a number",
    content: good({ listen: { port: "env:PORT" } }),
    status: 2,
    says: ["listen.port: expected a whole number from 0 to 65535, without quotes (wrong-type)"],
  },
  {
    what: "two sources of one id",
    content: good({
      sources: [
        { id: "website", writeKey: WRITE_KEY },
        { id: "website", writeKey: SHOP_KEY },
      ],
    }),
    status: 2,
    says: ["sources[1].id: expected an id that is used only once; sources[0] has the same (duplicate-id)"],
  },
  {
    what: "two sources of one key",
    content: good({
      sources: [
        { id: "website", writeKey: WRITE_KEY },
        { id: "shop", writeKey: WRITE_KEY },
      ],
    }),
    status: 2,
    says: [
      "sources[1].writeKey: expected a write key that no other source has; sources[0] has the same (duplicate-write-key)",
    ],
  },
  {
    what: "an endpoint twice",
    content: withDestination({ endpoints: [{ url: "https://example.com" }, { url: "https://EXAMPLE.com/" }] }),
    status: 2,
    says: [
      "destinations[0].endpoints[1].url: expected each URL once, also when written differently; destinations[0].endpoints[0] has the same (duplicate-endpoint)",
    ],
  },
  {
    what: "an unknown source",
    content: withDestination({ sources: ["web"] }),
    status: 2,
    says: ["destinations[0].sources[0]: expected the id of a source (unknown-source)"],
  },
  {
    what: "a source twice",
    content: withDestination({ sources: ["website", { source: "website" }] }),
    status: 2,
    says: [
      "destinations[0].sources[1]: expected each source once; destinations[0].sources[0] is the same (duplicate-source)",
    ],
  },
  {
    what: "a URL without a scheme",
    content: withDestination({ endpoints: [{ url: "example.com/hook" }] }),
    status: 2,
    says: [
      "destinations[0].endpoints[0].url: expected a full http or https URL without spaces, such as https://example.com/hook (bad-url)",
    ],
  },
  {
    what: "a URL with a password",
    content: withDestination({ endpoints: [{ url: "https://user:CANARY@example.com/hook" }] }),
    status: 2,
    says: [
      "destinations[0].endpoints[0].url: expected a URL without user and password; send them as an Authorization header (url-credentials)",
    ],
  },
  {
    what: "a URL with a space at its end",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook " }] }),
    status: 2,
    says: [
      "destinations[0].endpoints[0].url: expected a full http or https URL without spaces, such as https://example.com/hook (bad-url)",
    ],
  },
  {
    what: "a URL with a fragment",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook#top" }] }),
    status: 2,
    says: ["destinations[0].endpoints[0].url: expected a URL without a fragment (url-fragment)"],
  },
  {
    what: "no endpoints",
    content: withDestination({ endpoints: [] }),
    status: 2,
    says: ["destinations[0].endpoints: expected at least 1 endpoint (no-endpoints)"],
  },
  {
    what: "six endpoints",
    content: withDestination({
      endpoints: [1, 2, 3, 4, 5, 6].map((n) => ({ url: `https://example.com/${String(n)}` })),
    }),
    status: 2,
    says: ["destinations[0].endpoints: expected at most 5 endpoints (too-many-endpoints)"],
  },
  {
    what: "a header that delivery sets",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook", headers: { "Content-Type": "x" } }] }),
    status: 2,
    says: [
      'destinations[0].endpoints[0].headers["Content-Type"]: expected a header that delivery does not set itself (reserved-header)',
    ],
  },
  {
    what: "a header with a colon in its name",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook", headers: { "Authorization:": "x" } }] }),
    status: 2,
    says: [
      'destinations[0].endpoints[0].headers["Authorization:"]: expected a header name: letters, digits and hyphens (bad-header-name)',
    ],
  },
  {
    what: "device mode",
    content: withDestination({ sources: [{ source: "website", mode: "device" }] }),
    status: 2,
    says: ["destinations[0].sources[0].mode: expected cloud (device-mode-not-offered)"],
  },
  {
    what: "the name All",
    content: withDestination({ name: "All" }),
    status: 2,
    says: ["destinations[0].name: expected a name other than All, which stands for every destination (reserved-name)"],
  },
  {
    what: "an empty list of secrets",
    content: withDestination({ sharedSecret: [] }),
    status: 2,
    says: [
      "destinations[0].sharedSecret: expected a secret, or a list of at least one secret; leave out sharedSecret to send unsigned messages (wrong-type)",
    ],
  },
  {
    what: "a blank secret",
    content: withDestination({ sharedSecret: " " }),
    status: 2,
    says: ["destinations[0].sharedSecret: expected a secret that is not blank, or none (empty-secret)"],
  },
  {
    what: "a token of one character",
    content: good({ apiToken: "x" }),
    status: 2,
    says: ["apiToken: expected a token of at least 16 characters, such as openssl rand -hex 16 makes (wrong-type)"],
  },
  {
    what: "a name among the allowed addresses",
    content: good({ network: { allow: ["localhost"] } }),
    status: 2,
    says: ["network.allow[0]: expected an IP address, or a range such as 10.0.0.0/8 (wrong-type)"],
  },
  {
    what: "a range with too many bits",
    content: good({ network: { allow: ["10.0.0.0/33"] } }),
    status: 2,
    says: ["network.allow[0]: expected an IP address, or a range such as 10.0.0.0/8 (wrong-type)"],
  },
  {
    what: "the path of a certificate without file:",
    content: good({ network: { ca: ["./ca.pem"] } }),
    status: 2,
    says: ["network.ca[0]: expected the text of a PEM certificate; file:PATH reads it from a file (wrong-type)"],
  },
  {
    what: "a certificate that is damaged",
    content: good({ network: { ca: ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] } }),
    status: 2,
    says: ["network.ca[0]: expected a whole certificate as PEM text; this one is damaged (bad-certificate)"],
  },
  {
    what: "several mistakes at once",
    content: {
      colour: 1,
      listen: { port: "x" },
      sources: [{ id: "a" }, { id: "a", writeKey: "" }],
      destinations: [{ id: "d", sources: ["b"], endpoints: [{ url: "nope" }] }],
      delivery: { leaseMs: 1 },
    },
    status: 2,
    says: [
      "sources[0].writeKey: expected the key writeKey with a string (missing)",
      "listen.port: expected a whole number from 0 to 65535, without quotes (wrong-type)",
      "colour: expected one of the keys listen, store, settings, sealingKeys, settingsReferences, apiToken, metricsToken, viewerToken, console, trustedProxies, sources, destinations, delivery, retention, notify, senderThread, network, $schema (unknown-key)",
      "sources[1].writeKey: expected a write key (empty-write-key)",
      "destinations[0].endpoints[0].url: expected a full http or https URL without spaces, such as https://example.com/hook (bad-url)",
      "delivery.leaseMs: expected at least timeoutMs + 5000 (below-minimum)",
    ],
  },
  {
    what: "hooks with a kind that there is not, an empty list, a blank secret and one URL twice",
    content: good({
      notify: [
        { url: "https://example.com/a", on: ["lane-helt"] },
        { url: "https://example.com/b", on: [], sharedSecret: " " },
        { url: "https://example.com/b" },
      ],
    }),
    status: 2,
    says: [
      "notify[0].on[0]: expected one of lane-failing, lane-held, lane-open, window-at-risk, deaths, shedding, store, deletion-late, outbox (wrong-type)",
      "notify[2].url: expected each URL once, also when written differently; notify[1] has the same (duplicate-endpoint)",
      "notify[1].sharedSecret: expected a secret that is not blank, or none (empty-secret)",
      "notify[1].on: expected at least one kind; leave out on for all (too-few)",
    ],
  },
];

// Mistakes in a config that serve accepts, of which `check` warns.

import { createHash } from "node:crypto";
import { SECRET, TOKEN, WRITE_KEY } from "../../../canary.js";
import { DESTINATION, good, type Mistake, withDestination } from "./mistake.js";

export const SILENT_MISTAKES: readonly Mistake[] = [
  {
    what: "a hook at a private address, with a short secret",
    content: good({ notify: [{ url: "http://10.1.2.3/hook", sharedSecret: "s3cret", standardWebhooks: true }] }),
    status: 0,
    says: [
      'warning: notify[0].url: http://10.1.2.3/hook is not a public address, so no connection is made to it; if it is meant, write "network": { "allow": ["10.1.2.3"] } (forbidden-address)',
      "warning: notify[0].sharedSecret: the secret is shorter than 16 characters, so signatures could be forged; use one from openssl rand -hex 32, here and at the receiver (weak-secret)",
    ],
  },
  {
    what: "a hook whose Standard Webhooks nothing signs",
    content: good({ notify: [{ url: "https://example.com/hook", standardWebhooks: true }] }),
    status: 0,
    says: [
      'warning: notify[0].standardWebhooks: there is no sharedSecret to sign with, so none of the headers of Standard Webhooks is sent; add "sharedSecret": "env:NAME" to the hook, or remove standardWebhooks (unsigned-webhook)',
    ],
  },
  {
    what: "a dollar in place of env:",
    content: withDestination({ sharedSecret: "$CRM_SECRET_OF_PRODUCTION" }),
    status: 0,
    says: [
      'warning: destinations[0].sharedSecret: it contains what looks like a variable, which is used as it is written; write "env:NAME" as the whole value, and put the whole value into the variable NAME (unexpanded-variable)',
    ],
  },
  {
    what: "a variable in a URL",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook?token=${TOKEN}" }] }),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].url: it contains what looks like a variable, which is used as it is written; write "env:NAME" as the whole value, and put the whole value into the variable NAME (unexpanded-variable)',
    ],
  },
  {
    what: "a variable behind a word in a header",
    content: withDestination({
      endpoints: [{ url: "https://example.com/hook", headers: { Authorization: "Bearer env:TOKEN" } }],
    }),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].headers.Authorization: it contains what looks like a variable, which is used as it is written; write "env:NAME" as the whole value, and put the whole value into the variable NAME (unexpanded-variable)',
    ],
  },
  {
    what: "a template in a header",
    content: withDestination({ endpoints: [{ url: "https://example.com/hook", headers: { "X-Key": "{{ key }}" } }] }),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].headers["X-Key"]: it contains what looks like a variable, which is used as it is written; write "env:NAME" as the whole value, and put the whole value into the variable NAME (unexpanded-variable)',
    ],
  },
  {
    what: "a secret that ends with a line end",
    content: withDestination({ sharedSecret: `${SECRET}\n` }),
    status: 0,
    says: [
      "warning: destinations[0].sharedSecret: the secret ends with a line end, and the receiver has to verify signatures with it; remove it where the text comes from, as with printf %s in place of echo (untidy-secret)",
    ],
  },
  {
    what: "a blank before the second secret of two, and a line end in a hook's",
    content: withDestination(
      { sharedSecret: [SECRET, ` ${SECRET}2`] },
      { notify: [{ url: "https://example.com/hook", sharedSecret: `${SECRET}\r\n3` }] },
    ),
    status: 0,
    says: [
      "warning: destinations[0].sharedSecret[1]: the secret begins with a blank, and the receiver has to verify signatures with it; remove it where the text comes from, as with printf %s in place of echo (untidy-secret)",
      "warning: notify[0].sharedSecret: the secret has a line end in it, and the receiver has to verify signatures with it; remove it where the text comes from, as with printf %s in place of echo (untidy-secret)",
    ],
  },
  {
    what: "a blank behind the value of a header and a token; one behind a write key does not count",
    content: withDestination(
      { endpoints: [{ url: "https://example.com/hook", headers: { Authorization: "Bearer x " } }] },
      { metricsToken: `${TOKEN}-2\n`, sources: [{ id: "website", writeKey: `${WRITE_KEY} ` }] },
    ),
    status: 0,
    says: [
      "warning: destinations[0].endpoints[0].headers.Authorization: the value ends with a blank, and HTTP leaves open whether it is part of the value; remove it where the text comes from, as with printf %s in place of echo (untidy-secret)",
      "warning: metricsToken: the token ends with a line end, and no header can show it, so the token opens nothing; remove it where the text comes from, as with printf %s in place of echo (untidy-secret)",
    ],
  },
  {
    what: "port 0, and a header whose name proxies drop",
    content: withDestination({ endpoints: [{ url: "https://example.com:0/hook", headers: { x_api_key: "x" } }] }),
    status: 0,
    says: [
      "warning: destinations[0].endpoints[0].url: no server has port 0, so no connection can be made; write the port of the receiver (unusual-endpoint)",
      "warning: destinations[0].endpoints[0].headers.x_api_key: its name has _, and many proxies, such as nginx, drop such headers without a word; write - in place of _, if the receiver takes that (unusual-header)",
    ],
  },
  {
    what: "a short secret",
    content: withDestination({ sharedSecret: "s3cret" }),
    status: 0,
    says: [
      "warning: destinations[0].sharedSecret: the secret is shorter than 16 characters, so signatures could be forged; use one from openssl rand -hex 32, here and at the receiver (weak-secret)",
    ],
  },
  {
    what: "a token of one repeated character",
    content: good({ apiToken: "x".repeat(32) }),
    status: 0,
    says: [
      "warning: apiToken: the token has fewer than 6 different characters, so it could be guessed; use one from openssl rand -hex 16 (weak-token)",
    ],
  },
  {
    what: "a short token on all addresses",
    content: good({ listen: { host: "0.0.0.0", port: 8080 } }),
    status: 0,
    says: [
      "warning: apiToken: the token is shorter than 24 characters, so it could be guessed from other machines, since the server listens on 0.0.0.0; use one from openssl rand -hex 16 (weak-token)",
    ],
  },
  {
    what: "a token of a collector of one repeated character",
    content: good({ metricsToken: "y".repeat(32) }),
    status: 0,
    says: [
      "warning: metricsToken: the token has fewer than 6 different characters, so it could be guessed; use one from openssl rand -hex 16 (weak-token)",
    ],
  },
  {
    what: "a receiver on localhost",
    content: withDestination({ endpoints: [{ url: "http://localhost:3000/hook" }] }),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].url: http://localhost:3000/hook is not a public address, so no connection is made to it; if it is meant, write "network": { "allow": ["127.0.0.0/8", "::1"] } (forbidden-address)',
    ],
  },
  {
    what: "a receiver at a private address, and another range allowed",
    content: withDestination(
      { endpoints: [{ url: "http://10.1.2.3/hook" }] },
      { network: { allow: ["192.168.0.0/16"] } },
    ),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].url: http://10.1.2.3/hook is not a public address, so no connection is made to it; if it is meant, write "network": { "allow": ["192.168.0.0/16", "10.1.2.3"] } (forbidden-address)',
    ],
  },
  {
    what: "a receiver at an IPv6 address of this machine",
    content: withDestination({ endpoints: [{ url: "http://[::1]:3000/hook" }] }),
    status: 0,
    says: [
      'warning: destinations[0].endpoints[0].url: http://[::1]:3000/hook is not a public address, so no connection is made to it; if it is meant, write "network": { "allow": ["::1"] } (forbidden-address)',
    ],
  },
  {
    what: "an empty object",
    content: {},
    status: 0,
    says: [
      'warning: sources: there is none, so all calls are refused, and serve opens the store postrider.db; add "sources": [{ "id": "website", "writeKey": "env:WRITE_KEY" }] (no-sources)',
      "note: apiToken: there is none, so the API and the commands that use it are off (no-api-token)",
    ],
  },
  {
    what: "a source without a destination",
    content: good({ destinations: [] }),
    status: 0,
    says: [
      'warning: sources[0]: calls of website are accepted and delivered nowhere; add "website" to the "sources" of a destination (unconnected-source)',
    ],
  },
  {
    what: "a destination without a source",
    content: good({ destinations: [{ ...DESTINATION, sources: [] }] }),
    status: 0,
    says: [
      'warning: sources[0]: calls of website are accepted and delivered nowhere; add "website" to the "sources" of a destination (unconnected-source)',
      "warning: destinations[0].sources: no source is connected, so crm gets no calls; add the id of a source to the list (unconnected-destination)",
    ],
  },
  {
    what: "a retry window in seconds",
    content: good({ delivery: { retryWindowMs: 14_400 } }),
    status: 0,
    says: [
      "warning: delivery.retryWindowMs: it is below 60000 milliseconds: a short outage of a receiver ends its deliveries; leave it out for the default, 14400000, or set another number of milliseconds (unusual-number)",
    ],
  },
  {
    what: "a timeout of an hour",
    content: good({ delivery: { timeoutMs: 3_600_000, leaseMs: 3_606_000 } }),
    status: 0,
    says: [
      "warning: delivery.timeoutMs: it is above 60000 milliseconds: a receiver that hangs keeps its slot for that long; leave it out for the default, 5000, or set another number of milliseconds (unusual-number)",
      "warning: delivery.leaseMs: it is above 3600000 milliseconds: after a crash, its deliveries wait for that long; leave it out for the default, 30000, or set another number of milliseconds (unusual-number)",
    ],
  },
  {
    what: "days in place of hours",
    content: good({ retention: { deadHours: 20_000 } }),
    status: 0,
    says: [
      "warning: retention.deadHours: it is above 8760 hours: the store grows for more than a year; leave it out for the default, 168, or set another number of hours (unusual-number)",
    ],
  },
  {
    what: "a token that is the write key",
    content: good({ apiToken: WRITE_KEY }),
    status: 0,
    says: [
      "warning: apiToken: the token is also sources[0].writeKey, so every caller of that source can use the API; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "a token whose digest is that of the write key",
    content: good({
      apiToken: WRITE_KEY,
      sources: [{ id: "website", writeKey: `sha256:${createHash("sha256").update(WRITE_KEY).digest("hex")}` }],
    }),
    status: 0,
    says: [
      "warning: apiToken: the token is also sources[0].writeKey, so every caller of that source can use the API; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "a token of a collector that is the write key",
    content: good({ metricsToken: WRITE_KEY }),
    status: 0,
    says: [
      "warning: metricsToken: the token is also sources[0].writeKey, so every caller of that source can read the metrics; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "one token for the API and the metrics",
    content: good({ apiToken: TOKEN, metricsToken: TOKEN }),
    status: 0,
    says: [
      "warning: metricsToken: the token is also apiToken, so a collector of the metrics can use the API; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "one token for operators and viewers of the console",
    content: good({ apiToken: TOKEN, viewerToken: TOKEN }),
    status: 0,
    says: [
      "warning: viewerToken: the token is also apiToken, so people who may only look can change everything; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "a token of viewers that is the write key",
    content: good({ viewerToken: WRITE_KEY }),
    status: 0,
    says: [
      "warning: viewerToken: the token is also sources[0].writeKey, so every caller of that source can look at the console; use another one, from openssl rand -hex 16 (same-secret)",
    ],
  },
  {
    what: "secrets that are the token and a write key",
    content: withDestination({ sharedSecret: [TOKEN, SECRET, WRITE_KEY] }),
    status: 0,
    says: [
      "warning: destinations[0].sharedSecret: the secret is also apiToken, so the receiver can use the API; use another one, from openssl rand -hex 32, here and at the receiver (same-secret)",
      "warning: destinations[0].sharedSecret: the secret is also sources[0].writeKey, so callers of that source could forge signatures; use another one, from openssl rand -hex 32, here and at the receiver (same-secret)",
    ],
  },
  {
    what: "Standard Webhooks without a secret",
    content: withDestination({ sharedSecret: undefined, standardWebhooks: true }),
    status: 0,
    says: [
      'warning: destinations[0].standardWebhooks: there is no sharedSecret to sign with, so none of the headers of Standard Webhooks is sent; add "sharedSecret": "env:NAME" to the destination, or remove standardWebhooks (unsigned-webhook)',
    ],
  },
  {
    what: "a network that allows everything, among other ranges",
    content: good({ network: { allow: ["10.0.0.0", "0.0.0.0/0", "::/0", "2001:db8::/96", "::ffff:0.0.0.0/96"] } }),
    status: 0,
    says: [
      ["network.allow[1]", "IPv4"],
      ["network.allow[2]", "IPv6"],
      ["network.allow[4]", "IPv4"],
    ].map(
      ([path, family]) =>
        `warning: ${path}: it has every ${family} address, so deliveries may also reach this machine and private networks; name only the ranges of the receivers, such as 10.0.0.0/8 (every-address)`,
    ),
  },
  {
    what: "proxies at every address",
    content: good({ trustedProxies: ["10.0.0.0/10", "0.0.0.0/0", "::/0"] }),
    status: 0,
    says: [
      ["trustedProxies[1]", "IPv4"],
      ["trustedProxies[2]", "IPv6"],
    ].map(
      ([path, family]) =>
        `warning: ${path}: it has every ${family} address, so every caller can give any address as its address; name only the addresses of the proxies (every-address)`,
    ),
  },
];

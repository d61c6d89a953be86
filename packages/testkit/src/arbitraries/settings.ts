// Settings that `checkWorkspace` accepts: up to five endpoints, static headers, secrets of all lengths, connected
// sources or not, and delivery policies with windows from a millisecond to a week.

import {
  type Connection,
  createSecret,
  type Destination,
  destinationId,
  type Endpoint,
  type Header,
  NOTIFICATION_KINDS,
  type NotifyHook,
  readEndpointUrl,
  type Secret,
  type Source,
  type SourceId,
  sourceId,
  type Workspace,
  type DeliveryPolicy,
  type RetryPolicy,
} from "@postrider/core";
import fc, { type Arbitrary } from "fast-check";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import { nastyStrings } from "./nasty-json.js";

/** The most sources of a generated workspace. */
const MAX_SOURCES = 4;

/** Endpoint URLs that are accepted, plain and odd. */
export function endpointUrls(): Arbitrary<string> {
  const odd = fc.constantFrom(
    "http:example.com",
    "HTTPS://EXAMPLE.COM:443/%7e",
    "http://[2001:db8::1]:8080/hook?a=1&a=2",
    "https://b\u00fccher.example/\u00fc?\u00fc",
    "http://example.com./?",
    "http://xn--bcher-kva.example/hook/",
  );
  return fc.oneof(plainUrls(), odd).filter((url) => readEndpointUrl(url).kind === "ok");
}

/** `fc.webUrl` is not used: it takes a second to build. */
function plainUrls(): Arbitrary<string> {
  return fc
    .record({
      scheme: fc.constantFrom("http", "https"),
      host: fc.stringMatching(/^[a-z][a-z0-9]{0,9}\.example$/),
      port: fc.oneof(
        fc.constant(""),
        fc.integer({ min: 1, max: 65_535 }).map((port) => `:${String(port)}`),
      ),
      path: fc.stringMatching(/^(\/[\w.~!$&'()*+,;=:@-]{0,6}){0,3}$/),
      query: fc.stringMatching(/^(\?[\w=&%+-]{0,10})?$/),
    })
    .map(({ scheme, host, port, path, query }) => `${scheme}://${host}${port}${path}${query}`);
}

/**
 * Shared secrets: short ones, ones longer than a block of SHA-1, ones that end in NUL or are not valid Unicode. Never
 * blank.
 */
export function secrets(): Arbitrary<Secret> {
  const lengths = fc.constantFrom(1, 63, 64, 65, 200).map((length) => "k".repeat(length));
  return fc
    .oneof(lengths, nastyStrings(), fc.constantFrom("k\u0000", "\ud800", " k"))
    .filter((text) => text.trim() !== "")
    .map(createSecret);
}

/** Static headers of an endpoint: at most five, each name once. */
export function staticHeaders(): Arbitrary<readonly Header[]> {
  const name = fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/).filter((text) => !/^x-signature$/i.test(text));
  const value = fc.stringMatching(/^[\t -~\u0080-\u00ff]{0,20}$/);
  return fc.uniqueArray(fc.tuple(name, value), { maxLength: 5, selector: ([text]) => text.toLowerCase() });
}

/** Destinations that are connected to any of these sources. */
export function destinations(sources: readonly SourceId[]): Arbitrary<Destination> {
  return fc.record({
    id: fc.uuid().map((id) => destinationId(id)),
    name: fc.oneof(fc.constantFrom("Webhooks", "webhooks", "constructor"), nastyStrings()).filter((n) => n !== "All"),
    enabled: fc.boolean(),
    paused: fc.boolean(),
    acceptsHistorical: fc.boolean(),
    sources: fc
      .subarray([...sources])
      .map((connected) => connected.map((source) => ({ source, mode: "cloud" as const }))),
    endpoints: endpoints(),
    secrets: fc.array(secrets(), { maxLength: 2 }),
    standardWebhooks: fc.boolean(),
  });
}

/** A hook that gets notifications of trouble. */
function notifyHooks(): Arbitrary<NotifyHook> {
  const hook = fc.record({
    url: endpointUrls(),
    headers: staticHeaders(),
    secrets: fc.array(secrets(), { maxLength: 2 }),
    standardWebhooks: fc.boolean(),
    on: fc.option(fc.subarray([...NOTIFICATION_KINDS], { minLength: 1 }), { nil: undefined }),
  });
  return hook.map(({ on, ...rest }) => ({ ...rest, ...(on === undefined ? {} : { on }) }));
}

/** Any workspace that a relay accepts. */
export function workspaces(): Arbitrary<Workspace> {
  const hours = fc.integer({ min: 1, max: 1_000 });
  const connections = fc.array(fc.boolean(), { minLength: MAX_SOURCES, maxLength: MAX_SOURCES });
  const withConnections = fc.tuple(destinations([]), connections);
  return fc
    .record({
      sources: fc.uniqueArray(sources(), { maxLength: MAX_SOURCES, selector: ({ id }) => id }),
      destinations: fc.uniqueArray(withConnections, { maxLength: 4, selector: ([{ id }]) => id }),
      delivery: deliveryPolicies(),
      retention: fc.record({ deliveredHours: hours, deadHours: hours }),
      notify: fc.uniqueArray(notifyHooks(), { maxLength: 2, selector: ({ url }) => new URL(url).href }),
    })
    .map((workspace) => ({
      ...workspace,
      destinations: workspace.destinations.map(([destination, isConnected]) => ({
        ...destination,
        sources: connect(workspace.sources.filter((_, index) => isConnected[index])),
      })),
    }));
}

function connect(connectedSources: readonly Source[]): readonly Connection[] {
  return connectedSources.map(({ id }) => ({ source: id, mode: "cloud" }));
}

function sources(): Arbitrary<Source> {
  return fc.tuple(fc.uuid(), nastyStrings()).map(([id, name]) => ({
    id: sourceId(id),
    name,
    writeKey: createSecret(`wk_${id}`),
  }));
}

function endpoints(): Arbitrary<readonly Endpoint[]> {
  return fc.uniqueArray(fc.record({ url: endpointUrls(), headers: staticHeaders() }), {
    minLength: 1,
    maxLength: 5,
    selector: ({ url }) => normalFormOf(url),
  });
}

function normalFormOf(text: string): string {
  const url = readEndpointUrl(text);
  return url.kind === "ok" ? url.id : text;
}

const WEEK_MS = 604_800_000;

/** The least difference between a lease and the timeout. */
const LEASE_MARGIN_MS = LEASE_SLACK_MS + 3_000;

/** Any policy that settings allow, sensible or not. */
export function retryPolicies(): Arbitrary<RetryPolicy> {
  return fc
    .record({
      retryWindowMs: durations(WEEK_MS),
      firstRetryMs: durations(3_600_000),
      moreMs: fc.oneof(fc.constant(0), durations(WEEK_MS)),
      growth: fc.oneof(fc.constantFrom(1, 2), fc.double({ min: 1, max: 10, noNaN: true })),
      jitter: fc.oneof(fc.constantFrom(0, 0.5), fc.double({ min: 0, max: 2, noNaN: true })),
      maxRetryAfterMs: durations(WEEK_MS),
    })
    .map(({ moreMs, ...policy }) => ({ ...policy, maxRetryMs: policy.firstRetryMs + moreMs }));
}

/** A retry policy together with the other delivery settings. */
export function deliveryPolicies(): Arbitrary<DeliveryPolicy> {
  return fc
    .record({
      retry: retryPolicies(),
      timeoutMs: durations(60_000),
      slackMs: durations(60_000),
      historicalAfterMs: durations(WEEK_MS),
    })
    .map(({ retry, timeoutMs, slackMs, historicalAfterMs }) => ({
      ...retry,
      timeoutMs,
      leaseMs: timeoutMs + LEASE_MARGIN_MS + slackMs,
      historicalAfterMs,
    }));
}

/** From 1 ms to `maxMs`; each order of magnitude is equally likely. Sometimes not a whole number. */
function durations(maxMs: number): Arbitrary<number> {
  const size = fc.double({ min: 0, max: Math.log10(maxMs), noNaN: true }).map((power) => 10 ** power);
  return fc.oneof({ weight: 5, arbitrary: size.map(Math.round) }, size);
}

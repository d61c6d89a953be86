// Looks up the name of each endpoint, vets its addresses and shakes hands by TLS, as deliveries do. Each origin is probed once,
// a few at a time. Sends no HTTP request.

import { counted } from "../format-count.js";
import type { Config } from "@postrider/codec";
import type { Fault } from "@postrider/core";
import { createEndpointProbe, type ProbedEndpoint } from "@postrider/undici";
import { calledDestination, calledHook } from "../../config/called.js";
import { allowLine } from "../../config/forbidden-endpoints.js";
import { createProgressDisplay } from "../progress-display.js";
import type { Host } from "../host.js";
import type { CheckFinding } from "./check-finding.js";
import { CERTIFICATE_MARGIN_MS, MAX_PROBED_ORIGINS, PROBE_LIMIT_MS, PROBES_AT_ONCE } from "./limits.js";

/** An origin, and the path of the first endpoint that has it. */
interface Origin {
  readonly url: string;
  readonly path: string;
}

/** A finding for each origin. */
export async function checkEndpoints(config: Config, host: Host): Promise<readonly CheckFinding[]> {
  const all = originsOf(config);
  const origins = all.slice(0, MAX_PROBED_ORIGINS);
  const { clock } = host;
  const { network } = config.server;
  const probe = createEndpointProbe({ clock, network, limitMs: PROBE_LIMIT_MS });
  const display = createProgressDisplay(host);
  let done = 0;
  const findings = await mapAFewAtOnce(origins, async (origin) => {
    const probed = await probe(origin.url);
    done += 1;
    display.show({ doing: "probing receivers", done, total: origins.length });
    return judge(origin, probed, { allowed: network.allow, now: clock.wall() });
  });
  display.clear();
  return all.length === origins.length ? findings : [...findings, notChecked(all.length - origins.length)];
}

function originsOf({ workspace }: Config): readonly Origin[] {
  const called = [...workspace.destinations.map(calledDestination), ...(workspace.notify ?? []).map(calledHook)];
  const origins = called.flatMap(({ endpoints }) =>
    endpoints.map(({ url, path }) => ({ url: new URL(url).origin, path: `${path}.url` })),
  );
  const first = new Map(origins.toReversed().map((origin) => [origin.url, origin]));
  return origins.filter((origin) => first.get(origin.url) === origin);
}

async function mapAFewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const next = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of next) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: PROBES_AT_ONCE }, run));
  return results;
}

interface Surroundings {
  readonly allowed: readonly string[];
  readonly now: number;
}

function judge({ url, path }: Origin, probed: ProbedEndpoint, { allowed, now }: Surroundings): CheckFinding {
  const { fault, addresses, certificateEndsAt } = probed;
  if (fault === "forbidden-address") {
    const refused = addresses.filter(({ isAllowed }) => !isAllowed).map(({ address }) => address);
    const message = `${url} leads to ${refused.join(", ")}, which may not be reached, so no connection is made`;
    return { kind: "warning", code: fault, path, message, change: allowLine(allowed, refused) };
  }
  if (fault !== undefined) return { kind: "fault", code: fault, path, message: `${url}: ${faultInWords(fault)}` };
  const leftMs = certificateEndsAt === undefined ? Infinity : Date.parse(certificateEndsAt) - now;
  const until = certificateEndsAt === undefined ? "" : `, its certificate is valid until ${certificateEndsAt}`;
  const message = `${url} takes connections${until}`;
  return leftMs > CERTIFICATE_MARGIN_MS
    ? { kind: "ok", code: "reachable", path, message }
    : { kind: "warning", code: "certificate-ends", path, message, change: "its operator has to renew it" };
}

/** What is wrong, and what can be done about it. */
const FAULTS_IN_WORDS: Readonly<Partial<Record<Fault, string>>> = {
  dns: "no address was found for its name; correct the name, or add it to DNS",
  local: "the resolver or the network of this machine does not work; see /etc/resolv.conf",
  timeout: `no connection within ${String(PROBE_LIMIT_MS / 1_000)} s; is a firewall between?`,
  "connection-refused": "nothing listens there; start the receiver, or correct the port",
  "connection-reset": "it closed the connection at once; is the port that of another service?",
  "connection-closed": "it closed the connection at once; is the port that of another service?",
  "self-signed":
    'its certificate is signed by its own key, which is always refused; use one of an authority, whose certificate "network.ca" can name',
  "certificate-expired":
    "its certificate has expired or is not valid yet; its operator has to renew it, or a clock is wrong",
  "certificate-host": "its certificate is for another name; use a name of its certificate in the URL",
  "certificate-issuer":
    'its certificate is by an authority that is not trusted; if it is yours, write "network": { "ca": ["file:./authority.pem"] }',
  tls: "the TLS handshake has failed; it needs TLS 1.2 or later, and a key of 2,048 bits or more",
};

function faultInWords(fault: Fault): string {
  return FAULTS_IN_WORDS[fault] ?? `no connection could be made (${fault})`;
}

function notChecked(count: number): CheckFinding {
  return {
    kind: "note",
    code: "not-checked",
    path: "destinations",
    message: `${counted(count, "more origin was", "more origins were")} not checked`,
  };
}

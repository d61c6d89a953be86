// Looks up the name of each origin, vets its addresses and shakes hands by TLS, as deliveries do, and reports what it finds. Probes a
// few at a time. Sends no HTTP request.

import type { NetworkSettings } from "@postrider/relay/settings";
import type { Clock, Fault } from "@postrider/core";
import { createEndpointProbe, type ListenAddress, type ProbedEndpoint } from "@postrider/undici";
import { isIP } from "node:net";
import { allowLine } from "./endpoint-warnings.js";
import { CERTIFICATE_MARGIN_MS, MAX_ADDRESSES_SHOWN, PROBE_LIMIT_MS, PROBES_AT_ONCE } from "./limits.js";

/** The origin of a receiver, and the path in the config of an endpoint that has it. */
export interface PlacedOrigin {
  readonly url: string;
  readonly path: string;
}

/** The finding at an origin. `fault`: no delivery would arrive now. `warning`: it works otherwise than was probably meant. */
export interface OriginFinding {
  readonly kind: "fault" | "warning" | "ok";
  /** A fault of an attempt, or `reachable` or `certificate-ends`. */
  readonly code: string;
  readonly path: string;
  readonly message: string;
  /** The advice: an addition or a change. */
  readonly change?: string;
}

export interface OriginProbeOptions {
  readonly clock: Clock;
  readonly network: NetworkSettings;
  /** The addresses on which this server listens, which no delivery may reach; empty if absent. */
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
  /** True if a finding names the addresses behind a host name, which no delivery reports. */
  readonly showsAddresses: boolean;
  /** Called each time that an origin has been probed, with their number so far. */
  readonly onProbed?: (count: number) => void;
}

/** A finding for each origin, in their order. Takes at most `PROBE_LIMIT_MS` for each `PROBES_AT_ONCE` of them. */
export async function probeOrigins(
  origins: readonly PlacedOrigin[],
  { clock, network, refuse, showsAddresses, onProbed }: OriginProbeOptions,
): Promise<readonly OriginFinding[]> {
  const probe = createEndpointProbe({ clock, network, refuse, limitMs: PROBE_LIMIT_MS });
  const findings: OriginFinding[] = [];
  let count = 0;
  // The runs share one iterator, so that each origin is probed once.
  const remaining = origins.entries();
  const run = async (): Promise<void> => {
    for (const [index, origin] of remaining) {
      const probed = await probe(origin.url);
      onProbed?.((count += 1));
      findings[index] = judge(origin, probed, { allowed: network.allow, showsAddresses, now: clock.wall() });
    }
  };
  await Promise.all(Array.from({ length: PROBES_AT_ONCE }, run));
  return findings;
}

interface Surroundings {
  readonly allowed: readonly string[];
  readonly showsAddresses: boolean;
  readonly now: number;
}

function judge(origin: PlacedOrigin, probed: ProbedEndpoint, surroundings: Surroundings): OriginFinding {
  const { url, path } = origin;
  const { fault, addresses, certificateEndsAt } = probed;
  if (fault === "forbidden-address") return judgeForbidden(origin, probed, surroundings);
  const { now, showsAddresses } = surroundings;
  const place = showsAddresses ? placeInWords(url, addresses) : url;
  if (fault !== undefined) return { kind: "fault", code: fault, path, message: `${place}: ${faultInWords(fault)}` };
  const leftMs = certificateEndsAt === undefined ? Infinity : Date.parse(certificateEndsAt) - now;
  const until = certificateEndsAt === undefined ? "" : `, its certificate is valid until ${certificateEndsAt}`;
  const message = `${place === url ? url : `${place}, and`} takes connections${until}`;
  return leftMs > CERTIFICATE_MARGIN_MS
    ? { kind: "ok", code: "reachable", path, message }
    : { kind: "warning", code: "certificate-ends", path, message, change: "its operator has to renew it" };
}

/** The URL, and for one with a name where it leads: the addresses that are dialled, and those that are left out. */
function placeInWords(url: string, addresses: ProbedEndpoint["addresses"]): string {
  if (addresses.length === 0 || isOfAddress(url)) return url;
  const dialled = addresses.filter(({ isDialled }) => isDialled).map(({ address }) => address);
  const undialled = addresses.filter(({ isDialled }) => !isDialled).map(({ address }) => address);
  const leftOut =
    undialled.length === 0 ? "" : ` (not to ${listInWords(undialled)}, which network.allow does not have)`;
  return `${url} leads to ${listInWords(dialled)}${leftOut}`;
}

function listInWords(addresses: readonly string[]): string {
  const more = addresses.length - MAX_ADDRESSES_SHOWN;
  return `${addresses.slice(0, MAX_ADDRESSES_SHOWN).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}

function isOfAddress(url: string): boolean {
  return isIP(new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function judgeForbidden(
  { url, path }: PlacedOrigin,
  { addresses }: ProbedEndpoint,
  { allowed, showsAddresses }: Surroundings,
): OriginFinding {
  const code = "forbidden-address";
  const refused = addresses.filter(({ isAllowed }) => !isAllowed).map(({ address }) => address);
  if (refused.length === 0)
    return { kind: "fault", code, path, message: `${url} is where this server listens, and it never calls itself` };
  const isShown = showsAddresses || isOfAddress(url);
  const where = isShown ? listInWords(refused) : "an address";
  const message = `${url} leads to ${where}, which may not be reached, so no connection is made`;
  const change = isShown
    ? allowLine(allowed, refused)
    : 'if it is meant, add the address to "allow" of "network"; postrider check --deep names it';
  return { kind: "warning", code, path, message, change };
}

/** The faults in words, each with advice. */
const FAULTS_IN_WORDS: Readonly<Partial<Record<Fault, string>>> = {
  dns: "no address was found for its name; correct the name, or add it to DNS or /etc/hosts",
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

// A stranger with an incident: a receiver was down, the trace is in a file, and a test asks what a longer pause would have done.

import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION, destinationId, sourceId } from "@postrider/core";
import { createMemoryDisk, createMemoryStore, createScriptedHttp } from "@postrider/memory";
import { createRelay, type RelayEvent } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { readTrace, recordPorts, repliesOf, replayTrace } from "@postrider/relay/trace";
import { writeFile } from "node:fs/promises";

const site = sourceId("site");
const url = "https://crm.example/hook";
const crm = {
  ...{ id: destinationId("crm"), name: "Webhooks", enabled: true, paused: false, acceptsHistorical: true },
  sources: [{ source: site, mode: "cloud" as const }],
  endpoints: [{ url, headers: [] }],
  secrets: [createSecret("a long shared secret")],
};
const sources = [{ id: site, name: "Site", writeKey: createSecret("wk_site") }];
const delivery = { ...DEFAULT_DELIVERY, firstRetryMs: 50 };
const workspace = { sources, destinations: [crm], delivery, retention: DEFAULT_RETENTION };

const clock = createSystemClock();
const store = createMemoryStore({ disk: createMemoryDisk() });
const down = { kind: "answers", status: 503, afterMs: 5 } as const;
const http = createScriptedHttp({ clock, script: { [url]: [down, { kind: "answers", status: 200 }] } });
const { ports, saveTrace } = recordPorts({ store, http, clock, random: createSystemRandom() });
const delivered = new Promise<RelayEvent>((resolve) => {
  const observe = (event: RelayEvent): void => {
    if (event.kind === "delivered") resolve(event);
  };
  const relay = createRelay({ workspace, ...ports, observe });
  relay.start();
  void relay.accept({ source: site, calls: [{ type: "track", userId: "u1", event: "Signed Up" }] });
  void new Promise((settle) => clock.after(3_000, () => settle(undefined))).then(() => relay.stop());
});
await delivered;
await writeFile("incident.trace", await saveTrace());

const incident = await readTrace("incident.trace");
const same = await replayTrace(incident, (replayed) => createRelay(replayed));
const kinds = same.happenings().map(({ event }) => (event as RelayEvent).kind);
console.log(`same: ${String(same.diverged?.story)}: ${kinds.join(", ")}`);
const other = await replayTrace(incident, (replayed) => createRelay(replayed), {
  change: (recorded) => ({ ...recorded, delivery: { ...recorded.delivery, firstRetryMs: 500 } }),
});
console.log(`other: ${String(other.diverged?.story)}`);
console.log(
  `replies: ${(repliesOf(incident)[url] ?? []).map((reply) => ("status" in reply ? reply.status : 0)).join(", ")}`,
);

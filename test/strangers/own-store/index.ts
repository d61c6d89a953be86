// Our host: accepts a call, keeps it in our store, and delivers it to the receiver that the caller names.

import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION, destinationId, sourceId } from "@postrider/core";
import { createFetchHttp } from "@postrider/fetch";
import { createRelay } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { openJournalStore } from "./journal-store.js";

const [receiver = "", journal = "journal"] = process.argv.slice(2);
const clock = createSystemClock();
const source = sourceId("website");
const destination = {
  ...{ id: destinationId("crm"), name: "Webhooks", enabled: true, paused: false, acceptsHistorical: true },
  sources: [{ source, mode: "cloud" as const }],
  endpoints: [{ url: receiver, headers: [] }],
  secrets: [createSecret("a long shared secret")],
};

let onDelivered: (id: string) => void;
const delivered = new Promise<string>((resolve) => (onDelivered = resolve));
const relay = createRelay({
  workspace: {
    sources: [{ id: source, name: "Website", writeKey: createSecret("wk_website") }],
    destinations: [destination],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
  },
  store: await openJournalStore(journal),
  http: createFetchHttp({ clock }),
  clock,
  random: createSystemRandom(),
  observe: (event) => {
    if (event.kind === "delivered") onDelivered(event.delivery);
  },
});

relay.start();
const accepted = await relay.accept({ source, calls: [{ type: "track", userId: "u1", event: "Signed Up" }] });
console.log(
  accepted.match(
    ([receipt]) => receipt?.kind,
    (fault) => fault.code,
  ),
);
console.log("delivered", await delivered);
await relay.stop();

// `npm run fleet`: three servers on one PostgreSQL, a receiver, and callers. One server is killed under load, the others take over
// what it held, and it comes back. Ends with what was answered, what arrived, and a verdict, which is the exit status.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createCallers } from "./callers.js";
import { openDatabase } from "./database.js";
import { HELP, readOptions } from "./options.js";
import { createReceiver } from "./receiver.js";
import { createMembers, writeConfig } from "./members.js";
import { createTable } from "./table.js";

/** How long all that was accepted may take to arrive after the last call: leases of a killed server, and retries. */
const SETTLED_WITHIN_MS = 60_000;
const ROW_EVERY_MS = 1_000;

process.exitCode = await main(process.argv.slice(2));

async function main(words) {
  const asked = readOptions(words);
  if (asked.kind === "help") {
    console.log(HELP);
    return 0;
  }
  if (asked.kind === "refused") {
    console.error(`fleet: ${asked.reason}\n\n${HELP}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "postrider-fleet-"));
  const ends = [() => rmSync(folder, { recursive: true, force: true })];
  const endAll = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  process.once("SIGINT", () => void endAll().then(() => process.exit(130)));
  try {
    return await play(asked, { folder, ends });
  } catch (error) {
    console.error(`fleet: ${error.message}`);
    return 1;
  } finally {
    await endAll();
  }
}

async function play({ servers, seconds, database }, { folder, ends }) {
  const postgres = await openDatabase(database);
  ends.push(postgres.stop);
  console.log(`${postgres.name}: ${String(servers)} servers on it, ${String(seconds)} s of calls\n`);
  const receiver = await createReceiver();
  ends.push(receiver.stop);
  const config = writeConfig(folder, { store: postgres.url, receiver: receiver.url });
  const members = createMembers(config, servers);
  ends.push(members.stop);
  await members.startAll();
  const callers = createCallers(members.urls);
  ends.push(callers.stop);

  const table = createTable({ members, callers, receiver });
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  const plan = [
    { at: seconds * 0.3, act: () => members.kill(1), says: "server 2 is killed with SIGKILL" },
    { at: seconds * 0.6, act: () => members.start(1), says: "server 2 starts again" },
  ];
  const acts = [];
  for (const line of table.head()) console.log(line);
  while (elapsed() < seconds) {
    await pause(ROW_EVERY_MS);
    const [next] = plan;
    const isDue = next !== undefined && elapsed() >= next.at;
    if (isDue) acts.push(plan.shift().act());
    console.log(table.row(elapsed(), isDue ? next.says : ""));
  }
  // A server may take longer to start than is left of the time, and must not find a database that stops.
  await Promise.all(acts);
  await callers.stop();
  return judge({ callers, receiver, members, table, elapsed });
}

async function judge({ callers, receiver, members, table, elapsed }) {
  const endAt = performance.now() + SETTLED_WITHIN_MS;
  let stats = await members.stats();
  while ((stats.waiting > 0 || stats.claimed > 0) && performance.now() < endAt) {
    await pause(ROW_EVERY_MS);
    console.log(table.row(elapsed(), "waits for what is left"));
    stats = await members.stats();
  }
  const lost = callers.accepted().filter((id) => !receiver.has(id));
  const repeated = receiver.requests() - receiver.messages();
  const isRight = lost.length === 0 && stats.delivered === stats.accepted && stats.waiting + stats.claimed === 0;
  console.log(`
answered 200        ${String(callers.accepted().length)}
no answer, or 503   ${String(callers.refused())}   (a caller repeats such a call; here it goes on)
stored              ${String(stats.accepted)}
delivered           ${String(stats.delivered)}
arrived             ${String(receiver.messages())}   (${String(repeated)} of them twice: sent, and killed before that was stored)
lost                ${String(lost.length)}

${isRight ? "Nothing that was answered is lost, and each is settled once." : "THIS IS WRONG: see the numbers."}`);
  return isRight ? 0 : 1;
}

// Makes calls on a file until it is killed, and says of ten at a time which they were, once they are safe. Given no calls
// to make, it delivers what it finds there, says how much was left, and ends. The write key is in the environment.

import { createDurableClient } from "@postrider/client/durable";
import { createSqliteCallStorage } from "@postrider/sqlite";
import { DatabaseSync } from "@photostructure/sqlite";
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [file, endpoint, first, calls] = process.argv.slice(2);
const storage = createSqliteCallStorage({ database: new DatabaseSync(file) });
const client = createDurableClient(process.env.WRITE_KEY, { endpoint, storage, flushAt: 7, flushAfterMs: 10 });

// Written at once: what is said stays said, whenever the end comes.
const say = (text) => writeSync(1, `${text}\n`);

if (calls === undefined) {
  await client.flush();
  await client.close();
  say(`left ${(await storage.load()).length}`);
  await storage.close();
} else {
  for (let n = 0; n < Number(calls); n += 10) await makeTen(Number(first) + n);
  say("called");
  await pause(600_000);
}

async function makeTen(from) {
  const made = Array.from({ length: 10 }, (_, n) => {
    const { messageId } = client.track({ userId: "u1", event: "e", properties: { n: from + n } })._unsafeUnwrap();
    return `${from + n} ${messageId}`;
  });
  if (await client.kept()) say(made.join("\n"));
  // So that answers come in between, and the end.
  await pause(1);
}

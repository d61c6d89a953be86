// Makes calls on a file until it is killed, and prints the messageIds of each ten of them once they are stored. Without
// calls to make, it delivers those in the file, prints how many there were, and ends. The write key is in the environment.

import { createDurableClient } from "@postrider/client/durable";
import { createSqliteCallStorage } from "@postrider/sqlite";
import { DatabaseSync } from "@photostructure/sqlite";
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [file, endpoint, first, calls] = process.argv.slice(2);
const storage = createSqliteCallStorage({ database: new DatabaseSync(file) });
const client = createDurableClient(process.env.WRITE_KEY, { endpoint, storage, flushAt: 7, flushAfterMs: 10 });

// Written synchronously, so that no printed line is lost when the process is killed.
const say = (text) => writeSync(1, `${text}\n`);

if (calls === undefined) {
  await client.flush();
  await client.close();
  say(`left ${(await storage.load({ limit: 1 })).stored}`);
  await storage.close();
} else {
  for (let n = 0; n < Number(calls); n += 10) await makeTen(Number(first) + n);
  say("called");
  await pause(600_000);
}

async function makeTen(from) {
  const made = Array.from({ length: 10 }, (_, n) => {
    const { messageId } = client.track({ userId: "u1", event: "e", properties: { n: from + n } });
    return `${from + n} ${messageId}`;
  });
  if (await client.kept()) say(made.join("\n"));
  // Lets answers, and the kill, come in between.
  await pause(1);
}

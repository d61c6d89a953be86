// A host that places orders, each with a call in the same transaction, and says each statement before it is sent. It is killed by the
// test that started it. Its arguments: the URL of the database, the URL of the receiver.

import { createInterface } from "node:readline";
import { createPostrider } from "postrider";
import { postgresStores } from "@postrider/postgres";
import { openPool } from "../../programs/postgres/driver.js";

const [, , database, receiver] = process.argv;
const go = createInterface(process.stdin)[Symbol.asyncIterator]();
const pool = openPool(database);
const postrider = await createPostrider({
  store: postgresStores(pool),
  sources: [{ id: "shop", writeKey: "wk_shop_0123456789abcdef" }],
  destinations: [{ id: "crm", sources: ["shop"], endpoints: [{ url: receiver }] }],
  network: { allow: ["127.0.0.0/8"] },
});
const client = await pool.connect();

/** Says the statement, waits for the word to go on, and sends it. */
async function run(sql, values = []) {
  console.log(`next: ${sql.split(" ").slice(0, 2).join(" ")}`);
  await go.next();
  return client.query(sql, values);
}

await run("begin");
await run("insert into orders (id) values ($1)", ["order-1"]);
await postrider.with(run).track("shop", { messageId: "order-1", userId: "u1", event: "Order Completed" });
await run("commit");
await run("select done");

// Cases of what hosts add to an outbox: a call is there exactly if its transaction is committed, is added by one statement, never waits,
// and stays until it is removed. The transactions are those of the harness.

import { epochMs, type RunStatement } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { passLoopTurn } from "./gate.js";
import {
  addCalls,
  callOf,
  emptyOutbox,
  inOrder,
  nameOfCall,
  namesIn,
  outboxOf,
  walkOutbox,
  withoutId,
} from "./outbox-scene.js";
import type { StoreCase } from "./scene.js";
import { sweepInSlices } from "./sweep.js";

export const ADDING_CALLS_CASES: readonly StoreCase[] = [
  {
    name: "a call is in the outbox once its transaction is committed, and not before",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const transaction = await scene.beginTransaction();
      await outboxOf(scene).add(callOf(scene, "one"), transaction.run);
      await outboxOf(scene).add(callOf(scene, "two", scene.otherSource), transaction.run);
      expectEqual(await namesIn(scene), [], "the calls before the commit");
      await transaction.commit();
      const calls = [callOf(scene, "one"), callOf(scene, "two", scene.otherSource)];
      expectEqual(inOrder((await walkOutbox(scene)).map(withoutId)), inOrder(calls), "the calls after the commit");
    },
  },
  {
    name: "a call whose transaction is rolled back is never in the outbox",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["before"]);
      const transaction = await scene.beginTransaction();
      await outboxOf(scene).add(callOf(scene, "rolled back"), transaction.run);
      await addCalls(scene, ["meanwhile"]);
      await transaction.rollback();
      await addCalls(scene, ["after"]);
      expectEqual(await namesIn(scene), ["after", "before", "meanwhile"], "the calls in the end");
    },
  },
  {
    name: "calls that are added at the same time are all there, of one transaction and of two",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const [first, second] = [await scene.beginTransaction(), await scene.beginTransaction()];
      const run = inTurn(first.run);
      const adding = [run, run, second.run].map((runAdd, index) =>
        outboxOf(scene).add(callOf(scene, `call ${String(index)}`), runAdd),
      );
      await Promise.all(adding);
      await first.commit();
      expectEqual(await namesIn(scene), ["call 0", "call 1"], "the calls of the first transaction");
      await second.commit();
      expectEqual(await namesIn(scene), ["call 0", "call 1", "call 2"], "the calls of both transactions");
    },
  },
  {
    name: "the same call twice is two entries, of one transaction and of two",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["same", "same"]);
      await addCalls(scene, ["same"]);
      const entries = await walkOutbox(scene);
      expectEqual(entries.map(withoutId), Array(3).fill(callOf(scene, "same")), "the calls");
      expectEqual(new Set(entries.map(({ id }) => id)).size, 3, "how many ids differ");
      await outboxOf(scene).remove(entries.slice(0, 1).map(({ id }) => id));
      expectEqual(await walkOutbox(scene), entries.slice(1), "the entries once one of them is removed");
    },
  },
  {
    name: "a call is added by one statement, which has its places once and in order, and a text for each",
    needs: ["outbox"],
    async play(scene) {
      const statements: { readonly sql: string; readonly values: readonly string[] }[] = [];
      const call = callOf(scene, "told");
      await outboxOf(scene).add(call, (sql, values) => Promise.resolve(statements.push({ sql, values })));
      const [statement, ...others] = statements;
      const { sql, values } = expectPresent(statement, "the statement of a call");
      expectEqual(others, [], "further statements");
      const places = [...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
      expectEqual(
        places,
        values.map((_, index) => index + 1),
        `the places of the statement ${JSON.stringify(sql)}`,
      );
      for (const value of values) expectEqual(typeof value, "string", "the type of a value");
    },
  },
  {
    name: "the error of its statement reaches the host as it is: the statement is not sent again, and no call is added",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      for (const code of [undefined, ...CODES_OF_CONFLICTS]) {
        const error = Object.assign(new Error("the library of the host"), defined({ code }));
        let runs = 0;
        const adding = outboxOf(scene).add(callOf(scene, "failed"), () => {
          runs += 1;
          return Promise.reject(error);
        });
        const rejection = await adding.then(
          () => "it resolved",
          (reason: unknown) => reason,
        );
        expectThat(rejection === error, `\`add\` answers a statement that fails with: ${String(rejection)}`);
        expectEqual(runs, 1, `how often a statement is sent that fails with the code ${String(code)}`);
      }
      expectEqual(await namesIn(scene), [], "the calls after the errors");
    },
  },
  {
    name: "a call is answered once its statement is, whatever that answers",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const transaction = await scene.beginTransaction();
      for (const result of [undefined, null, 0, "", { rows: [{ id: "1" }] }]) {
        let hasRun = false;
        await outboxOf(scene).add(callOf(scene, "one"), async (sql, values) => {
          await transaction.run(sql, values);
          await passLoopTurn();
          hasRun = true;
          return result;
        });
        expectThat(hasRun, "`add` has answered before its statement has");
      }
      await transaction.commit();
      expectEqual(await namesIn(scene), Array(5).fill("one"), "the calls");
    },
  },
  {
    name: "no transaction waits for another one, also if both add the same call",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const [first, second] = [await scene.beginTransaction(), await scene.beginTransaction()];
      const names = ["one", "two"];
      const moves: readonly [RunStatement, string | undefined][] = [
        [first.run, names[0]],
        [second.run, names[1]],
        [first.run, names[1]],
        [second.run, names[0]],
      ];
      try {
        for (const [run, name = ""] of moves)
          await expectNoWait(outboxOf(scene).add(callOf(scene, name), run), "a call that two transactions add");
        await expectNoWait(outboxOf(scene).read({ limit: 5 }), "a read while transactions are open");
        await second.commit();
        expectEqual(await namesIn(scene), names, "the calls of the transaction that is committed");
      } finally {
        await first.rollback();
      }
      expectEqual(await namesIn(scene), names, "the calls once the other one is rolled back");
    },
  },
  {
    name: "no sweep removes a call from the outbox, whatever its instants are",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one"]);
      await addCalls(scene, ["other"], scene.otherSource);
      for (const before of [scene.now(), LATEST]) await sweepInSlices(scene, before);
      expectEqual(await namesIn(scene), ["one", "other"], "the calls after the sweeps");
    },
  },
  {
    name: "calls outlive a crash, and those that were removed stay so",
    needs: ["outbox", "restart"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one", "two", "three"]);
      const entries = await walkOutbox(scene);
      const removed = entries.filter((entry) => nameOfCall(entry) === "two").map(({ id }) => id);
      await outboxOf(scene).remove(removed);
      await scene.crash();
      const left = entries.filter(({ id }) => !removed.includes(id));
      expectEqual(await walkOutbox(scene), left, "the entries after the crash");
    },
  },
];

/** An instant after all at which a store can have stored anything, by any clock. */
const LATEST = epochMs(2 ** 53 - 2);

/** The codes with which databases end one of two transactions that are in each other's way. */
const CODES_OF_CONFLICTS: readonly string[] = ["40P01", "40001"];

/** Runs statements one after the other, for hosts whose library has no queue of them. */
function inTurn(run: RunStatement): RunStatement {
  let last: Promise<unknown> = Promise.resolve();
  return (sql, values) => (last = last.then(() => run(sql, values)));
}

/** More turns of the event loop than a statement takes that waits for no other one. */
const MOST_TURNS = 200_000;

async function expectNoWait(call: Promise<unknown>, what: string): Promise<void> {
  let hasEnded = false;
  const end = call.finally(() => (hasEnded = true));
  end.catch(() => undefined);
  const isWaiting = (): boolean => !hasEnded;
  for (let turn = 0; turn < MOST_TURNS && isWaiting(); turn += 1) await passLoopTurn();
  expectThat(!isWaiting(), `${what} waits for the end of a transaction`);
  await end;
}

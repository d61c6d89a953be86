// Cases of what hosts add to an outbox: a call is there exactly if its transaction is committed, is added by one statement, and its
// answer is that of this statement. The transactions are those of the harness.

import type { SourceId } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { passLoopTurn } from "./gate.js";
import {
  addAll,
  addCalls,
  callOf,
  emptyOutbox,
  inOrder,
  inTurn,
  namesIn,
  outboxOf,
  walkOutbox,
  withoutId,
} from "./outbox-scene.js";
import type { StoreCase } from "./scene.js";

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
      const [run, runOther] = [inTurn(first.run), inTurn(second.run)];
      const ofFirst = ["a", "b", "a", "c"].map((name) => outboxOf(scene).add(callOf(scene, name), run));
      const ofSecond = ["d", "e", "d"].map((name) => outboxOf(scene).add(callOf(scene, name), runOther));
      await Promise.all([...ofFirst, ...ofSecond]);
      await first.commit();
      expectEqual(await namesIn(scene), ["a", "a", "b", "c"], "the calls of the first transaction");
      await second.commit();
      expectEqual(await namesIn(scene), ["a", "a", "b", "c", "d", "d", "e"], "the calls of both transactions");
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
      const { source, otherSource } = scene;
      expectEqual(await outboxOf(scene).count({ source, limit: 9 }), 3, "how many are counted");
      await outboxOf(scene).remove(entries.slice(0, 1).map(({ id }) => id));
      expectEqual(await walkOutbox(scene), entries.slice(1), "the entries once one of them is removed");
      const twin = { ...callOf(scene, "same"), source: otherSource };
      await addAll(scene, [callOf(scene, "same"), twin]);
      const sources = (): Promise<readonly SourceId[]> =>
        walkOutbox(scene).then((all) => all.map((entry) => entry.source).toSorted());
      expectEqual(await sources(), [source, source, source, otherSource].toSorted(), "the sources of the same call");
      await outboxOf(scene).remove((await walkOutbox(scene, { except: [otherSource] })).map(({ id }) => id));
      expectEqual(await sources(), [otherSource], "the source of the one that is left");
      await addCalls(scene, ["same"]);
      expectEqual((await sources()).length, 2, "how many there are once it is added after it was removed");
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
      for (const error of ERRORS_OF_HOSTS) {
        let runs = 0;
        const adding = outboxOf(scene).add(callOf(scene, "failed"), async () => {
          runs += 1;
          await passLoopTurn();
          throw error;
        });
        const rejection = await adding.then(
          () => "it resolved",
          (reason: unknown) => reason,
        );
        expectThat(
          rejection === error,
          `\`add\` answers a statement that fails with ${String(error)}: ${String(rejection)}`,
        );
        expectEqual(runs, 1, `how often a statement is sent that fails with ${String(error)}`);
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
      for (const result of RESULTS_OF_HOSTS) {
        let [runs, hasAnswered] = [0, false];
        await outboxOf(scene).add(callOf(scene, "one"), async (sql, values) => {
          runs += 1;
          await transaction.run(sql, values);
          for (let turn = 0; turn < TURNS_OF_A_SLOW_HOST; turn += 1) await passLoopTurn();
          hasAnswered = true;
          return result;
        });
        expectThat(hasAnswered, "`add` has answered before its statement has");
        expectEqual(runs, 1, `how often a statement is sent that answers ${JSON.stringify(result)}`);
      }
      await transaction.commit();
      expectEqual(
        await namesIn(scene),
        RESULTS_OF_HOSTS.map(() => "one"),
        "the calls",
      );
    },
  },
];

/** Answers of libraries of hosts: rows, counts of rows by various names, errors as results, or nothing. */
const RESULTS_OF_HOSTS: readonly unknown[] = [
  ...[undefined, null, 0, 1, "", false, [], [[], 0]],
  ...[{ rows: [{ id: "1" }] }, { rows: [] }, { rowCount: 0 }, { rowCount: null }, { affectedRows: 0 }, { changes: 0 }],
  ...[new Error("an error as a result"), { error: { code: "23505" } }, [{ error: "none" }], { ok: false }],
];

/** More turns of the event loop than a host takes that answers at once. */
const TURNS_OF_A_SLOW_HOST = 500;

/** Rejections by libraries of hosts: conflicts, errors that look like a passing trouble, and values that are no errors. */
const ERRORS_OF_HOSTS: readonly unknown[] = [
  new Error("the library of the host"),
  ...["40P01", "40001", "23505", "57014", "55P03", "ECONNRESET", "ETIMEDOUT", "SQLITE_BUSY", "ER_LOCK_DEADLOCK"].map(
    (code) => Object.assign(new Error("the library of the host"), { code }),
  ),
  ...["timeout", "Connection terminated unexpectedly", "database is locked", "deadlock detected"].map(
    (text) => new Error(text),
  ),
  Object.assign(new Error("aborted"), { name: "AbortError" }),
  Object.assign(new Error("slow"), { name: "TimeoutError" }),
  ...["a text", undefined, null, 0],
];

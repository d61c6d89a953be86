// Cases of what hosts add to an outbox: a call is there exactly if its transaction is committed, comes back as it was, and never waits.
// The transactions are those of the harness.

import { MAX_CALL_BYTES, type OutboxCall, type OutboxEntry, type RunStatement, sourceId } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { expectEachItself, halvesOf, lookAlikes, showText } from "../look-alikes.js";
import { passLoopTurn } from "./gate.js";
import { addAll, addCalls, callOf, emptyOutbox, nameOfCall, namesIn, outboxOf, walkOutbox } from "./outbox-scene.js";
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
    name: "the same call twice is two entries, of one transaction and of two",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["same", "same"]);
      await addCalls(scene, ["same"]);
      const entries = await walkOutbox(scene);
      expectEqual(entries.map(withoutId), Array(3).fill(callOf(scene, "same")), "the calls");
      expectEqual(new Set(entries.map(({ id }) => id)).size, 3, "how many ids differ");
    },
  },
  {
    name: "a call comes back as the text that it was, whatever is in it",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const calls = [...JSON_TEXTS, ...lookAlikes().map((text) => JSON.stringify({ userId: text, [text]: text }))];
      await addAll(
        scene,
        calls.map((call) => ({ source: scene.source, call })),
      );
      const found = (await walkOutbox(scene)).map(({ call }) => call);
      for (const call of calls) expectThat(found.includes(call), `a call did not come back: ${showText(call)}`);
      expectEqual(found.length, calls.length, "how many calls came back");
    },
  },
  {
    name: "a call of the largest size comes back whole",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const texts = [{ text: "x".repeat(MAX_CALL_BYTES) }, { text: "\u{1f600}".repeat(MAX_CALL_BYTES) }];
      const calls = texts.map((text) => ({ source: scene.source, call: JSON.stringify(text) }));
      await addAll(scene, calls);
      expectEqual(inOrder((await walkOutbox(scene)).map(withoutId)), inOrder(calls), "the calls");
    },
  },
  {
    name: "the source of a call is distinct from all that look alike: as it is read, counted and left out",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const texts = [...lookAlikes(), ...["a", "", "null", "a'"].map((text) => JSON.stringify(text))];
      const sources = [...new Set(texts)].map(sourceId);
      await addAll(
        scene,
        sources.map((source) => ({ source, call: JSON.stringify(source) })),
      );
      const entries = await walkOutbox(scene);
      const foundBySource = sources.map((source) => {
        const ofSource = entries.filter(({ call }) => call === JSON.stringify(source));
        return [source, ofSource.map((entry) => entry.source)] as const;
      });
      expectEachItself(new Map(foundBySource), "the source of a call");
      for (const source of sources) {
        const count = await outboxOf(scene).count({ source, limit: 5 });
        expectEqual(count, 1, `how many calls are counted of the source ${showText(source)}`);
      }
      for (const except of halvesOf(sources)) {
        const read = new Set((await walkOutbox(scene, { except: except.map(sourceId) })).map(({ source }) => source));
        for (const source of sources)
          expectEqual(read.has(source), !except.includes(source), `whether ${showText(source)} is read`);
      }
      await emptyOutbox(scene);
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
    name: "the error of its statement reaches the host as it is, and no call is added",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const error = new Error("the library of the host");
      const adding = outboxOf(scene).add(callOf(scene, "failed"), () => Promise.reject(error));
      const rejection = await adding.then(
        () => "it resolved",
        (reason: unknown) => reason,
      );
      expectThat(rejection === error, `\`add\` answers a statement that fails with: ${String(rejection)}`);
      expectEqual(await namesIn(scene), [], "the calls after the error");
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

/** JSON that a store which parses it, or keeps it as a document, would not give back. */
const JSON_TEXTS: readonly string[] = [
  '{ "b" : 1, "a" : 2 }',
  '{"a":1,"a":2}',
  '{"n":[1.0,1e2,1E+400,-0,9007199254740993,0.1000]}',
  '{"slash":"\\/","e":"\\u00e9","null":"\\u0000"}',
  '{"line":"\u2028\u2029","tab":"\\t"}\n',
];

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

function withoutId({ source, call }: OutboxEntry): OutboxCall {
  return { source, call };
}

function inOrder(calls: readonly OutboxCall[]): readonly OutboxCall[] {
  return calls.toSorted((one, other) => (one.call < other.call ? -1 : 1));
}

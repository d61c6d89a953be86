// Which connections a store still uses: none that is old, or whose server takes no writes; and how long it waits for one that is silent.
// The pool hands out objects of the test, so that time is the test's; the real thing is in silent.test.ts.

import { createManualClock, type ManualClock } from "@postrider/memory";
import type { PostgresClient, PostgresPool } from "@postrider/postgres";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRequests, type Requests } from "../../packages/postgres/src/connection/requests.js";
import {
  AGE_SPREAD,
  BRIEF_DEADLINE_MS,
  CONNECT_DEADLINE_MS,
  DISTRUST_EVERY_MS,
  DOUBT_AFTER_MS,
  MAX_AGE_MS,
  MAX_BRIEF,
  MAX_WAITING_BRIEF,
  REQUEST_DEADLINE_MS,
  REST_MS,
  SILENCE_DEADLINE_MS,
} from "../../packages/postgres/src/connection/limits.js";

type Answer = () => Promise<{ readonly rows: readonly unknown[] }>;

interface Scene {
  readonly clock: ManualClock;
  readonly requests: Requests;
  /** The numbers of the connections, each of which was made for the first request that had no other. */
  readonly used: number[];
  readonly ended: number[];
  /** What is answered from now on. */
  readonly answer: (answer: Answer) => void;
  /** A request whose outcome is written down when it comes. */
  readonly ask: (how: keyof Omit<Requests, "close">, text?: string) => { readonly outcome: () => string };
}

const NOW: Answer = () => Promise.resolve({ rows: [] });
const NEVER: Answer = () => new Promise(() => undefined);

function failing(code: string, severity = "ERROR"): Answer {
  return () => Promise.reject(Object.assign(new Error(code), { code, severity }));
}

/** A pool that hands out the connection that was used last, as that of `pg` does. */
function createScene(): Scene {
  const clock = createManualClock();
  const idle: PostgresClient[] = [];
  const [used, ended]: [number[], number[]] = [[], []];
  let [made, answer] = [0, NOW];

  function make(): PostgresClient {
    const number = (made += 1);
    const client: PostgresClient = {
      query: () => {
        used.push(number);
        return answer();
      },
      on: () => undefined,
      removeListener: () => undefined,
      release: (destroy = false): void => {
        if (destroy) ended.push(number);
        else idle.push(client);
      },
    };
    return client;
  }
  const pool: PostgresPool = { connect: () => Promise.resolve(idle.pop() ?? make()) };
  const requests = createRequests({ pool, clock });

  return {
    ...{ clock, requests, used, ended },
    answer: (next): void => {
      answer = next;
    },
    ask: (how, text = "select 1") => {
      let outcome = "open";
      requests[how](text).then(
        () => (outcome = "answered"),
        (error: unknown) => (outcome = String((error as { code?: unknown }).code)),
      );
      return { outcome: () => outcome };
    },
  };
}

describe("a connection", () => {
  it("is used until it is as old as it may become, and then ended, within a fifth of that age", async () => {
    const { clock, requests, ended } = createScene();
    await requests.ask("select 1");
    await clock.advance(MAX_AGE_MS * (1 - AGE_SPREAD) - 1);
    await requests.ask("select 1");
    expect(ended).toEqual([]);
    await clock.advance(MAX_AGE_MS * 2 * AGE_SPREAD + 1);
    await requests.ask("select 1");
    expect(ended).toEqual([1]);
  });

  it("does not end with the others that were made with it", async () => {
    const { clock, requests, answer, ended } = createScene();
    let release: () => void = () => undefined;
    const together = new Promise<void>((resolve) => (release = resolve));
    answer(() => together.then(NOW));
    const all = Array.from({ length: 10 }, () => requests.work("select 1"));
    await clock.settle();
    release();
    await Promise.all(all);
    answer(NOW);
    const perStep: number[] = [];
    for (let step = 0; step <= 10; step += 1) {
      const before = ended.length;
      await clock.advance(step === 0 ? MAX_AGE_MS * (1 - AGE_SPREAD) : MAX_AGE_MS * AGE_SPREAD * 0.2);
      await Promise.all(Array.from({ length: 10 }, () => requests.work("select 1")));
      perStep.push(ended.filter((number) => number <= 10).length - before);
    }
    expect(ended.filter((number) => number <= 10)).toHaveLength(10);
    expect(Math.max(...perStep)).toBeLessThanOrEqual(4);
  });

  it.each(["25006", "57P01", "57P02", "57P03", "57P05"])(
    "is ended by %s, and so are those made before",
    async (code) => {
      const { clock, requests, answer, used, ended } = createScene();
      answer(NEVER);
      const [one, other] = [requests.work("a"), requests.work("b")];
      void one.catch(() => undefined);
      void other.catch(() => undefined);
      await clock.settle();
      await clock.advance(REQUEST_DEADLINE_MS);
      answer(NOW);
      await Promise.all([requests.ask("c"), requests.ask("d")]);
      const [first, second] = used.slice(-2);
      await clock.advance(1);
      answer(failing(code));
      await requests.ask("e").catch(() => undefined);
      answer(NOW);
      await requests.ask("f");
      await requests.ask("g");
      expect(ended).toEqual(expect.arrayContaining([first, second]));
      expect([first, second]).not.toContain(used.at(-1));
    },
  );

  it("is kept after an error of the statement", async () => {
    const { requests, answer, ended } = createScene();
    for (const code of ["40001", "57014", "23505"]) {
      answer(failing(code));
      await requests.ask("select 1").catch(() => undefined);
    }
    expect(ended).toEqual([]);
  });

  it("that is as young as the last refusal of a server without writes is used: it does not connect for each request", async () => {
    const { clock, requests, answer, used } = createScene();
    for (let step = 0; step < 20; step += 1) {
      answer(failing("25006"));
      await requests.commit("write").catch(() => undefined);
      answer(NOW);
      await requests.ask("read");
      await clock.advance(DISTRUST_EVERY_MS / 10);
    }
    // One for each refused write, and one for each time that reads were made to move.
    expect(new Set(used).size).toBeLessThanOrEqual(20 + 3);
  });
});

describe("a pool that hands out nothing", () => {
  it("makes requests busy in time, and gets back what it hands out later", async () => {
    const clock = createManualClock();
    const released: unknown[] = [];
    let handOut: (client: PostgresClient) => void = () => undefined;
    const pool = { connect: () => new Promise<PostgresClient>((resolve) => (handOut = resolve)) };
    const outcome = createRequests({ pool, clock })
      .ask("select 1")
      .catch((error: unknown) => error);
    await clock.advance(CONNECT_DEADLINE_MS);
    expect(await outcome).toMatchObject({ code: "busy" });
    handOut({ release: (destroy?: boolean) => released.push(destroy) } as unknown as PostgresClient);
    await clock.settle();
    expect(released).toEqual([undefined]);
  });
});

describe("a request over a silent connection", () => {
  it("that has rested ends before a relay takes the store to be stalled, but not what may take long", async () => {
    const scene = createScene();
    const { clock, requests, answer, ask } = scene;
    await requests.ask("select 1");
    await clock.advance(REST_MS);
    answer(NEVER);
    const asked = ask("ask");
    await clock.advance(SILENCE_DEADLINE_MS - 1);
    expect(asked.outcome()).toBe("open");
    await clock.advance(1);
    expect(asked.outcome()).toBe("unavailable");
    answer(NOW);
    await requests.ask("select 1");
    await clock.advance(REST_MS);
    answer(NEVER);
    const worked = ask("work");
    await clock.advance(REQUEST_DEADLINE_MS - 1);
    expect(worked.outcome()).toBe("open");
    await clock.advance(1);
    expect(worked.outcome()).toBe("unavailable");
  });

  it("gets its full time if the connection was in use until now", async () => {
    const { clock, requests, answer, ask } = createScene();
    await requests.ask("select 1");
    await clock.advance(REST_MS - 1);
    answer(NEVER);
    const [asked, committed] = [ask("ask"), ask("commit")];
    await clock.advance(REQUEST_DEADLINE_MS - 1);
    expect([asked.outcome(), committed.outcome()]).toEqual(["open", "open"]);
    await clock.advance(1);
    expect([asked.outcome(), committed.outcome()]).toEqual(["unavailable", "unavailable"]);
  });

  it("is given up if it is a commit that a later one has overtaken, whichever comes first", async () => {
    for (const overtakenAfterMs of [DOUBT_AFTER_MS, SILENCE_DEADLINE_MS + 1_000]) {
      const { clock, requests, answer, ask } = createScene();
      await requests.ask("select 1");
      answer(NEVER);
      const silent = ask("commit");
      await clock.advance(overtakenAfterMs);
      expect(silent.outcome()).toBe("open");
      answer(NOW);
      await requests.commit("the next");
      await clock.advance(Math.max(0, SILENCE_DEADLINE_MS - overtakenAfterMs));
      expect(silent.outcome()).toBe("unavailable");
    }
  });

  it("is not given up since reads are answered: a commit may wait for a lock", async () => {
    const { clock, requests, answer, ask } = createScene();
    await requests.ask("select 1");
    answer(NEVER);
    const waiting = ask("commit");
    await clock.settle();
    answer(NOW);
    for (let second = 0; second < 9; second += 1) {
      await clock.advance(1_000);
      await requests.ask("select 1");
    }
    expect(waiting.outcome()).toBe("open");
  });

  it("makes the next commit take a connection that has answered since, or a new one", async () => {
    const { clock, requests, answer, used } = createScene();
    answer(() => clock.settle().then(NOW));
    await Promise.all([requests.ask("a"), requests.ask("b"), requests.ask("c")]);
    await clock.advance(1);
    answer(NEVER);
    void requests.commit("silent").catch(() => undefined);
    await clock.advance(DOUBT_AFTER_MS);
    answer(NOW);
    await requests.commit("the next");
    expect(used.at(-1)).toBe(4);
  });
});

describe("requests of people", () => {
  it("run a few at once, wait for their turn, and are refused when too many do or it takes too long", async () => {
    const { clock, answer, ask, used } = createScene();
    answer(NEVER);
    const all = Array.from({ length: MAX_BRIEF + MAX_WAITING_BRIEF + 1 }, () => ask("brief"));
    await clock.settle();
    expect(used).toHaveLength(MAX_BRIEF);
    expect(all.at(-1)?.outcome()).toBe("busy");
    await clock.advance(BRIEF_DEADLINE_MS);
    expect(new Set(all.slice(0, MAX_BRIEF).map(({ outcome }) => outcome()))).toEqual(new Set(["unavailable"]));
    await clock.advance(BRIEF_DEADLINE_MS);
    expect(all.filter(({ outcome }) => outcome() === "open")).toEqual([]);
  });

  it("never take the last turns of others: commits are answered meanwhile", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("brief", "commit", "ask"), { maxLength: 60 }), async (kinds) => {
        const { clock, answer, ask } = createScene();
        const briefs = new Set<string>();
        for (const [index, kind] of kinds.entries()) {
          answer(kind === "brief" ? NEVER : NOW);
          const asked = ask(kind, String(index));
          await clock.settle();
          if (kind === "brief") briefs.add(asked.outcome());
          else expect(asked.outcome()).toBe("answered");
        }
        expect(briefs.has("answered")).toBe(false);
      }),
      { numRuns: 30 },
    ));

  it("begin with the limit of the database, and leave nothing in the session", async () => {
    const clock = createManualClock();
    const texts: string[] = [];
    const client: PostgresClient = {
      query: ({ text }) => {
        texts.push(text);
        return NOW();
      },
      on: () => undefined,
      removeListener: () => undefined,
      release: () => undefined,
    };
    const requests = createRequests({ pool: { connect: () => Promise.resolve(client) }, clock });
    await requests.brief("select 1");
    expect(texts).toEqual(["begin; set local statement_timeout = 2500", "select 1", "commit"]);
  });
});

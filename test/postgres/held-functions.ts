// A build of the schema in which the gate of the contract suite holds calls back within functions, between what these read and what
// they write: a lock that is not taken there lets another call in. Only tests make such a schema.

import type { PostgresClient, PostgresPool, PostgresQuery } from "@postrider/postgres";
import type { StorageGate } from "@postrider/testkit/contracts";
import type { TestPool } from "../programs/postgres/driver.js";

/** A place within a function, as the text of the schema that follows it, or that it follows. */
interface HoldPlace {
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

export const HOLD_PLACES: readonly HoldPlace[] = [
  { name: "accept, which knows who is suppressed", before: "  -- Keys in one order, so that two commits never wait" },
  { name: "settle, which has settled and not marked it", before: "  if h_lease is not null then perform mark_done(" },
  { name: "a usual commit, which knows who is suppressed", before: "    -- In the order of keys, as all commits do." },
  {
    name: "a usual commit, which knows that its leases are as they were",
    before: "    if v_is_known then\n      update lease",
  },
  {
    name: "replay, which knows whether a request purges",
    before: "  with asked as materialized (\n    select r.*, v_base",
  },
  {
    name: "append_attempts, before it looks for them",
    before: "  with asked as materialized (\n    select a.*, coalesce(",
  },
  { name: "claim, which has picked what it hands out", before: "  if c_id is not null then\n" },
  { name: "end_lane, which has picked the next", before: "    v_is_gone := v_row.size < 0 or is_covered(" },
  { name: "sweep, which has picked the next", before: "    perform sweep_row(p_bucket, v_row.leaf, v_row.id," },
  {
    name: "sweep_row, which knows that nothing needs it",
    before: "    delete from message m where m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1)",
  },
  { name: "open_deletion, which has its number", before: "  v_mark := nextval('block') * 1024;" },
  { name: "beat, which has read the processes", before: "  return query select null::bytea, null::float8, r.until" },
  {
    name: "write_board, between two rows",
    after: "      return query select b.record from board_lane b where b.key = p_keys[i];\n    end if;\n",
  },
  {
    name: "append_members, which knows that they come last",
    before: "  insert into member (member_set, head, tail, value)",
  },
  {
    name: "erase_members, which knows that it was the last",
    before: "    delete from member_set s where s.id = v_set;\n  end if;",
  },
  {
    name: "drop_members, which knows that it was the last",
    before: "  delete from member_set s where s.id = v_set;\n  return true;",
  },
];

/** The first part of the keys of both locks of a connection. Its calls wait for them in turn; the second part is its process. */
const LOCKS = [770_001, 770_002] as const;

/**
 * Tells that it is reached, and waits until it is let go. A call waits here for the one lock, and at its next place for the other, so
 * that the first can be taken again meanwhile.
 */
const HOLD_HERE = `
create function hold_here() returns void language plpgsql volatile as $fn$
declare
  v_turn int4 := coalesce(nullif(current_setting('held.turn', true), ''), '0')::int4;
begin
  if current_setting('held.calls', true) is distinct from 'on' then return; end if;
  perform set_config('held.turn', (1 - v_turn)::text, false);
  raise notice 'held: %', v_turn;
  perform pg_advisory_lock((array[${LOCKS.join()}])[v_turn + 1], pg_backend_pid());
  perform pg_advisory_unlock((array[${LOCKS.join()}])[v_turn + 1], pg_backend_pid());
end
$fn$;
`;

/** The text of a statement; that which makes the schema gets the places. Throws if it does not have the text of each exactly once. */
export function withHolds(text: string): string {
  if (!text.includes("create function settle(")) return text;
  const held = HOLD_PLACES.reduce((sql, { name, before = "", after = "" }) => {
    if (sql.split(before + after).length !== 2) throw new Error(`the schema has no place, or several: ${name}`);
    return sql.replace(before + after, () => `${after}  perform hold_here();\n${before}`);
  }, text);
  return held.replace("create sequence block;", () => `${HOLD_HERE}create sequence block;`);
}

export interface HeldFunctions {
  /** A pool whose queries pass the gate, also within functions. */
  gatedPool(gate: StorageGate): PostgresPool;
  /** Gives the connection back that has the locks. */
  close(): Promise<void>;
}

type Answer = Awaited<ReturnType<PostgresClient["query"]>>;

/** Over a pool that nothing else uses. One of its connections has all locks for which held calls wait. */
export function createHeldFunctions(pool: TestPool): HeldFunctions {
  const keeper = pool.connect();
  const known = new Set<number>();

  let last: Promise<unknown> = keeper;

  /** One after the other, as a connection answers. */
  function keep(sql: string): Promise<Answer> {
    const answer = last.then(async () => (await keeper).query({ text: `select ${sql}` }));
    last = answer.catch(() => undefined);
    return answer;
  }

  async function gatedClient(gate: StorageGate): Promise<PostgresClient> {
    const client = await pool.connect();
    const { rows } = await client.query({
      text: "select set_config('held.calls', 'on', false), pg_backend_pid() as pid",
    });
    const pid = Number((rows[0] as { readonly pid: unknown }).pid);
    if (!known.has(pid)) await keep(LOCKS.map((lock) => `pg_advisory_lock(${String(lock)}, ${String(pid)})`).join());
    known.add(pid);
    const isBlocked = (): Promise<boolean> => waitsForLock(keep, pid);
    const locks = createLocks(keep, pid);
    return {
      query: (query) => ask({ client, gate, isBlocked, locks }, { ...query, text: withHolds(query.text) }),
      on: (event, listener) => client.on(event, listener),
      removeListener: (event, listener) => client.removeListener(event, listener),
      release: (destroy) => {
        client.release(destroy);
      },
    };
  }

  return {
    gatedPool: (gate) => ({ connect: () => gatedClient(gate) }),
    close: async (): Promise<void> => {
      (await keeper).release(true);
    },
  };
}

/** True if a connection waits for a lock that is none of those for which held calls wait. It is asked twice: most waits are short. */
async function waitsForLock(keep: (sql: string) => Promise<Answer>, pid: number): Promise<boolean> {
  const isHeld = `locktype = 'advisory' and classid in (${LOCKS.join()})`;
  const waits = `exists (select from pg_locks where pid = ${String(pid)} and not granted and not (${isHeld})) as waits`;
  const look = async (): Promise<boolean> => {
    const [row] = (await keep(waits)).rows;
    return (row as { readonly waits: unknown }).waits === true;
  };
  return (await look()) && (await look());
}

interface Locks {
  /** Lets the call go that waits for one of both locks. */
  letGo(turn: number): Promise<void>;
  /** Takes the lock again that was let go. */
  takeBack(): Promise<void>;
}

/** Both locks of a connection, of which one is let go at a time. */
function createLocks(keep: (sql: string) => Promise<Answer>, pid: number): Locks {
  let free: number | undefined;

  async function takeBack(): Promise<void> {
    if (free !== undefined) await keep(`pg_advisory_lock(${String(free)}, ${String(pid)})`);
    free = undefined;
  }

  return {
    letGo: async (turn) => {
      await takeBack();
      free = LOCKS[turn];
      await keep(`pg_advisory_unlock(${String(free)}, ${String(pid)})`);
    },
    takeBack,
  };
}

interface HeldClient {
  readonly client: PostgresClient;
  readonly gate: StorageGate;
  readonly isBlocked: () => Promise<boolean>;
  readonly locks: Locks;
}

/** Asks through the gate: up to the first place, from each place to the next, and from the last one to the answer. */
async function ask({ client, gate, isBlocked, locks }: HeldClient, query: PostgresQuery): Promise<Answer> {
  const places = listenForPlaces(client);
  let asked: Promise<Answer> | undefined;
  let turn: number | undefined;
  try {
    for (;;) {
      const step = await gate.pass(async () => {
        const nextPlace = places.next();
        if (turn !== undefined) await locks.letGo(turn);
        asked ??= client.query(query);
        return Promise.race([asked.then((answer) => ({ answer })), nextPlace.then((reached) => ({ reached }))]);
      }, isBlocked);
      if ("answer" in step) return step.answer;
      turn = step.reached;
    }
  } finally {
    places.end();
    await locks.takeBack();
  }
}

/** The turns that a connection tells of. */
function listenForPlaces(client: PostgresClient): { next(): Promise<number>; end(): void } {
  let tell: (turn: number) => void = () => undefined;
  const note = ({ message = "" }: { readonly message?: string | undefined }): void => {
    const [, turn] = /^held: (\d)$/u.exec(message) ?? [];
    if (turn !== undefined) tell(Number(turn));
  };
  client.on("notice", note);
  return {
    next: () => new Promise((resolve) => (tell = resolve)),
    end: () => client.removeListener("notice", note),
  };
}

// What a commit makes PostgreSQL do, as its plans tell it when they have run: statements, the rows and loops of each node, and blocks.
// Nothing of it depends on how busy a machine is, and no valgrind is needed.

import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { newMessage, NOTHING, settlementOf } from "./store-calls.js";

/** The calls of a commit. */
const GROUPS = [1, 32, 256];
/** Commits before the one that is told: the first read the catalogue, and make the plans that are kept. */
const WARM = 4;
const LEASE_MS = 36_000_000;
const TOLD = {
  log_min_duration: 0,
  log_nested_statements: "on",
  log_analyze: "on",
  log_buffers: "on",
  log_timing: "off",
  log_format: "json",
  log_level: "notice",
};

/**
 * The work of a commit that stores as many calls as the one before it has stored, and settles those, by the number of its calls. In a
 * new schema of the database, over one connection of the pool, whose role may load a library.
 */
export async function workOfCommits(pool) {
  const client = await pool.connect();
  const keep = {
    query: (query) => client.query(query),
    on: (event, listener) => client.on(event, listener),
    removeListener: (event, listener) => client.removeListener(event, listener),
    release: () => undefined,
  };
  const clock = { ...createSystemClock(), after: () => () => undefined };
  const work = {};
  try {
    await client.query({ text: "load 'auto_explain'" });
    for (const group of GROUPS) {
      const schema = `work${String(group)}`;
      const store = await openPostgresStore({ pool: { connect: () => Promise.resolve(keep) }, clock, schema });
      let settle = [];
      for (let turn = 0; turn < WARM; turn += 1) settle = await handOff(store, group, settle);
      work[group] = await told(client, async () => handOff(store, group, settle));
      await store.close();
    }
  } finally {
    client.release(true);
  }
  return work;
}

let tokens = 0;

/** Stores calls that are handed off, and settles others. Returns the settlements of what was handed off. */
async function handOff(store, count, settle) {
  tokens += 1;
  const token = `token ${String(tokens)}`;
  const accept = Array.from({ length: count }, () => newMessage({ kind: "claimed" }));
  const { accepted } = await store.commit(
    { ...NOTHING, accept, settle, lease: { token, leaseMs: LEASE_MS } },
    Date.now(),
  );
  return accepted.flatMap(({ deliveries }) => deliveries).map((id) => settlementOf(id, token, Date.now()));
}

/** The plans of one request, of which the last is that of the request as a whole. */
async function told(client, request) {
  const plans = [];
  const note = ({ message }) => {
    const [, plan] = /plan:\s*(\{.*\})/su.exec(message) ?? [];
    if (plan !== undefined) plans.push(JSON.parse(plan).Plan);
  };
  client.on("notice", note);
  for (const [name, value] of Object.entries(TOLD))
    await client.query({ text: `set auto_explain.${name} = '${value}'` });
  plans.length = 0;
  await request();
  await client.query({ text: "set auto_explain.log_min_duration = -1" });
  client.removeListener("notice", note);
  const whole = plans.find((plan) => plan["Node Type"] === "Result" && plan === plans.at(-1)) ?? {};
  return {
    blocks: (whole["Shared Hit Blocks"] ?? 0) + (whole["Shared Read Blocks"] ?? 0),
    statements: plans.map((plan) => nodesOf(plan).join("; ")),
  };
}

/** A line for each node that ran. */
function nodesOf(plan) {
  const below = (plan.Plans ?? []).flatMap(nodesOf);
  if (plan["Actual Loops"] === 0) return below;
  const kind = plan["Node Type"] === "ModifyTable" ? plan.Operation : plan["Node Type"];
  const of = [plan["Index Name"] ?? plan["Relation Name"] ?? plan["Function Name"]].filter(
    (name) => name !== undefined,
  );
  const counts = `${String(plan["Actual Rows"])} rows, ${String(plan["Actual Loops"])} loops`;
  return [`${[kind, ...of].join(" ")}: ${counts}`, ...below];
}

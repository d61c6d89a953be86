// Mutants of the functions and tables of the PostgreSQL store, each with the test that finds it. An edit whose text is not exactly
// once in its file fails: then the code has changed, and the edit must be adapted.

const HELD = "test/postgres/held-functions.test.ts";
const WAITING = "test/postgres/waiting.test.ts";
const LEAVES = "test/postgres/leaves.test.ts";
const LEASES = "test/postgres/leases.test.ts";
const USUAL = "test/postgres/usual-commits.test.ts";
const LOWS = "test/postgres/lows.test.ts";
const OUTBOX = "test/postgres/outbox.test.ts";
const DELIVERIES = "test/postgres/delivery-store.test.ts";
const AUDIENCES = "test/postgres/audience-store.test.ts";
const ONCE = "a replay that is to be made once is made unless an earlier one was";

/**
 * @typedef {object} SqlMutant
 * @property {string} name - what is wrong with it
 * @property {string} file - below packages/postgres/src/schema
 * @property {string} from - a text of the source
 * @property {string} to - the text in its place
 * @property {string} path - the test file that finds it
 * @property {string} by - a part of the title of the test that fails
 */

/**
 * Locks, indexes, conditions, orders and limits. Not among them, since nothing can be seen of it: the unique indexes of leaves, whose
 * keys are numbers of a sequence; the lock of a fold, since a fold changes no sum; the limit of `read_board`, which the store applies
 * to the answer once more; the order of members by their tails, in which they were appended.
 *
 * @type {readonly SqlMutant[]}
 */
export const SQL_MUTANTS = [
  mutant("settle does not lock the leases", "settle.ts", {
    from: "l.token = any (s_token) order by l.id for update",
    to: "l.token = any (s_token) order by l.id",
    path: HELD,
    by: "two settlements of one claim at the same time: one settles",
  }),
  mutant("settle takes what was taken over, where the process knows it", "settle.ts", {
    from: "and not l.is_purged and get_bit(l.done, s.pos - 1) = 0",
    to: "and not l.is_purged",
    path: LEASES,
    by: "a delivery that another process has taken over is stale",
  }),
  mutant("settle looks for nothing if the process knows one of several", "settle.ts", {
    from: "select count(*) = cardinality(s_id) into v_is_known",
    to: "select count(*) > 0 into v_is_known",
    path: LEASES,
    by: "a lease that was divided to end sooner still settles all that it had",
  }),
  mutant("settle looks for what the process knows", "settle.ts", {
    from: "if not v_is_known then",
    to: "if true then",
    path: LEASES,
    by: "no list of a lease is opened for deliveries that this process has stored or claimed",
  }),
  mutant("a usual commit does not enter the store", "usual.ts", {
    from: "if not enter_shared() then return null; end if;",
    to: "",
    path: USUAL,
    by: "a request about a user waits for one that is under way",
  }),
  mutant("a usual commit has a message id of yesterday", "usual.ts", {
    from: "r.leaf in (v_ring.one_before, case when v_ring.is_third then v_ring.two_before else v_ring.one_before end)",
    to: "false",
    path: LEAVES,
    by: "if the clock is set back, of claimed calls",
  }),
  mutant("a usual commit has a message id of the day before yesterday, which the clock was set back to", "usual.ts", {
    from: "case when v_ring.is_third then v_ring.two_before else v_ring.one_before end",
    to: "v_ring.one_before",
    path: LEAVES,
    by: "of message ids remembers",
  }),
  mutant("a usual commit stores a message of a suppressed user", "usual.ts", {
    from: "cardinality(suppressed_of(m_user, m_other)) > 0 then",
    to: "false then",
    path: USUAL,
    by: "leave the store as the function for any commit would leave it",
  }),
  mutant("a usual commit stores a message as of an earlier request", "usual.ts", {
    from: "if p_as_of < v_ring.requests or",
    to: "if",
    path: USUAL,
    by: "leave the store as the function for any commit would leave it",
  }),
  mutant("a usual commit keeps the ids of new messages beside a known one", "usual.ts", {
    from: "delete from seen r where r.bucket",
    to: "delete from seen r where false and r.bucket",
    path: USUAL,
    by: "leave the store as the function for any commit would leave it",
  }),
  mutant("a usual commit takes away what others have stored of its ids", "usual.ts", {
    from: "        and r.xmin::text::int8 = pg_current_xact_id()::text::int8 % 4294967296;",
    to: "        ;",
    path: USUAL,
    by: "leave the store as the function for any commit would leave it",
  }),
  mutant("a usual commit settles what has been settled", "usual.ts", {
    from: "l.token = e_token[g] and not l.is_purged\n          and l.done & e_mask[g] = l.done # l.done for update",
    to: "l.token = e_token[g] and not l.is_purged for update",
    path: LEASES,
    by: "a delivery that another process has taken over is stale",
  }),
  mutant("a usual commit settles a lease of which some was taken over", "usual.ts", {
    from: "not l.is_purged and l.done = ~e_mask[1];",
    to: "not l.is_purged;",
    path: LEASES,
    by: "a lease that was divided to end sooner still settles all that it had",
  }),
  mutant("a usual commit does not lock its leases", "usual.ts", {
    from: "l.done # l.done for update) x",
    to: "l.done # l.done) x",
    path: USUAL,
    by: "a settlement that is made twice at the same time, of a lease of which more is open, counts once",
  }),
  mutant("a usual commit leaves a lease that nothing is open of", "usual.ts", {
    from: "if v_count < cardinality(v_rows) then",
    to: "if false then",
    path: USUAL,
    by: "two that settle the last two deliveries of a lease at the same time leave nothing of it",
  }),
  mutant("a usual commit settles a lease of another process, whole", "usual.ts", {
    from: "l.id = e_lease[1] and l.token = e_token[1]",
    to: "l.id = e_lease[1]",
    path: USUAL,
    by: "a lease whose number another one has, as after a failover, is not settled whole",
  }),
  mutant("a usual commit settles a lease of another process", "usual.ts", {
    from: "l.id = e_lease[g] and l.token = e_token[g]",
    to: "l.id = e_lease[g]",
    path: USUAL,
    by: "a lease whose number another one has, as after a failover, is not settled in part",
  }),
  mutant("a usual commit adds to a retired leaf", "usual.ts", {
    from: "leaf_for(s[g][1], v_ring.retired_below)",
    to: "leaf_of(s[g][1])",
    path: LEAVES,
    by: "loses nothing, whatever is accepted, claimed and settled during its steps",
  }),
  mutant("a late attempt does not lock its delivery", "settle.ts", {
    from: "      for key share;",
    to: "      ;",
    path: WAITING,
    by: "a late attempt waits for a sweep, and finds its delivery gone",
  }),
  mutant("a replay does not look for a body", "settle.ts", {
    from: "where m.body is not null and not (case",
    to: "where not (case",
    path: DELIVERIES,
    by: "a user's finished delivery is not replayed, neither before the purge nor after it",
  }),
  mutant("a replay that is to be made once does not look for earlier ones", "settle.ts", {
    from: "(a.once = 0 or not exists (",
    to: "(true or not exists (",
    path: DELIVERIES,
    by: ONCE,
  }),
  mutant("a replay that is to be made once does not look further up", "settle.ts", {
    from: "and not a.is_repeated and (a.once",
    to: "and (a.once",
    path: DELIVERIES,
    by: ONCE,
  }),
  mutant("claim does not lock the leases that have ended", "claim.ts", {
    from: "order by l.id for update;",
    to: "order by l.id;",
    path: HELD,
    by: "a settlement at the end of a lease and a claim at the same time",
  }),
  mutant("claims of one lane share its lock", "claim.ts", {
    from: "perform pg_advisory_xact_lock(hashtext(current_schema()), u.lane)",
    to: "perform pg_advisory_xact_lock_shared(hashtext(current_schema()), u.lane)",
    path: HELD,
    by: "two claims at the same time hand out each delivery once",
  }),
  mutant("claim does not enter the store", "claim.ts", {
    from: "begin\n  perform enter_shared();\n",
    to: "begin\n",
    path: HELD,
    by: "ending deliveries and a claim at the same time",
  }),
  mutant("a claim picks the oldest, not what is due first", "claim.ts", {
    from: "      r.due_at, r.id, r.place) as turn",
    to: "      r.id, r.place) as turn",
    path: DELIVERIES,
    by: "a claim hands out what is due, earliest due first",
  }),
  mutant("a claim hands out what is due later", "claim.ts", {
    from: "where o.turn <= o.most and not o.is_later order by",
    to: "where o.turn <= o.most order by",
    path: DELIVERIES,
    by: "nothing is claimed before it is due, and everything as soon as it is",
  }),
  mutant("commit does not enter the store", "commit.ts", {
    from: "else perform enter_shared(); end if;",
    to: "end if;",
    path: HELD,
    by: "a request and a commit of its user's message at the same time",
  }),
  mutant("a replay enters as others do", "commit.ts", {
    from: "then perform enter_alone(); else",
    to: "then perform enter_shared(); else",
    path: WAITING,
    by: "a replay waits for a sweep, and finds nothing that it has removed",
  }),
  mutant("who enters alone shares the lock", "helpers.ts", {
    from: "perform pg_advisory_xact_lock(hashtext(current_schema()), 0);",
    to: "perform pg_advisory_xact_lock_shared(hashtext(current_schema()), 0);",
    path: WAITING,
    by: "a request about users waits for a commit under way, and covers what that stores",
  }),
  mutant("the start of a search is trusted for ever", "helpers.ts", {
    from: "and p_now - p_full_at <= 30000 and",
    to: "and",
    path: LOWS,
    by: "search from the beginning again after half a minute, whatever they have learnt",
  }),
  mutant("a search does not heed what is stored as due before its start", "helpers.ts", {
    from: " and p_full_at - 20000 > p_early then",
    to: " then",
    path: LOWS,
    by: "find what another process has stored since, due now or long ago",
  }),
  mutant("the start of a search is trusted before it was learnt", "helpers.ts", {
    from: "when p_full_at <= p_now and p_now",
    to: "when p_now",
    path: LOWS,
    by: "find what is due after the clock was set back",
  }),
  mutant("a purge reaches what was stored after its request", "helpers.ts", {
    from: "not d.is_purged and m.id <= d.up_to",
    to: "not d.is_purged",
    path: DELIVERIES,
    by: "a message stored after the request is not purged",
  }),
  mutant("ending shares the store with claims", "maintenance.ts", {
    from: "perform enter_alone();\n  for v_row in",
    to: "perform enter_shared();\n  for v_row in",
    path: HELD,
    by: "ending deliveries and a claim at the same time",
  }),
  mutant("bringing forward shares the store with settlements", "maintenance.ts", {
    from: "perform enter_alone();\n  perform note_early",
    to: "perform enter_shared();\n  perform note_early",
    path: WAITING,
    by: "bringing forward waits for a settlement, and leaves alone what that has finished",
  }),
  mutant("the limit of an end is ignored", "maintenance.ts", {
    from: "m.accepted_at < p_accepted_before))\n    limit p_limit\n",
    to: "m.accepted_at < p_accepted_before))\n",
    path: DELIVERIES,
    by: "at most `limit` deliveries are ended at once, and repeating it ends the rest",
  }),
  mutant("a sweep waits for rows that others have locked", "maintenance.ts", {
    from: "limit p_limit for update skip locked) d)\n    limit p_limit",
    to: "limit p_limit for update) d)\n    limit p_limit",
    path: WAITING,
    by: "a sweep goes on beside a late attempt",
  }),
  mutant("a sweep does not lock what it sweeps", "maintenance.ts", {
    from: "limit p_limit for update skip locked) d)\n    limit p_limit",
    to: "limit p_limit) d)\n    limit p_limit",
    path: WAITING,
    by: "a sweep goes on beside a late attempt",
  }),
  mutant("sweeps share their lock", "maintenance.ts", {
    from: "perform pg_advisory_xact_lock(hashtext(current_schema()), -4);",
    to: "perform pg_advisory_xact_lock_shared(hashtext(current_schema()), -4);",
    path: WAITING,
    by: "a sweep waits for a sweep of another delivery of its message",
  }),
  mutant("a message is swept from under a waiting delivery", "maintenance.ts", {
    from: "    and not exists (select 1 from waiting w where w.bucket = p_bucket and w.id = p_id)\n",
    to: "",
    path: LEAVES,
    by: "keeps a message of which a delivery waits, also once another one is swept as a row",
  }),
  mutant("a leaf is retired beside commits", "partitions/rotation.ts", {
    from: "perform enter_alone();\n    update ring set retired_below",
    to: "perform enter_shared();\n    update ring set retired_below",
    path: LEAVES,
    by: "is retired once nothing is under way that adds to it",
  }),
  mutant("a request about users is stored beside commits", "users.ts", {
    from: "perform enter_alone();\n  if exists (select 1 from deletion where key",
    to: "perform enter_shared();\n  if exists (select 1 from deletion where key",
    path: HELD,
    by: "a request and a commit of its user's message at the same time",
  }),
  mutant("a purge shares the store with settlements", "users.ts", {
    from: "perform enter_alone();\n  select * into v_request from deletion where key = p_key;\n  if not found or v_request.is_purged",
    to: "perform enter_shared();\n  select * into v_request from deletion where key = p_key;\n  if not found or v_request.is_purged",
    path: WAITING,
    by: "a slice of a purge waits for a settlement, and counts its delivery once",
  }),
  mutant("a request ends before its notices", "users.ts", {
    from: " or (v_request.is_notifying and v_request.notified < v_request.users)",
    to: "",
    path: DELIVERIES,
    by: "a request without notices ends without them, and one with notices waits for them",
  }),
  mutant("beats share their lock", "board.ts", {
    from: "perform pg_advisory_xact_lock(hashtext(current_schema()), -3);",
    to: "perform pg_advisory_xact_lock_shared(hashtext(current_schema()), -3);",
    path: HELD,
    by: "of the first beats of two processes at the same time, one sees the other",
  }),
  mutant("writes of the board share the locks of its lanes", "board.ts", {
    from: "perform pg_advisory_xact_lock(hashtext(current_schema()), s.stripe)",
    to: "perform pg_advisory_xact_lock_shared(hashtext(current_schema()), s.stripe)",
    path: "test/postgres/board-writes.test.ts",
    by: "takes the second revision of a lane whose first is written at that moment",
  }),
  mutant("the key of a lane on the board is not unique", "board.ts", {
    from: "create table board_lane (\n  key uuid primary key,",
    to: "create table board_lane (\n  key uuid not null,",
    path: DELIVERIES,
    by: "a row is replaced only by its next revision; who writes any other is answered the stored one",
  }),
  mutant("a row of the board is replaced by any revision", "board.ts", {
    from: "where b.key = p_keys[i] and b.revision = p_revisions[i] - 1;",
    to: "where b.key = p_keys[i];",
    path: DELIVERIES,
    by: "a row is replaced only by its next revision; who writes any other is answered the stored one",
  }),
  mutant("a change that was under way at a cursor is not told", "board.ts", {
    from: "b.changed_by >= pg_snapshot_xmin(v_since)",
    to: "b.changed_by > pg_snapshot_xmin(v_since)",
    path: HELD,
    by: "a row whose write ends after that of another row, which a beat tells, is told by a later beat",
  }),
  mutant("rows of the board come in any order", "board.ts", {
    from: "    order by b.key limit p_limit\n",
    to: "    limit p_limit\n",
    path: DELIVERIES,
    by: "rows that change while pages are read are told in the rest of the pages",
  }),
  mutant("a process that has not beaten for long lives", "board.ts", {
    from: "abs(b.seen_at - v_now) > p_live_ms",
    to: "b.seen_at - v_now > p_live_ms",
    path: DELIVERIES,
    by: "a process lives after its beat for the time that the asking process gives, and not a millisecond longer",
  }),
  mutant("requests are listed in any order", "lists.ts", {
    from: "    order by d.number desc limit p_limit\n",
    to: "    limit p_limit\n",
    path: DELIVERIES,
    by: "requests are listed newest first, in pages, all of them or those that are not finished",
  }),
  mutant("a page begins with the last delivery of the one before", "lists.ts", {
    from: "(d.id < p_id or d.place < p_place)",
    to: "(d.id < p_id or d.place <= p_place)",
    path: DELIVERIES,
    by: "pages show each delivery once, up to the last",
  }),
  mutant("the key of a record is not unique", "tables.ts", {
    from: "  checksum bytea not null,\n  primary key (kind, key)\n",
    to: "  checksum bytea not null\n",
    path: DELIVERIES,
    by: "two new records with one key at the same time: one is stored, and only its caller is answered so, between two processes",
  }),
  mutant("an erasure does not lock its set", "audiences.ts", {
    from: "where s.key = p_key for update;\n  delete from member m",
    to: "where s.key = p_key;\n  delete from member m",
    path: HELD,
    by: "an append and an erasure of all members at the same time",
  }),
  mutant("a drop does not lock its set", "audiences.ts", {
    from: "where s.key = p_key for update;\n  if not found",
    to: "where s.key = p_key;\n  if not found",
    path: HELD,
    by: "an append beside a drop leaves no member without its set",
  }),
  mutant("a member is appended twice", "audiences.ts", {
    from: "or m.tail >= p_tails[1])",
    to: "or m.tail > p_tails[1])",
    path: AUDIENCES,
    by: "an append of members that do not come after all members of the set is rejected",
  }),
  mutant("a page of members leaves out who begins as the last one of the page before", "audiences.ts", {
    from: "m.member_set = v_set and m.head >= p_head and (p_tail",
    to: "m.member_set = v_set and m.head > p_head and (p_tail",
    path: AUDIENCES,
    by: "any text is a user id, and comes back as it was",
  }),
  mutant("an erasure takes all who begin alike", "audiences.ts", {
    from: "m.head = u.head and m.tail = u.tail;",
    to: "m.head = u.head;",
    path: AUDIENCES,
    by: "any text is erased exactly as it is",
  }),
  mutant("the outbox shows calls of sources that are left out", "outbox.ts", {
    from: "where p.source is not null and p.source <> all (p_except)",
    to: "where p.source is not null",
    path: OUTBOX,
    by: "reads past the calls of sources that are left out without looking at them",
  }),
  mutant("the outbox shows the calls of one source after those of another", "outbox.ts", {
    from: "  order by f.id limit p_limit;",
    to: "  limit p_limit;",
    path: OUTBOX,
    by: "reads past the calls of sources that are left out without looking at them",
  }),
];

function mutant(name, file, { from, to, path, by }) {
  return { name, file, from, to, path, by };
}

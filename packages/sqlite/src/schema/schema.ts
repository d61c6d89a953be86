// The tables of a stored file. A message holds its body once; each of its deliveries points at it. There are no foreign keys: rows
// that belong together are written and removed in one transaction.

/** The application id of a store's file: "Post" in ASCII. */
export const APPLICATION_ID = 0x506f7374;

const TABLES = `
  -- An erasable table: see erasable-tables.ts. wiped is 1 if the body has been purged, 2 if the message has no delivery any more,
  -- and null if its body must exist. deletion is the request, if the message is a notice. traceparent is the span in which it was
  -- accepted; null in nearly all rows. There is no index from users to messages: a purge scans all deliveries up to the last that the
  -- request covers, because the ids of deliveries never change, and those of messages do.
  create table message (
    id integer primary key,
    source text not null,
    message_id text not null,
    type text not null,
    user_id text,
    previous_id text,
    deletion text,
    wiped integer,
    body blob,
    traceparent text
  ) strict;

  -- due_at is the instant at which a delivery is due, or its lease ends; null once finished. So one index serves waiting
  -- deliveries and those whose claim has expired; it has whether a delivery was tried before, so that a claim can limit each kind.
  -- delivery_standing answers lists by destination and state, newest first, and has the columns by which these lists filter.
  -- state is the index in core's DELIVERY_STATES. checksum covers the contents of the message, the id and the lane: see
  -- rows/rows.ts. source, size and deletion repeat what a settlement needs of the message; size is the bytes of the body, and
  -- null once the body is purged. remembers is 1 if states of endpoints are stored.
  create table delivery (
    id integer primary key autoincrement,
    message integer not null,
    lane text not null,
    state integer not null,
    replayed integer not null default 0,
    accepted_at integer not null,
    due_at integer,
    token text,
    rounds integer not null default 0,
    attempt_count integer not null default 0,
    first_attempt_at integer,
    finished_at integer,
    reason text,
    detail text,
    replay_of integer,
    checksum integer not null default 0,
    source text,
    size integer,
    deletion text,
    remembers integer not null default 0
  ) strict;
  create index delivery_due on delivery (lane, rounds > 0, due_at) where due_at is not null;
  create index delivery_tried on delivery (lane, first_attempt_at)
    where due_at is not null and first_attempt_at is not null;
  create index delivery_standing on delivery (lane, state, replayed, id, accepted_at);
  create index delivery_finished on delivery (state, finished_at) where finished_at is not null;
  create index delivery_message on delivery (message);

  create table attempt (
    delivery integer not null,
    place integer not null,
    round integer not null,
    endpoint text not null,
    started_at integer not null,
    duration_ms real not null,
    status integer,
    fault text,
    verdict text not null,
    primary key (delivery, place)
  ) strict, without rowid;

  -- The claims of a delivery whose lease ended before it was settled. All but count is of the latest; taken_by is null if the delivery
  -- became dead. Written only when such a claim is found, which is rare.
  create table lapse (
    delivery integer primary key,
    count integer not null,
    process text not null,
    lease_until integer not null,
    taken_at integer not null,
    taken_by text
  ) strict;

  -- refused_at: the last refusal that is not for good. excerpt is a row of the table of that name.
  create table endpoint_state (
    delivery integer not null,
    place integer not null,
    endpoint text not null,
    refused integer not null,
    refused_at integer,
    excerpt integer,
    primary key (delivery, place)
  ) strict, without rowid;

  -- An erasable table.
  create table excerpt (
    id integer primary key,
    delivery integer not null,
    place integer not null,
    bytes blob
  ) strict;
  create index excerpt_kept on excerpt (id) where bytes is not null;

  create table lane (
    lane text primary key,
    deliveries integer not null,
    bytes integer not null
  ) strict, without rowid;

  create table tally (
    source text primary key,
    accepted integer not null,
    filtered integer not null,
    waiting integer not null,
    claimed integer not null,
    delivered integer not null,
    dead integer not null,
    refused integer not null,
    duplicates integer not null,
    suppressed integer not null,
    shed integer not null,
    received integer not null default 0
  ) strict, without rowid;

  -- Accepted message ids are stored in blocks, in order. The key last of a block is the number of its last id. ids is JSON;
  -- hashes has 8 bytes for each id, computed with seen_key. See delivery-store/dedupe.
  create table seen_key (key blob not null) strict;
  insert into seen_key values (randomblob(8));
  create table seen_hash (last integer primary key, hashes blob not null) strict;
  create table seen_id (last integer primary key, at integer not null, ids text not null) strict;

  create table member_set (
    id integer primary key,
    name text not null unique
  ) strict;

  -- User ids of members are in rows that fill their pages, and in no index: see audience-store/page.ts. bytes are two lines
  -- of JSON: the user ids, and their values if there are any. last_id is the sort key of the last user id. place is the order of the
  -- pages of a set.
  create table member_page (
    id integer primary key,
    last_id blob not null,
    bytes blob not null
  ) strict;

  create table member_place (
    member_set integer not null,
    place integer not null,
    page integer not null,
    checksum integer not null,
    primary key (member_set, place)
  ) strict, without rowid;

  create table suppressed (user_id text primary key) strict, without rowid;

  create table deletion (
    row integer primary key,
    id text not null unique,
    regulation text not null,
    sources text,
    requested_at integer not null,
    finished_at integer,
    users integer not null,
    notified integer not null default 0,
    purged integer not null default 0,
    last_delivery integer not null,
    looked_at integer not null default 0,
    is_purged integer not null
  ) strict;
  create index deletion_unpurged on deletion (row) where is_purged = 0;
  create index deletion_unfinished on deletion (row) where finished_at is null;

  -- The row of a request is emptied and stays, since removing it could leave copies of it.
  create table deletion_users (
    deletion integer primary key,
    user_ids text
  ) strict;

  create table notice (
    deletion text not null,
    source text not null,
    stored integer not null,
    delivered integer not null,
    dead integer not null,
    primary key (deletion, source)
  ) strict, without rowid;

  -- text is a row of record_text. A text of the records of audiences fills its pages, since it may name a user.
  create table record (
    kind text not null,
    key text not null,
    revision integer not null,
    tag text,
    text integer not null,
    checksum integer not null,
    primary key (kind, key)
  ) strict, without rowid;
  create index record_tag on record (kind, tag, key) where tag is not null;

  create table record_text (
    id integer primary key,
    bytes blob not null
  ) strict;

  -- What processes on the file tell each other: which of them live, and the record of each lane, as JSON. share is a text, since SQLite
  -- makes 0 of a tiny number.
  create table board_process (process text primary key, share text not null, seen_at integer not null) strict, without rowid;

  create table board_row (
    lane text primary key,
    record text not null,
    changed integer not null,
    checksum integer not null
  ) strict, without rowid;
  create index board_row_changed on board_row (changed);

  pragma application_id = ${String(APPLICATION_ID)};
`;

/**
 * The steps of the schema, oldest first; their number is its version. Until a version is published, a schema is changed in place, in the
 * tables above. From then on the steps of a release never change, and a change is a further step.
 */
export const SCHEMA_STEPS: readonly string[] = [TABLES];

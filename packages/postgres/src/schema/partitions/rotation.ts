// Decides which leaf is begun, retired, looked through or emptied next, and which rows of a retired leaf are kept.

import { ID_BITS, LEAVES, KEPT_LEAF } from "./tables.js";

export const TEND_LEAVES: string = `
-- One step of the work on leaves, of which there may be many: begins the next leaf, turns that of message ids, retires the oldest one,
-- looks through a slice of it, or empties it. Tells how many deliveries are swept with it, and whether nothing is left to do now.
create function tend_leaves(
  p_bucket int2, p_now int8, p_leaf_ms int8, p_delivered_before int8, p_dead_before int8, p_limit int4
) returns table (swept int8, is_done boolean) language plpgsql volatile set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_now int8 := coalesce(p_now, clock_ms());
  v_ring ring;
  v_open int8;
  v_oldest int8;
  v_is_due boolean;
begin
  swept := 0; is_done := false;
  if not pg_try_advisory_xact_lock(hashtext(current_schema()), -4) then is_done := true; return next; return; end if;
  v_open := (select b.last_value from block b) * 1024 >> ${ID_BITS};
  -- Also those that ids have passed while nothing was swept.
  insert into leaf (number, since) select n, v_now from generate_series((select max(l.number) + 1 from leaf l), v_open) n;
  update ring set seen_high = v_now where seen_high < v_now;
  select r.* into v_ring from ring r;
  select l.number into v_oldest from leaf l order by l.number limit 1;

  if v_open - v_oldest < ${LEAVES} - 1 and exists (
    select 1 from leaf l where l.number = v_open and (v_now < l.since or v_now - l.since >= p_leaf_ms)
  ) and exists (
    select 1 from message m where m.bucket = p_bucket and m.leaf = leaf_of(v_open << ${ID_BITS}) and m.id >= v_open << ${ID_BITS}
  ) then
    perform setval('block', (v_open + 1 << ${ID_BITS}) / 1024);
    v_open := v_open + 1;
    insert into leaf (number, since) values (v_open, v_now);
  end if;

  -- A later leaf began before the retention: all of this one was accepted before.
  v_is_due := exists (select 1 from leaf l where l.number > v_oldest and l.since <= p_delivered_before);
  if v_now - v_ring.seen_since >= 86400000 and turn_seen_leaf(p_now, v_ring.seen_leaf) then
    null;
  elsif not v_is_due then
    is_done := true;
  elsif v_ring.retired_below < v_oldest + 1 << ${ID_BITS} then
    -- Nothing is under way any more that adds to the leaf, and nothing will be.
    perform enter_alone();
    update ring set retired_below = v_oldest + 1 << ${ID_BITS}, looked_at = (v_oldest << ${ID_BITS}) - 1;
  elsif v_ring.looked_at < v_oldest + 1 << ${ID_BITS} then
    perform enter_shared();
    swept := look_through_leaf(p_bucket, v_oldest, p_delivered_before, p_dead_before, p_limit);
    update ring set looked_through_at = v_now;
  elsif v_now - v_ring.looked_through_at between 0 and least(10000, p_leaf_ms / 5) - 1 then
    -- A reader whose snapshot is older than the last move would find the rows in neither place; no request lasts longer than this.
    is_done := true;
  else
    is_done := not empty_leaf(p_bucket, v_oldest);
  end if;
  return next;
end
$fn$;

-- Empties a leaf of which all has been looked at. False: something holds it. A leaf that was not free in time holds later messages too,
-- which stay.
create function empty_leaf(p_bucket int2, p_leaf int8) returns boolean language plpgsql volatile set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $fn$
declare
  v_leaf int2 := leaf_of(p_leaf << ${ID_BITS});
  v_start int8 := p_leaf << ${ID_BITS};
  v_end int8 := p_leaf + 1 << ${ID_BITS};
begin
  if is_read_for_long(array['message', 'ended', 'attempt', 'replayed', 'lapse'], v_leaf) then return false; end if;
  perform set_config('lock_timeout', '1000', true);
  execute format('lock table message_%s, ended_%1$s, attempt_%1$s, replayed_%1$s, lapse_%1$s in access exclusive mode', v_leaf);
  if exists (select 1 from message m where m.bucket = p_bucket and m.leaf = v_leaf and m.id >= v_end)
    or exists (select 1 from message m where m.bucket = p_bucket and m.leaf = v_leaf and m.id < v_start) then
    delete from message m where m.bucket = p_bucket and m.leaf = v_leaf and m.id >= v_start and m.id < v_end;
    delete from ended e where e.bucket = p_bucket and e.leaf = v_leaf and e.id >= v_start and e.id < v_end;
    delete from attempt a where a.bucket = p_bucket and a.leaf = v_leaf and a.id >= v_start and a.id < v_end;
    delete from replayed a where a.bucket = p_bucket and a.leaf = v_leaf and a.id >= v_start and a.id < v_end;
    delete from lapse a where a.bucket = p_bucket and a.leaf = v_leaf and a.id >= v_start and a.id < v_end;
  else
    execute format('truncate message_%s, ended_%1$s, attempt_%1$s, replayed_%1$s, lapse_%1$s', v_leaf);
  end if;
  delete from leaf where number = p_leaf;
  return true;
exception when lock_not_available then return false;
end
$fn$;

-- True if a transaction that lasts, such as a dump, has locked a leaf: nothing may wait for it then, since others would wait behind.
create function is_read_for_long(p_tables text[], p_leaf int2) returns boolean language sql volatile set search_path from current as
$fn$
  select exists (
    select 1 from unnest(p_tables) t(name) join pg_locks l on l.relation = to_regclass(t.name || '_' || p_leaf)
    join pg_stat_activity a on a.pid = l.pid
    where l.granted and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and coalesce(a.xact_start, '-infinity') < clock_timestamp() - interval '5 s')
$fn$;
`;

export const LOOK_THROUGH_LEAF: string = `
-- Looks at some messages of a retired leaf, and moves what is not to be swept: deliveries that finished later, and whatever belongs to
-- those that have not finished. Answers how many deliveries are to be swept.
create function look_through_leaf(p_bucket int2, p_leaf int8, p_delivered_before int8, p_dead_before int8, p_limit int4)
returns int8 language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off set enable_mergejoin = off
set enable_material = off
as $fn$
#variable_conflict use_column
declare
  v_leaf int2 := leaf_of(p_leaf << ${ID_BITS});
  v_end int8 := p_leaf + 1 << ${ID_BITS};
  v_from int8 := (select r.looked_at from ring r);
  v_to int8;
  v_looked int4;
  v_kept int8[];
  v_swept int8;
  v_notice record;
begin
  select max(s.id), count(*) into v_to, v_looked from (
    select m.id from message m where m.bucket = p_bucket and m.leaf = v_leaf and m.id > v_from and m.id < v_end order by m.id limit p_limit
  ) s;
  if v_looked < p_limit then v_to := v_end; end if;

  -- By one statement, so that what is claimed or finished meanwhile is seen in one place or the other.
  select array_agg(distinct u.id) filter (where not u.is_swept), count(*) filter (where u.is_swept) into v_kept, v_swept from (
    select e.id, e.leaf = v_leaf and is_sweepable(e.state, e.finished_at, p_delivered_before, p_dead_before) as is_swept
    from ended e where e.bucket = p_bucket and e.leaf in (v_leaf, ${KEPT_LEAF}) and e.id > v_from and e.id <= v_to
    union all
    select w.id, false from waiting w where w.bucket = p_bucket and w.id > v_from and w.id <= v_to
    union all
    select e.id, false from lease l cross join lateral unnest(l.ids) with ordinality e(id, pos)
    where l.bucket = p_bucket and l.low <= v_to and l.high > v_from and e.id > v_from and e.id <= v_to
      and get_bit(l.done, e.pos::int4 - 1) = 0
  ) u;
  if v_kept is not null then perform keep_messages(p_bucket, v_leaf, v_from, v_to, v_kept, p_delivered_before, p_dead_before); end if;

  -- What counts notices is asked for by request, and adds to what is swept what is there: so these go at once.
  for v_notice in
    select m.id from message m
    where m.bucket = p_bucket and m.leaf in (v_leaf, ${KEPT_LEAF}) and m.id > v_from and m.id <= v_to and m.deletion is not null
  loop
    perform sweep_row(p_bucket, e.leaf, e.id, e.place, e.state) from ended e
    where e.bucket = p_bucket and e.leaf = v_leaf and e.id = v_notice.id;
  end loop;
  -- What is left of a message that is kept must not hold it, once what it is kept for is swept.
  if v_kept is not null then
    delete from ended e where e.bucket = p_bucket and e.leaf = v_leaf and e.id > v_from and e.id <= v_to and e.id = any (v_kept);
  end if;
  update ring set looked_at = v_to;
  return v_swept;
end
$fn$;

-- Moves messages, with all of their deliveries but those that are to be swept. A row is removed and added again: a commit that waits
-- for it finds that it is gone, and looks again.
create function keep_messages(
  p_bucket int2, p_leaf int2, p_from int8, p_to int8, p_ids int8[], p_delivered_before int8, p_dead_before int8
) returns void language plpgsql volatile set search_path from current
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off set enable_mergejoin = off
set enable_material = off
as $fn$
#variable_conflict use_column
begin
  with gone as (
    delete from message m where m.bucket = p_bucket and m.leaf = p_leaf and m.id > p_from and m.id <= p_to and m.id = any (p_ids) returning m.*
  )
  insert into message
  select g.bucket, ${KEPT_LEAF}, g.id, g.root, g.replay_of, g.replay_of_place, g.source, g.message_id, g.type, g.accepted_at, g.user_one,
    g.user_two, g.deletion, g.traceparent, g.size, g.body
  from gone g;
  with gone as (
    delete from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id > p_from and e.id <= p_to and e.id = any (p_ids)
      and not is_sweepable(e.state, e.finished_at, p_delivered_before, p_dead_before)
    returning e.*
  )
  insert into ended
  select g.bucket, ${KEPT_LEAF}, g.id, g.place, g.lane, g.source, g.state, g.reason, g.finished_at, g.detail, g.attempt_count, g.attempts,
    g.endpoints, g.excerpts
  from gone g;
  -- What is left in the leaf of these messages is to be swept.
  with gone as (
    delete from attempt a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into attempt select g.bucket, ${KEPT_LEAF}, g.id, g.place, g.number, g.attempt_count, g.attempts from gone g;
  with gone as (
    delete from replayed a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into replayed select g.bucket, ${KEPT_LEAF}, g.id, g.place from gone g;
  with gone as (
    delete from lapse a where a.bucket = p_bucket and a.leaf = p_leaf and a.id > p_from and a.id <= p_to and a.id = any (p_ids)
      and not exists (select 1 from ended e where e.bucket = p_bucket and e.leaf = p_leaf and e.id = a.id and e.place = a.place)
    returning a.*
  )
  insert into lapse
  select g.bucket, ${KEPT_LEAF}, g.id, g.place, g.number, g.count, g.process, g.lease_until, g.taken_at, g.taken_by from gone g;
end
$fn$;
`;

// Small functions that the others share: the time, durability, marks in leases, and whether a request covers a message. Functions that
// a commit calls are in plpgsql, which keeps its plans: a function in SQL is planned again at each call.

export const HELPERS = `
create function clock_ms() returns int8 language sql volatile as
  $fn$ select floor(extract(epoch from clock_timestamp()) * 1000)::int8 $fn$;

-- A transaction that was lost with a crash, or that another cluster has had, may have a number that is given again: so what was read up to
-- a number holds for one start of the server.
create function server_start() returns text language sql stable as
  $fn$ select floor(extract(epoch from pg_postmaster_start_time()) * 1000)::int8::text $fn$;

-- A role or a database may have synchronous_commit off by default; the setting of a transaction goes before that.
create function promise_durable() returns boolean language plpgsql volatile as $fn$
begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;
  return true;
end
$fn$;

-- Shared by all that commits. A change that concerns the whole store, such as a request about users, enters alone.
create function enter_shared() returns boolean language plpgsql volatile set search_path from current as $fn$
begin
  if promise_durable() and pg_advisory_xact_lock_shared(hashtext(current_schema()), 0) is null then return null; end if;
  return true;
end
$fn$;

create function enter_alone() returns void language plpgsql volatile set search_path from current as $fn$
begin
  perform promise_durable();
  perform pg_advisory_xact_lock(hashtext(current_schema()), 0);
end
$fn$;

create function is_covered(p_bucket int2, p_id int8) returns boolean language plpgsql stable
set search_path from current set jit = off set enable_seqscan = off set enable_hashjoin = off
as $fn$
begin
  return exists (
    select 1 from message m
    join deletion_user u on u.user_key = any (array[m.user_one, m.user_two])
    join deletion d on d.number = u.number
    join source s on s.id = m.source
    where m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1) and m.id = p_id and not d.is_purged and m.id <= d.up_to
      and (d.covers_all or s.is_audience or m.source = any (d.sources)));
end
$fn$;

-- Where a search of a lane may begin: nothing in it that waits is due before. A process learns it from a claim, and searches from the
-- beginning again each half minute. A transaction lasts less than 10 seconds, and notes what is due more than 10 seconds before it: so
-- whatever is stored after the search is due less than 20 seconds before it, or noted.
create function low_of(p_now int8, p_early int8, p_low int8, p_full_at int8) returns int8 language sql immutable as $fn$
  select case when p_full_at <= p_now and p_now - p_full_at <= 30000 and p_full_at - 20000 > p_early then p_low else -1 end
$fn$;

-- To be called by whatever makes deliveries wait, with when they are due.
create function note_early(p_bucket int2, p_now int8, p_due int8[]) returns void language plpgsql volatile set search_path from current
as $fn$ begin
  if p_now - 10000 <= all (p_due) then return; end if;
  insert into early as e (bucket, at) values (p_bucket, p_now) on conflict (bucket) do update set at = greatest(e.at, excluded.at);
end $fn$;

-- Marks entries of leases as done. The caller has locked the leases; a lease without an open entry is removed.
create function mark_done(p_bucket int2, p_leases int8[], p_places int4[]) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
begin
  with hit as materialized (
    select l.id, count(*)::int4 as count, bit_or(set_bit(l.done # l.done, u.pos - 1, 1)::bit varying) as mask
    from unnest(p_leases, p_places) u(lease, pos) join lease l on l.bucket = p_bucket and l.id = u.lease
    group by l.id
  ), marked as (
    update lease l set done = l.done | h.mask, open = l.open - h.count
    from hit h where l.bucket = p_bucket and l.id = h.id and l.open > h.count
  )
  delete from lease l using hit h where l.bucket = p_bucket and l.id = h.id and l.open <= h.count;
end
$fn$;

-- Counts entries of leases that have ended, to be called before they are marked: each may have been sent without a record. p_by is the
-- process that claims them again; null if they become dead. If its row is moved meanwhile, a delivery gets a second one.
create function note_lapses(p_bucket int2, p_now int8, p_leases int8[], p_places int4[], p_by bytea) returns void
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
begin
  with ended as materialized (
    select l.ids[u.pos] as id, l.places[u.pos] as place, l.process, l.until
    from unnest(p_leases, p_places) u(lease, pos) join lease l on l.bucket = p_bucket and l.id = u.lease
  ), again as (
    update lapse a set count = a.count + 1, process = e.process, lease_until = e.until, taken_at = p_now, taken_by = p_by
    from ended e where a.bucket = p_bucket and a.leaf in (leaf_of(e.id), -1) and a.id = e.id and a.place = e.place
    returning a.id, a.place
  )
  insert into lapse (bucket, leaf, id, place, count, process, lease_until, taken_at, taken_by)
  select p_bucket, leaf_now(e.id), e.id, e.place, 1, e.process, e.until, p_now, p_by from ended e
  where not exists (select 1 from again a where a.id = e.id and a.place = e.place);
end
$fn$;

-- Stores what a transaction adds to counters and lanes. A lane whose next due time has changed is named too, with nothing to add.
create function add_delta(
  p_bucket int2, p_sources int4[], p_kinds int2[], p_counts int8[], p_lanes int4[], p_deliveries int8[], p_bytes int8[]
) returns void language plpgsql volatile set search_path from current as $fn$
begin
  if cardinality(p_sources) + cardinality(p_lanes) = 0 then return; end if;
  insert into delta (bucket, sources, kinds, counts, lanes, deliveries, bytes)
  values (p_bucket, p_sources, p_kinds, p_counts, p_lanes, p_deliveries, p_bytes);
end
$fn$;

-- Adds the deltas to the totals. Readers add what is not folded yet, so this changes nothing that can be seen.
create function fold(p_bucket int2) returns void language plpgsql volatile set search_path from current as $fn$
begin
  if not pg_try_advisory_xact_lock(hashtext(current_schema()), -1) then return; end if;
  with gone as (
    delete from delta where bucket = p_bucket returning *
  ), counted as (
    insert into tally as t (bucket, source, kind, count)
    select p_bucket, e.source, e.kind, sum(e.count)
    from gone g cross join lateral unnest(g.sources, g.kinds, g.counts) e(source, kind, count)
    group by e.source, e.kind order by e.source, e.kind
    on conflict (bucket, source, kind) do update set count = t.count + excluded.count
  )
  insert into lane_total as t (bucket, lane, deliveries, bytes, changed_by)
  select p_bucket, e.lane, sum(e.deliveries), sum(e.bytes), max(g.by)
  from gone g cross join lateral unnest(g.lanes, g.deliveries, g.bytes) e(lane, deliveries, bytes)
  group by e.lane order by e.lane
  on conflict (bucket, lane) do update set deliveries = t.deliveries + excluded.deliveries, bytes = t.bytes + excluded.bytes,
    changed_by = greatest(t.changed_by, excluded.changed_by);
  -- No transaction of this cluster has such a number: the row was restored from another one, and would be told until it has.
  if (select t.changed_by from lane_total t where t.bucket = p_bucket order by t.changed_by desc limit 1)
    >= pg_snapshot_xmax(pg_current_snapshot())::text::int8
  then
    update lane_total t set changed_by = pg_snapshot_xmin(pg_current_snapshot())::text::int8
    where t.bucket = p_bucket and t.changed_by >= pg_snapshot_xmax(pg_current_snapshot())::text::int8;
  end if;
end
$fn$;

create function name_sources(p_names bytea[], p_audiences boolean[]) returns table (ids text)
language plpgsql volatile set search_path from current as $fn$
begin
  insert into source (name, is_audience)
  select n.name, n.is_audience from unnest(p_names, p_audiences) n(name, is_audience) order by sha256(n.name)
  on conflict (sha256(name)) do nothing;
  return query select string_agg(s.id::text, ',' order by n.ord)
    from unnest(p_names) with ordinality n(name, ord) join source s on sha256(s.name) = sha256(n.name);
end
$fn$;

create function name_lanes(p_names bytea[]) returns table (ids text)
language plpgsql volatile set search_path from current as $fn$
begin
  insert into lane (name) select n.name from unnest(p_names) n(name) order by sha256(n.name)
  on conflict (sha256(name)) do nothing;
  return query select string_agg(l.id::text, ',' order by n.ord)
    from unnest(p_names) with ordinality n(name, ord) join lane l on sha256(l.name) = sha256(n.name);
end
$fn$;
`;

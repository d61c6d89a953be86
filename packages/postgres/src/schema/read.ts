// What reads lanes, counters and message ids: each function sees one snapshot, so that what it shows is whole.

export const READ = `
-- A page of lanes by their names, or those that are named by their numbers, also if they are empty.
create function read_lanes(
  p_bucket int2, p_now int8, p_only int4[], p_after bytea, p_limit int4, p_low_lanes int4[], p_lows int8[], p_full_at int8[]
)
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8)
language plpgsql stable set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
begin
  return query
  with total as materialized (
    select u.lane, sum(u.deliveries)::int8 as deliveries, sum(u.bytes)::int8 as bytes from (
      select t.lane, t.deliveries, t.bytes from lane_total t where t.bucket = p_bucket and (p_only is null or t.lane = any (p_only))
      union all
      select e.lane, e.deliveries, e.bytes from delta d cross join lateral unnest(d.lanes, d.deliveries, d.bytes) e(lane, deliveries, bytes)
      where d.bucket = p_bucket and (p_only is null or e.lane = any (p_only))
    ) u group by u.lane having p_only is not null or sum(u.deliveries) > 0
  ), page as materialized (
    select l.name, t.* from total t join lane l on l.id = t.lane
    where p_after is null or l.name > p_after order by l.name limit p_limit
  ), held as materialized (
    select e.lane, min(l.until) as until, min(l.firsts[e.pos]) as first_at
    from lease l cross join lateral unnest(l.lanes) with ordinality e(lane, pos)
    where l.bucket = p_bucket and get_bit(l.done, e.pos::int4 - 1) = 0 group by e.lane
  ), low as materialized (
    select u.lane, min(low_of(p_now, e.at, u.low, u.full_at)) as low
    from unnest(p_low_lanes, p_lows, p_full_at) u(lane, low, full_at)
    cross join (select coalesce(max(e.at), -1) as at from early e where e.bucket = p_bucket) e group by u.lane
  )
  select p.name, p.deliveries, p.bytes,
    coalesce(
      least(h.until,
        (select w.due_at from waiting w where w.bucket = p_bucket and w.lane = p.lane and not w.tried and w.due_at >= coalesce(l.low, -1)
          order by w.due_at limit 1),
        (select w.due_at from waiting w where w.bucket = p_bucket and w.lane = p.lane and w.tried and w.due_at >= coalesce(l.low, -1)
          order by w.due_at limit 1)),
      -- A lane that has deliveries has a next one, also if what was learnt of it is wrong.
      (select min(w.due_at) from waiting w where w.bucket = p_bucket and w.lane = p.lane)),
    least(h.first_at, (select min(w.first_at) from waiting w where w.bucket = p_bucket and w.lane = p.lane and w.first_at is not null))
  from page p left join held h on h.lane = p.lane left join low l on l.lane = p.lane order by p.name;
end
$fn$;

create function lanes(p_bucket int2, p_now int8, p_after bytea, p_limit int4, p_low_lanes int4[], p_lows int8[], p_full_at int8[])
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8)
language plpgsql volatile set search_path from current as $fn$
begin
  -- A fold that is lost with the power was never seen.
  perform set_config('synchronous_commit', 'off', true);
  perform fold(p_bucket);
  return query select * from read_lanes(p_bucket, coalesce(p_now, clock_ms()), null, p_after, p_limit, p_low_lanes, p_lows, p_full_at);
end
$fn$;

create function counts(p_bucket int2) returns table (name bytea, kind int2, count int8)
language sql stable set search_path from current as $fn$
  select s.name, u.kind, sum(u.count)::int8 from (
    select t.source, t.kind, t.count from tally t where t.bucket = p_bucket
    union all
    select e.source, e.kind, e.count from delta d cross join lateral unnest(d.sources, d.kinds, d.counts) e(source, kind, count)
    where d.bucket = p_bucket
  ) u join source s on s.id = u.source group by s.name, u.kind
$fn$;

create function list_seen(p_bucket int2, p_now int8, p_keys uuid[]) returns table (name bytea, seen_at int8, deliveries int4)
language sql volatile set search_path from current as $fn$
  select distinct on (k.key) s.name, k.seen_at, k.deliveries from seen k join source s on s.id = k.source
  where k.bucket = p_bucket and k.key = any (p_keys) and coalesce(p_now, clock_ms()) - k.seen_at < 86400000
  order by k.key, k.seen_at desc
$fn$;

`;

// Shows deliveries, requests about users, lanes, counters and message ids. A function that is `stable` sees one snapshot in all of its
// statements, so that a delivery which moves meanwhile is shown once, and whole.

/**
 * Selects the deliveries of the messages in `v_ids`, which are between `v_from` and `v_to`, whichever state they are in. Each message is
 * looked up by its key, so that a plan that was made while tables were empty stays a good one.
 */
const DELIVERIES = `
  select e.id, e.place, e.state, e.reason, e.lane, null::int8 as due_at, e.detail, e.endpoints, e.excerpts, e.attempt_count, e.attempts
  from unnest(v_ids) i(id) cross join lateral (
    select k.* from ended k where k.bucket = p_bucket and k.leaf in (leaf_of(i.id), -1) and k.id = i.id offset 0
  ) e
  union all
  select w.id, w.place, 0::int2, null, w.lane, w.due_at, w.detail, w.endpoints, w.excerpts, 0, null
  from unnest(v_ids) i(id) cross join lateral (select k.* from waiting k where k.bucket = p_bucket and k.id = i.id offset 0) w
  union all
  select e.id, e.place, 1::int2, null, l.lane, l.until, l.details[e.pos], l.endpoints[e.pos], l.excerpts[e.pos], 0, null
  from lease l cross join lateral unnest(l.ids, l.places) with ordinality e(id, place, pos)
  where l.bucket = p_bucket and l.low <= v_to and l.high >= v_from and get_bit(l.done, e.pos::int4 - 1) = 0 and e.id = any (v_ids)`;

const SETTINGS = `set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off`;

export const LISTS: string = `
create function find(p_bucket int2, p_id int8, p_place int4)
returns table (place int4, state int2, reason int2, detail bytea, source bytea, lane bytea, type int2, message_id bytea, accepted_at int8,
  due_at int8, attempt_count int4, replay_of int8, replay_of_place int4, body bytea, endpoints bytea, excerpts bytea, attempts bytea[],
  lapses int4, process bytea, lease_until int8, taken_at int8, taken_by bytea)
language plpgsql stable ${SETTINGS}
as $fn$
#variable_conflict use_column
declare
  v_ids int8[] := array[p_id];
  v_from int8 := p_id;
  v_to int8 := p_id;
begin
  return query
  select d.place, d.state, d.reason, d.detail, s.name, l.name, m.type, m.message_id, m.accepted_at, d.due_at,
    d.attempt_count + coalesce((select sum(a.attempt_count)::int4 from attempt a
      where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place), 0),
    m.replay_of, m.replay_of_place, m.body, d.endpoints, d.excerpts,
    array_append((select array_agg(a.attempts) from attempt a
      where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place), d.attempts),
    lapse.*
  from (${DELIVERIES}) d
  join message m on m.bucket = p_bucket and m.leaf in (leaf_of(p_id), -1) and m.id = p_id
  join source s on s.id = m.source join lane l on l.id = d.lane
  left join (
    select (sum(a.count) over ())::int4, a.process, a.lease_until, a.taken_at, a.taken_by from lapse a
    where a.bucket = p_bucket and a.leaf in (leaf_of(p_id), -1) and a.id = p_id and a.place = p_place
    order by a.taken_at desc limit 1
  ) lapse on true
  where d.place = p_place;
end
$fn$;

-- Looks at the newest messages up to a mark, as many as are asked for, and shows their deliveries that match. The last row tells the
-- oldest message that it has looked at, if there may be others.
create function list(
  p_bucket int2, p_id int8, p_place int4, p_window int4, p_limit int4, p_states int2[], p_reason int2, p_details bytea[], p_source bytea,
  p_lane bytea, p_type int2, p_message_id bytea, p_user uuid, p_since int8, p_before int8, p_not_replayed boolean
) returns table (id int8, place int4, state int2, reason int2, detail bytea, source bytea, lane bytea, type int2, message_id bytea,
  accepted_at int8, due_at int8, attempt_count int4, replay_of int8, replay_of_place int4, more_before int8)
language plpgsql stable ${SETTINGS}
as $fn$
#variable_conflict use_column
declare
  v_ids int8[];
  v_from int8;
  v_to int8;
  v_looked int4;
  v_source int4 := (select s.id from source s where sha256(s.name) = sha256(p_source));
  v_lane int4 := (select l.id from lane l where sha256(l.name) = sha256(p_lane));
begin
  select array_agg(m.id) filter (where (p_source is null or m.source = v_source) and (p_type is null or m.type = p_type)
      and (p_message_id is null or m.message_id = p_message_id)
      and (p_user is null or m.user_one = p_user or m.user_two = p_user)
      and (p_since is null or m.accepted_at >= p_since) and (p_before is null or m.accepted_at < p_before)),
    min(m.id), max(m.id), count(*)
  into v_ids, v_from, v_to, v_looked
  from (
    select k.id, k.source, k.type, k.message_id, k.user_one, k.user_two, k.accepted_at
    from message k where k.bucket = p_bucket and k.id <= p_id order by k.id desc limit p_window
  ) m;
  return query
  select f.id, f.place, f.state, f.reason, f.detail, s.name, l.name, m.type, m.message_id, m.accepted_at, f.due_at,
    f.attempt_count + coalesce((select sum(a.attempt_count)::int4 from attempt a
      where a.bucket = p_bucket and a.leaf in (leaf_of(f.id), -1) and a.id = f.id and a.place = f.place), 0),
    m.replay_of, m.replay_of_place, null::int8
  from (
    select d.* from (${DELIVERIES}) d
    where (d.id < p_id or d.place < p_place) and (p_states is null or d.state = any (p_states)) and (p_reason is null or d.reason = p_reason)
      and (p_details is null or d.detail = any (p_details)) and (p_lane is null or d.lane = v_lane)
      and (not p_not_replayed or not exists (
        select 1 from replayed r where r.bucket = p_bucket and r.leaf in (leaf_of(d.id), -1) and r.id = d.id and r.place = d.place))
    order by d.id desc, d.place desc limit p_limit
  ) f
  join message m on m.bucket = p_bucket and m.leaf in (leaf_of(f.id), -1) and m.id = f.id
  join source s on s.id = m.source join lane l on l.id = f.lane
  order by f.id desc, f.place desc;
  if v_looked = p_window then more_before := v_from; return next; end if;
end
$fn$;

create function show_deletions(p_bucket int2, p_key uuid, p_below int4, p_unfinished boolean, p_limit int4)
returns table (name bytea, number int4, regulation int2, sources bytea[], is_of_all boolean, requested_at int8, finished_at int8, users int4,
  notified int4, is_purged boolean, purged int4, notices text)
language plpgsql stable set search_path from current as $fn$
#variable_conflict use_column
declare
  v_row record;
  v_ids int8[];
  v_from int8;
  v_to int8;
begin
  for v_row in
    select d.* from deletion d
    where (p_key is null or d.key = p_key) and (p_below is null or d.number < p_below) and (not p_unfinished or d.finished_at is null)
    order by d.number desc limit p_limit
  loop
    select array_agg(m.id), min(m.id), max(m.id) into v_ids, v_from, v_to from message m where m.bucket = p_bucket and m.deletion = v_row.key;
    name := v_row.name; number := v_row.number; regulation := v_row.regulation; is_of_all := v_row.sources is null;
    requested_at := v_row.requested_at; finished_at := v_row.finished_at; users := v_row.users; notified := v_row.notified;
    is_purged := v_row.is_purged; purged := v_row.purged;
    sources := array(select s.name from unnest(v_row.sources) with ordinality u(id, ord) join source s on s.id = u.id order by u.ord);
    notices := (
      select string_agg(encode(s.name, 'hex') || ':' || n.stored || ':' || n.delivered || ':' || n.dead, ',' order by s.name) from (
        select u.source, sum(u.stored) as stored, sum(u.delivered) as delivered, sum(u.dead) as dead from (
          select w.source, w.stored, w.delivered, w.dead from swept_notice w where w.deletion = v_row.key
          union all
          select m.source, 1, (x.state = 2)::int4, (x.state = 3)::int4
          from (${DELIVERIES}) x join message m on m.bucket = p_bucket and m.leaf in (leaf_of(x.id), -1) and m.id = x.id
        ) u group by u.source) n join source s on s.id = n.source);
    return next;
  end loop;
end
$fn$;
`;

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
    select l.lane, min(l.until) as until, min((
      select min(e.at) from unnest(l.firsts) with ordinality e(at, pos) where get_bit(l.done, e.pos::int4 - 1) = 0)) as first_at
    from lease l where l.bucket = p_bucket and (p_only is null or l.lane = any (p_only)) group by l.lane
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

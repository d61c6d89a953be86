// What reads: each function is one statement over one snapshot, so that what it shows is whole.

export const READ = `
create function read_lanes(p_bucket int2, p_after bytea, p_limit int4)
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8)
language sql stable set search_path from current as $fn$
  with total as (
    select u.lane, sum(u.deliveries)::int8 as deliveries, sum(u.bytes)::int8 as bytes from (
      select t.lane, t.deliveries, t.bytes from lane_total t where t.bucket = p_bucket
      union all
      select e.lane, e.deliveries, e.bytes from delta d cross join lateral unnest(d.lanes, d.deliveries, d.bytes) e(lane, deliveries, bytes)
      where d.bucket = p_bucket
    ) u group by u.lane having sum(u.deliveries) > 0
  ), page as materialized (
    select l.name, t.* from total t join lane l on l.id = t.lane
    where p_after is null or l.name > p_after order by l.name limit p_limit
  ), held as (
    select e.lane, min(l.until) as until, min(l.firsts[e.pos]) as first_at
    from lease l cross join lateral unnest(l.lanes) with ordinality e(lane, pos)
    where l.bucket = p_bucket and get_bit(l.done, e.pos::int4 - 1) = 0 group by e.lane
  )
  select p.name, p.deliveries, p.bytes,
    least(h.until,
      (select w.due_at from waiting w where w.bucket = p_bucket and w.lane = p.lane and not w.tried order by w.due_at limit 1),
      (select w.due_at from waiting w where w.bucket = p_bucket and w.lane = p.lane and w.tried order by w.due_at limit 1)),
    least(h.first_at, (select min(w.first_at) from waiting w where w.bucket = p_bucket and w.lane = p.lane and w.first_at is not null))
  from page p left join held h on h.lane = p.lane order by p.name
$fn$;

create function lanes(p_bucket int2, p_after bytea, p_limit int4)
returns table (name bytea, deliveries int8, bytes int8, next_due_at int8, first_at int8)
language plpgsql volatile set search_path from current as $fn$
begin
  -- A fold that is lost with the power was never seen.
  perform set_config('synchronous_commit', 'off', true);
  perform fold(p_bucket);
  return query select * from read_lanes(p_bucket, p_after, p_limit);
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

-- The deliveries of some messages, whichever state they are in.
create function deliveries_of(p_bucket int2, p_ids int8[])
returns table (id int8, place int4, state int2, reason int2, lane int4, due_at int8, detail bytea, endpoints bytea, excerpts bytea,
  attempt_count int4, attempts bytea)
language sql stable set search_path from current as $fn$
  select e.id, e.place, e.state, e.reason, e.lane, null::int8, e.detail, e.endpoints, e.excerpts, e.attempt_count, e.attempts
  from ended e where e.bucket = p_bucket and e.id = any (p_ids)
  union all
  select w.id, w.place, 0::int2, null, w.lane, w.due_at, w.detail, w.endpoints, w.excerpts, 0, null
  from waiting w where w.bucket = p_bucket and w.id = any (p_ids)
  union all
  select e.id, e.place, 1::int2, null, l.lanes[e.pos], l.until, l.details[e.pos], l.endpoints[e.pos], l.excerpts[e.pos], 0, null
  from lease l cross join lateral unnest(l.ids, l.places) with ordinality e(id, place, pos)
  where l.bucket = p_bucket and l.ids && p_ids and e.id = any (p_ids) and get_bit(l.done, e.pos::int4 - 1) = 0
$fn$;

create function find(p_bucket int2, p_id int8, p_place int4)
returns table (place int4, state int2, reason int2, detail bytea, source bytea, lane bytea, type int2, message_id bytea, accepted_at int8,
  due_at int8, attempt_count int4, replay_of int8, replay_of_place int4, body bytea, endpoints bytea, excerpts bytea, attempts bytea[])
language sql stable set search_path from current as $fn$
  select d.place, d.state, d.reason, d.detail, s.name, l.name, m.type, m.message_id, m.accepted_at, d.due_at,
    d.attempt_count + coalesce((select sum(a.attempt_count)::int4 from attempt a
      where a.bucket = p_bucket and a.id = p_id and a.place = p_place), 0),
    m.replay_of, m.replay_of_place, m.body, d.endpoints, d.excerpts,
    array_append((select array_agg(a.attempts) from attempt a where a.bucket = p_bucket and a.id = p_id and a.place = p_place), d.attempts)
  from deliveries_of(p_bucket, array[p_id]) d
  join message m on m.bucket = p_bucket and m.id = p_id
  join source s on s.id = m.source join lane l on l.id = d.lane
  where d.place = p_place
$fn$;

-- Looks at the newest messages up to a mark, as many as are asked for, and shows their deliveries that match. The last row tells the
-- oldest message that it has looked at, if there are others.
create function list(
  p_bucket int2, p_id int8, p_place int4, p_window int4, p_limit int4, p_states int2[], p_reason int2, p_details bytea[], p_source bytea,
  p_lane bytea, p_type int2, p_message_id bytea, p_user uuid, p_since int8, p_before int8, p_not_replayed boolean
) returns table (id int8, place int4, state int2, reason int2, detail bytea, source bytea, lane bytea, type int2, message_id bytea,
  accepted_at int8, due_at int8, attempt_count int4, replay_of int8, replay_of_place int4, more_before int8)
language sql stable set search_path from current as $fn$
  with looked as materialized (
    select m.id from message m where m.bucket = p_bucket and m.id <= p_id order by m.id desc limit p_window
  ), fitting as materialized (
    select m.id, s.name as source, m.type, m.message_id, m.accepted_at, m.replay_of, m.replay_of_place
    from looked k join message m on m.bucket = p_bucket and m.id = k.id join source s on s.id = m.source
    where (p_source is null or s.name = p_source) and (p_type is null or m.type = p_type)
      and (p_message_id is null or m.message_id = p_message_id)
      and (p_user is null or m.user_one = p_user or m.user_two = p_user)
      and (p_since is null or m.accepted_at >= p_since) and (p_before is null or m.accepted_at < p_before)
  ), found as materialized (
    select f.*, d.place, d.state, d.reason, d.detail, l.name as lane, d.due_at, d.attempt_count
    from fitting f join deliveries_of(p_bucket, (select array_agg(g.id) from fitting g)) d on d.id = f.id join lane l on l.id = d.lane
    where (f.id < p_id or d.place < p_place) and (p_states is null or d.state = any (p_states)) and (p_reason is null or d.reason = p_reason)
      and (p_details is null or d.detail = any (p_details)) and (p_lane is null or l.name = p_lane)
      and (not p_not_replayed or not exists (
        select 1 from replayed r where r.bucket = p_bucket and r.id = d.id and r.place = d.place))
    order by f.id desc, d.place desc limit p_limit
  )
  select f.id, f.place, f.state, f.reason, f.detail, f.source, f.lane, f.type, f.message_id, f.accepted_at, f.due_at,
    f.attempt_count + coalesce((select sum(a.attempt_count)::int4 from attempt a
      where a.bucket = p_bucket and a.id = f.id and a.place = f.place), 0),
    f.replay_of, f.replay_of_place, null::int8
  from found f
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, null, null, min(k.id) from looked k having count(*) = p_window
$fn$;

create function list_seen(p_bucket int2, p_now int8, p_keys uuid[]) returns table (name bytea, seen_at int8, deliveries int4)
language sql volatile set search_path from current as $fn$
  select s.name, k.seen_at, k.deliveries from seen k join source s on s.id = k.source
  where k.bucket = p_bucket and k.key = any (p_keys) and coalesce(p_now, clock_ms()) - k.seen_at < 86400000
$fn$;

create function show_deletions(p_bucket int2, p_key uuid, p_below int4, p_unfinished boolean, p_limit int4)
returns table (name bytea, number int4, regulation int2, sources bytea[], is_of_all boolean, requested_at int8, finished_at int8, users int4,
  notified int4, is_purged boolean, purged int4, notices text)
language sql stable set search_path from current as $fn$
  select d.name, d.number, d.regulation, array(select s.name from unnest(d.sources) with ordinality u(id, ord) join source s on s.id = u.id
      order by u.ord),
    d.sources is null, d.requested_at, d.finished_at, d.users, d.notified, d.is_purged, d.purged,
    (select string_agg(encode(s.name, 'hex') || ':' || n.stored || ':' || n.delivered || ':' || n.dead, ',' order by s.name) from (
      select u.source, sum(u.stored) as stored, sum(u.delivered) as delivered, sum(u.dead) as dead from (
        select w.source, w.stored, w.delivered, w.dead from swept_notice w where w.deletion = d.key
        union all
        select m.source, 1, (x.state = 2)::int4, (x.state = 3)::int4
        from message m cross join lateral deliveries_of(p_bucket, array[m.id]) x where m.bucket = p_bucket and m.deletion = d.key
      ) u group by u.source) n join source s on s.id = n.source)
  from deletion d
  where (p_key is null or d.key = p_key) and (p_below is null or d.number < p_below) and (not p_unfinished or d.finished_at is null)
  order by d.number desc limit p_limit
$fn$;
`;

// The claim, as one function. Claims of one lane wait for each other; commits do not wait for them, nor they for commits, except those that
// settle under a lease which has ended. One statement reads the claimed deliveries and the next due times of the lanes, so that a
// commit which ends meanwhile is in both or in neither (decision: postgres).

export const CLAIM = `
create function claim(
  p_bucket int2, p_now int8, p_token uuid, p_process bytea, p_lease_ms int8, p_lanes int4[], p_limits int4[], p_retries int4[],
  p_lows int8[], p_full_at int8[]
) returns table (
  row_kind int2, lane int4, at int8, id int8, place int4, source bytea, source_id int4, type int2, message_id bytea, accepted_at int8,
  rounds int4, first_at int8, endpoints bytea, excerpts bytea, traceparent bytea, body bytea
) language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_now int8 := coalesce(p_now, clock_ms());
  v_until int8 := v_now + p_lease_ms;
  v_is_purging boolean;
  -- c: what is claimed; n: the next due times of lanes; o: the starts of their next searches; x: changes of counters; y: those of lanes.
  c_lane int4[]; c_lease int8[]; c_pos int4[]; c_tried boolean[]; c_due int8[]; c_id int8[]; c_place int4[]; c_source int4[];
  c_size int4[]; c_rounds int4[]; c_first int8[]; c_detail bytea[]; c_endpoints bytea[]; c_excerpts bytea[]; c_gone boolean[];
  n_lane int4[]; n_at int8[]; o_lane int4[]; o_low int8[]; o_is_full boolean[];
  x_source int4[]; x_kind int2[]; x_count int8[]; y_lane int4[]; y_deliveries int8[]; y_bytes int8[];
begin
  perform enter_shared();
  perform pg_advisory_xact_lock(hashtext(current_schema()), u.lane)
  from (select distinct l.lane from unnest(p_lanes) l(lane) order by 1) u;
  perform 1 from lease l where l.bucket = p_bucket and l.lane = any (p_lanes) and l.until <= v_now order by l.id for update;
  v_is_purging := exists (select 1 from deletion where not is_purged);

  with asked as materialized (
    select a.lane, a.most, a.retries, low_of(v_now, e.at, a.low, a.full_at) as low
    from unnest(p_lanes, p_limits, p_retries, p_lows, p_full_at) a(lane, most, retries, low, full_at)
    cross join (select coalesce(max(e.at), -1) as at from early e where e.bucket = p_bucket) e
  ), candidate as materialized (
    select a.lane, a.most, a.retries, w.* from asked a cross join lateral (
      (select 0::int8 as lease, 0 as pos, w.tried, w.due_at, w.id, w.place, w.source, w.size, w.rounds, w.first_at, w.detail, w.endpoints,
        w.excerpts from waiting w where w.bucket = p_bucket and w.lane = a.lane and not w.tried and w.due_at >= a.low
        order by w.due_at, w.id, w.place limit a.most + 1)
      union all
      (select 0::int8, 0, w.tried, w.due_at, w.id, w.place, w.source, w.size, w.rounds, w.first_at, w.detail, w.endpoints, w.excerpts
        from waiting w where w.bucket = p_bucket and w.lane = a.lane and w.tried and w.due_at >= a.low
        order by w.due_at, w.id, w.place limit a.most + 1)
    ) w
    union all
    select a.lane, a.most, a.retries, l.id, e.pos::int4, coalesce(e.rounds, 0) > 0, l.until, e.id, e.place, e.source, e.size,
      coalesce(e.rounds, 0), e.first_at, e.detail, e.endpoints, e.excerpts
    from asked a join lease l on l.bucket = p_bucket and l.lane = a.lane and l.until <= v_now
    cross join lateral unnest(l.ids, l.places, l.sources, l.sizes, l.rounds, l.firsts, l.details, l.endpoints, l.excerpts) with ordinality
      e(id, place, source, size, rounds, first_at, detail, endpoints, excerpts, pos)
    where get_bit(l.done, e.pos::int4 - 1) = 0
  ), ranked as (
    select c.*, c.due_at > v_now as is_later,
      row_number() over (partition by c.lane, c.tried order by c.due_at, c.id, c.place) as rank
    from candidate c
  ), ordered as materialized (
    select r.*, row_number() over (partition by r.lane order by r.is_later,
      case when r.retries < 0 then 0 when r.rank <= (case when r.tried then r.retries else r.most - r.retries end) then 0 else 1 end,
      r.due_at, r.id, r.place) as turn
    from ranked r
  ), picked as materialized (
    select o.*, o.size < 0 or (case when v_is_purging then is_covered(p_bucket, o.id) else false end) as is_gone
    from ordered o where o.turn <= o.most and not o.is_later order by o.due_at, o.id, o.place
  ), later as (
    select l.lane, min(l.at) as at from (
      select o.lane, o.due_at as at from ordered o where o.turn > o.most or o.is_later
      union all select a.lane, n.until from asked a cross join lateral (
        select l.until from lease l where l.bucket = p_bucket and l.lane = a.lane and l.until > v_now order by l.until limit 1) n
      union all select p.lane, v_until from picked p where not p.is_gone
    ) l group by 1
  ), lowest as (
    select a.lane, greatest(0, least(min(o.due_at) filter (where o.lease = 0 and (o.turn > o.most or o.is_later)), v_now - 20000)) as low,
      bool_and(a.low < 0) as is_full
    from asked a left join ordered o on o.lane = a.lane group by a.lane
  ), moved as (
    select p.source, k.kind, sum(k.count)::int8 as count from picked p cross join lateral (values
      ((case when p.lease = 0 then 1 else 2 end)::int2, -1), ((case when p.is_gone then 4 else 2 end)::int2, 1)) k(kind, count)
    group by 1, 2 having sum(k.count) <> 0
  ), freed as (
    select p.lane, -count(*) filter (where p.is_gone)::int8 as deliveries,
      -coalesce(sum(greatest(p.size, 0)) filter (where p.is_gone), 0)::int8 as bytes
    from picked p group by 1
  ), folded as (
    select array_agg(p.lane) as lane, array_agg(p.lease) as lease, array_agg(p.pos) as pos, array_agg(p.tried) as tried,
      array_agg(p.due_at) as due, array_agg(p.id) as id, array_agg(p.place) as place, array_agg(p.source) as source,
      array_agg(p.size) as size, array_agg(p.rounds) as rounds, array_agg(p.first_at) as first_at, array_agg(p.detail) as detail,
      array_agg(p.endpoints) as endpoints, array_agg(p.excerpts) as excerpts, array_agg(p.is_gone) as is_gone
    from picked p
  )
  select f.*, (select array_agg(lane) from later), (select array_agg(at) from later),
    (select array_agg(lane) from lowest), (select array_agg(low) from lowest), (select array_agg(is_full) from lowest),
    (select array_agg(source) from moved), (select array_agg(kind) from moved), (select array_agg(count) from moved),
    (select array_agg(lane) from freed), (select array_agg(deliveries) from freed), (select array_agg(bytes) from freed)
  into c_lane, c_lease, c_pos, c_tried, c_due, c_id, c_place, c_source, c_size, c_rounds, c_first, c_detail, c_endpoints, c_excerpts,
    c_gone, n_lane, n_at, o_lane, o_low, o_is_full, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes
  from folded f;

  if c_id is not null then
    delete from waiting w using unnest(c_lease, c_lane, c_tried, c_due, c_id, c_place) u(lease, lane, tried, due_at, id, place)
    where u.lease = 0 and w.bucket = p_bucket and w.lane = u.lane and w.tried = u.tried and w.due_at = u.due_at and w.id = u.id
      and w.place = u.place;
    if c_lease <> array_fill(0::int8, array[cardinality(c_lease)]) then
      perform note_lapses(p_bucket, v_now, array_agg(u.lease), array_agg(u.pos), case when u.is_gone then null else p_process end)
      from unnest(c_lease, c_pos, c_gone) u(lease, pos, is_gone) where u.lease > 0 group by u.is_gone;
      perform mark_done(p_bucket, array_agg(u.lease), array_agg(u.pos)) from unnest(c_lease, c_pos) u(lease, pos) where u.lease > 0;
    end if;
    if true = any (c_gone) then
      insert into ended (bucket, leaf, id, place, lane, source, state, reason, finished_at, detail, attempt_count, endpoints, excerpts)
      select p_bucket, leaf_now(u.id), u.id, u.place, u.lane, u.source, 3, 3, v_now, u.detail, 0, u.endpoints, u.excerpts
      from unnest(c_id, c_place, c_lane, c_source, c_detail, c_endpoints, c_excerpts, c_gone)
        u(id, place, lane, source, detail, endpoints, excerpts, is_gone)
      where u.is_gone;
    end if;
    if false = any (c_gone) then
      return query
        with made as (
          insert into lease (bucket, token, process, lane, until, open, done, low, high, ids, places, sources, sizes, rounds, firsts, details,
            endpoints, excerpts)
          select p_bucket, p_token, p_process, u.lane, v_until, count(*), repeat('0', count(*)::int4)::varbit, min(u.id), max(u.id),
            array_agg(u.id), array_agg(u.place), array_agg(u.source), array_agg(u.size), array_agg(u.rounds),
            case when count(u.first_at) > 0 then array_agg(u.first_at) end, case when count(u.detail) > 0 then array_agg(u.detail) end,
            case when count(u.endpoints) > 0 then array_agg(u.endpoints) end,
            case when count(u.excerpts) > 0 then array_agg(u.excerpts) end
          from (
            select * from unnest(c_id, c_place, c_lane, c_source, c_size, c_rounds, c_first, c_detail, c_endpoints, c_excerpts, c_gone)
              with ordinality u(id, place, lane, source, size, rounds, first_at, detail, endpoints, excerpts, is_gone, ord)
            where not is_gone order by lane, ord
          ) u group by u.lane
          returning lane, id, open
        )
        select 4::int2, m.lane, null::int8, m.id, m.open, null::bytea, null::int4, null::int2, null::bytea, null::int8, null::int4, null::int8,
          null::bytea, null::bytea, null::bytea, null::bytea from made m;
    end if;
    perform add_delta(p_bucket, coalesce(x_source, '{}'), coalesce(x_kind, '{}'), coalesce(x_count, '{}'), coalesce(y_lane, '{}'),
      coalesce(y_deliveries, '{}'), coalesce(y_bytes, '{}'));
    return query
      select 0::int2, u.lane, u.due_at, u.id, u.place, s.name, s.id, m.type, m.message_id, m.accepted_at, u.rounds, u.first_at, u.endpoints,
        u.excerpts, m.traceparent, m.body
      from unnest(c_id, c_place, c_lane, c_source, c_due, c_rounds, c_first, c_endpoints, c_excerpts, c_gone)
        with ordinality u(id, place, lane, source, due_at, rounds, first_at, endpoints, excerpts, is_gone, ord)
      join message m on m.bucket = p_bucket and m.leaf in (leaf_of(u.id), -1) and m.id = u.id
      join source s on s.id = u.source
      where not u.is_gone order by u.ord;
  end if;
  return query select 1::int2, u.lane, u.at, null::int8, null::int4, null::bytea, null::int4, null::int2, null::bytea, v_until, null::int4, null::int8,
    null::bytea, null::bytea, null::bytea, null::bytea from unnest(n_lane, n_at) u(lane, at);
  return query select 3::int2, u.lane, u.low, null::int8, case when u.is_full then 1 else 0 end, null::bytea, null::int4, null::int2, null::bytea, v_now, null::int4,
    null::int8, null::bytea, null::bytea, null::bytea, null::bytea from unnest(o_lane, o_low, o_is_full) u(lane, low, is_full);
  return query select 2::int2, 0, v_until, null::int8, null::int4, null::bytea, null::int4, null::int2, null::bytea, null::int8, null::int4, null::int8,
    null::bytea, null::bytea, null::bytea, null::bytea;
end
$fn$;
`;

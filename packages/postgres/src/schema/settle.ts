// The part of a commit that settles: only what is claimed under its token, each delivery once. Leases are locked first, in the order
// of their ids; what they hold is read after that, so that a claim which took a delivery over meanwhile is seen.

export const SETTLE = `
create function settle(
  p_bucket int2, p_now int8,
  s_id int8[], s_place int4[], s_token uuid[], s_outcome int2[], s_due int8[], s_detail bytea[], s_reason int2[],
  s_first int8[], s_count int4[], s_attempts bytea[], s_endpoints bytea[], s_excerpts bytea[],
  out settled text,
  out x_source int4[], out x_kind int2[], out x_count int8[], out y_lane int4[], out y_deliveries int8[], out y_bytes int8[]
) language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_mergejoin = off set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
#variable_conflict use_column
declare
  v_is_purging boolean;
  v_retired int8;
  v_leases int8[];
  h_lease int8[];
  h_pos int4[];
begin
  select exists (select 1 from deletion where not is_purged), r.retired_below into v_is_purging, v_retired from ring r;
  select array_agg(l.id) into v_leases from (
    select l.id from lease l where l.bucket = p_bucket and l.token = any (s_token) order by l.id for update
  ) l;
  if v_leases is null then return; end if;

  with entry as materialized (
    select l.id as lease, l.token, e.*
    from lease l cross join lateral unnest(l.ids, l.places, l.lanes, l.sources, l.sizes, l.rounds, l.firsts, l.details, l.endpoints, l.excerpts)
      with ordinality
      e(id, place, lane, source, size, old_rounds, old_first, old_detail, old_endpoints, old_excerpts, pos)
    where l.bucket = p_bucket and l.id = any (v_leases) and get_bit(l.done, e.pos::int4 - 1) = 0
  ), met as (
    select distinct on (s.id, s.place) s.*, e.lease, e.pos::int4, e.lane, e.source, e.size, coalesce(e.old_rounds, 0) as old_rounds,
      e.old_first, e.old_detail, e.old_endpoints, e.old_excerpts
    from unnest(s_id, s_place, s_token, s_outcome, s_due, s_detail, s_reason, s_first, s_count, s_attempts, s_endpoints, s_excerpts)
      with ordinality s(id, place, token, outcome, due, detail, reason, first_at, count, attempts, endpoints, excerpts, ord)
    join entry e on e.id = s.id and e.place = s.place and e.token = s.token
    order by s.id, s.place, s.ord
  ), judged as (
    select m.*, m.size < 0 or (case when v_is_purging then is_covered(p_bucket, m.id) else false end) as is_gone from met m
  ), hit as materialized (
    select j.ord, j.lease, j.pos, j.id, j.place, j.lane, j.source, greatest(j.size, 0) as size, j.size as kept_size, j.due, j.count, j.attempts,
      case when j.is_gone and j.outcome <> 0 then 4 else j.outcome end as outcome,
      case when j.is_gone then 3::int2 else j.reason end as reason,
      j.old_rounds + (case when j.count > 0 then 1 else 0 end) as rounds,
      coalesce(j.old_first, j.first_at) as first_at,
      case when j.outcome = 3 then j.old_detail else coalesce(j.detail, j.old_detail) end as detail,
      case when j.outcome = 3 then j.old_endpoints else j.endpoints end as endpoints,
      case when j.outcome = 3 then j.old_excerpts when j.is_gone then null else j.excerpts end as excerpts
    from judged j
  ), finished as (
    insert into ended
      (bucket, leaf, id, place, lane, source, state, reason, finished_at, detail, attempt_count, attempts, endpoints, excerpts)
    select p_bucket, leaf_for(h.id, v_retired), h.id, h.place, h.lane, h.source, case when h.outcome = 0 then 2 else 3 end,
      case when h.outcome = 0 then null else h.reason end, p_now, h.detail, h.count, h.attempts, h.endpoints, h.excerpts
    from hit h where h.outcome in (0, 1, 4)
  ), put_back as (
    insert into waiting
      (bucket, lane, tried, due_at, id, place, source, size, rounds, first_at, detail, endpoints, excerpts)
    select p_bucket, h.lane, h.rounds > 0, h.due, h.id, h.place, h.source, h.kept_size, h.rounds, h.first_at, h.detail, h.endpoints, h.excerpts
    from hit h where h.outcome in (2, 3)
  ), noted as (
    insert into attempt (bucket, leaf, id, place, attempt_count, attempts)
    select p_bucket, leaf_for(h.id, v_retired), h.id, h.place, h.count, h.attempts from hit h where h.outcome in (2, 3) and h.count > 0
  ), moved as (
    select h.source, k.kind, sum(k.count)::int8 as count from hit h cross join lateral (values
      (2::int2, -1), ((case h.outcome when 0 then 3 when 1 then 4 when 4 then 4 else 1 end)::int2, 1)) k(kind, count)
    group by 1, 2
  ), freed as (
    select h.lane, -count(*) filter (where h.outcome in (0, 1, 4))::int8 as deliveries,
      -coalesce(sum(h.size) filter (where h.outcome in (0, 1, 4)), 0)::int8 as bytes
    from hit h group by 1
  )
  select
    (select string_agg(h.ord || (case h.outcome when 4 then 'p' else 's' end), ',') from hit h),
    (select array_agg(h.lease) from hit h), (select array_agg(h.pos) from hit h),
    (select array_agg(source) from moved), (select array_agg(kind) from moved), (select array_agg(count) from moved),
    (select array_agg(lane) from freed), (select array_agg(deliveries) from freed), (select array_agg(bytes) from freed)
  into settled, h_lease, h_pos, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes;
  if h_lease is not null then perform mark_done(p_bucket, h_lease, h_pos); end if;
end
$fn$;
`;

// The commit, as one function: one round trip, and all of it or nothing. Locks are taken in one order: the barrier, message ids,
// leases, requests.

export const COMMIT = `
create function commit(
  p_bucket int2, p_now int8, p_token uuid, p_process bytea, p_lease_ms int8,
  m_key uuid[], m_source int4[], m_message_id bytea[], m_type int2[], m_received int8[], m_size int4[], m_body bytea[],
  m_deliveries int4[], m_filtered int4[], m_as_of int8[], m_traceparent bytea[], m_deletion uuid[], m_user uuid[], m_other uuid[],
  d_message int4[], d_place int4[], d_lane int4[], d_start int2[], d_due int8[],
  s_id int8[], s_place int4[], s_token uuid[], s_outcome int2[], s_due int8[], s_detail bytea[], s_reason int2[],
  s_first int8[], s_count int4[], s_attempts bytea[], s_endpoints bytea[], s_excerpts bytea[],
  r_id int8[], r_place int4[], r_start int2[], r_due int8[],
  a_id int8[], a_place int4[], a_attempts bytea[],
  t_source int4[], t_kind int2[], t_count int8[],
  n_deletion uuid[], n_users int4[]
) returns table (kinds text, ids text, settled text, replayed text, appended text)
language plpgsql volatile
set search_path from current
as $fn$
#variable_conflict use_column
declare
  v_now int8;
  v_accepted record;
  v_settled record;
  v_replayed record;
  x_source int4[] := t_source; x_kind int2[] := t_kind; x_count int8[] := t_count;
  y_lane int4[] := '{}'; y_deliveries int8[] := '{}'; y_bytes int8[] := '{}';
  l_id int8[] := '{}'; l_place int4[] := '{}'; l_lane int4[] := '{}'; l_source int4[] := '{}'; l_size int4[] := '{}';
begin
  -- A replay looks at what others may be about to settle.
  if cardinality(r_id) > 0 then perform enter_alone(); else perform enter_shared(); end if;
  -- After all that may take long, since claims count on it that this transaction is short from here on.
  v_now := coalesce(p_now, clock_ms());
  kinds := ''; ids := ''; settled := ''; replayed := ''; appended := '';

  if cardinality(m_key) > 0 then
    select * into v_accepted from accept(
      p_bucket, v_now, m_key, m_source, m_message_id, m_type, m_received, m_size, m_body, m_deliveries, m_filtered, m_as_of,
      m_traceparent, m_deletion, m_user, m_other, d_message, d_place, d_lane, d_start, d_due);
    kinds := array_to_string(v_accepted.kinds, '');
    ids := array_to_string(v_accepted.ids, ',');
    x_source := x_source || v_accepted.x_source; x_kind := x_kind || v_accepted.x_kind; x_count := x_count || v_accepted.x_count;
    y_lane := y_lane || v_accepted.y_lane; y_deliveries := y_deliveries || v_accepted.y_deliveries; y_bytes := y_bytes || v_accepted.y_bytes;
    l_id := l_id || v_accepted.l_id; l_place := l_place || v_accepted.l_place; l_lane := l_lane || v_accepted.l_lane;
    l_source := l_source || v_accepted.l_source; l_size := l_size || v_accepted.l_size;
  end if;

  if cardinality(s_id) > 0 then
    select * into v_settled from settle(
      p_bucket, v_now, s_id, s_place, s_token, s_outcome, s_due, s_detail, s_reason, s_first, s_count, s_attempts, s_endpoints, s_excerpts);
    settled := coalesce(v_settled.settled, '');
    x_source := x_source || v_settled.x_source; x_kind := x_kind || v_settled.x_kind; x_count := x_count || v_settled.x_count;
    y_lane := y_lane || v_settled.y_lane; y_deliveries := y_deliveries || v_settled.y_deliveries; y_bytes := y_bytes || v_settled.y_bytes;
  end if;

  if cardinality(r_id) > 0 then
    select * into v_replayed from replay(p_bucket, v_now, r_id, r_place, r_start, r_due);
    replayed := v_replayed.replayed;
    x_source := x_source || v_replayed.x_source; x_kind := x_kind || v_replayed.x_kind; x_count := x_count || v_replayed.x_count;
    y_lane := y_lane || v_replayed.y_lane; y_deliveries := y_deliveries || v_replayed.y_deliveries; y_bytes := y_bytes || v_replayed.y_bytes;
    l_id := l_id || v_replayed.l_id; l_place := l_place || v_replayed.l_place; l_lane := l_lane || v_replayed.l_lane;
    l_source := l_source || v_replayed.l_source; l_size := l_size || v_replayed.l_size;
  end if;
  if cardinality(a_id) > 0 then appended := append_attempts(p_bucket, a_id, a_place, a_attempts); end if;

  perform note_early(p_bucket, v_now, array_remove(d_due || s_due || r_due, null));
  if cardinality(l_id) > 0 then
    insert into lease (bucket, token, process, until, open, done, lane_set, ids, places, lanes, sources, sizes)
    values (p_bucket, p_token, p_process, v_now + p_lease_ms, cardinality(l_id), repeat('0', cardinality(l_id))::varbit,
      (select array_agg(distinct u) from unnest(l_lane) u), l_id, l_place, l_lane, l_source, l_size);
  end if;
  for i in 1 .. cardinality(n_deletion) loop
    update deletion set notified = greatest(notified, least(n_users[i], users)) where key = n_deletion[i];
  end loop;
  perform add_delta(p_bucket, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes);
  return next;
end
$fn$;
`;

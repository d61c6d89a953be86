// The usual commit, as one function of few statements: its calls are all new and all claimed at once, and its settlements have all
// delivered what their process knows the places of. It answers null if it finds that this is not so, and then it has stored nothing: the
// process makes the same commit with the function for all of them (decision: usual commits).

/** The code of the error by which a usual commit ends whose leases are not as the process knows them. */
export const UNUSUAL = "PR001";

export const COMMIT_USUAL: string = `
-- A part of the bytes, from an offset that begins with 0; null for a length below 0. In SQL, so that it becomes part of the plan.
create function slice(p_bytes bytea, p_offset int8, p_length int8) returns bytea language sql immutable as
  $fn$ select substring(p_bytes from p_offset::int4 + 1 for nullif(p_length, -1)::int4) $fn$;

-- p_bytes has all texts and bodies, of which the rows of m and s have the offset and the length, -1 for null.
-- k: the keys of messages in their order, k_row: source, deliveries. m, the messages: source, type, received, message id, traceparent, body.
-- l: their deliveries, by the lanes and in the order of the leases that they get. e, the leases that have something settled, in the order
-- of their ids: lease, number; e_mask: a bit for each entry. s, the settlements: id, place, lane, source, number of attempts, detail,
-- attempts, endpoints, excerpts. x and y: what all this changes of counters and lanes.
create function commit_usual(
  p_bucket int2, p_now int8, p_token uuid, p_process bytea, p_lease_ms int8, p_as_of int8, p_bytes bytea,
  k_key uuid[], k_row int8[], m int8[], m_user uuid[], m_other uuid[],
  l_lane int4[], l_count int4[], l_offset int8[], l_place int4[], l_source int4[], l_size int4[],
  e_lease int8[], e_token uuid[], e_count int4[], e_mask varbit[], s int8[], s_has_excerpts boolean,
  x_source int4[], x_kind int2[], x_count int8[], y_lane int4[], y_deliveries int8[], y_bytes int8[]
) returns text
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
declare
  v_now int8;
  v_ring record;
  v_base int8;
  v_leaf int2;
  v_ids int8[];
  v_count int8;
  v_rows tid[];
  v_is_known boolean := true;
  v_lease int8;
  v_leases text := '';
  v_from int4 := 1;
  v_to int4;
begin
  -- As an expression, which costs less than a statement.
  if not enter_shared() then return null; end if;
  v_now := coalesce(p_now, clock_ms());
  select r.seen_leaf as leaf, (r.seen_leaf + 2) % 3 as one_before, (r.seen_leaf + 1) % 3 as two_before, v_now < r.third_until as is_third,
    r.retired_below, (select max(d.number) from deletion d) as requests into v_ring from ring r;
  if v_ring.requests is not null then
    if p_as_of < v_ring.requests or cardinality(suppressed_of(m_user, m_other)) > 0 then return null; end if;
    if s_has_excerpts and exists (select 1 from deletion where not is_purged) then return null; end if;
  end if;

  if cardinality(k_key) > 0 then
    if exists (
      select 1 from seen r where r.bucket = p_bucket and r.key = any (k_key) and v_now - r.seen_at < 86400000
        and r.leaf in (v_ring.one_before, case when v_ring.is_third then v_ring.two_before else v_ring.one_before end))
    then return null; end if;
    -- In the order of keys, as all commits do.
    insert into seen (bucket, leaf, key, source, seen_at, deliveries)
    select p_bucket, v_ring.leaf, k_key[g], k_row[g][1], v_now, k_row[g][2] from generate_series(1, cardinality(k_key)) g
    on conflict do nothing;
    get diagnostics v_count = row_count;
    if v_count < cardinality(k_key) then
      delete from seen r where r.bucket = p_bucket and r.leaf = v_ring.leaf and r.key = any (k_key)
        and r.xmin::text::int8 = pg_current_xact_id()::text::int8 % 4294967296;
      return null;
    end if;

    -- The number is taken after all waiting for others, so that what is stored later has higher ones.
    v_base := nextval('block') * 1024;
    v_leaf := leaf_of(v_base);
    insert into message (bucket, leaf, id, source, message_id, type, accepted_at, user_one, user_two, traceparent, size, body)
    select p_bucket, v_leaf, v_base + g - 1, m[g][1], slice(p_bytes, m[g][4], m[g][5]), m[g][2], m[g][3], m_user[g], m_other[g],
      slice(p_bytes, m[g][6], m[g][7]), m[g][9], slice(p_bytes, m[g][8], m[g][9])
    from generate_series(1, cardinality(k_key)) g;
    if l_offset = '{0}' then v_ids := array[v_base]; else v_ids := array(select v_base + o from unnest(l_offset) o); end if;
    for i in 1 .. cardinality(l_lane) loop
      v_to := v_from + l_count[i] - 1;
      insert into lease (bucket, token, process, lane, until, open, done, low, high, ids, places, sources, sizes)
      values (p_bucket, p_token, p_process, l_lane[i], v_now + p_lease_ms, l_count[i], repeat('0', l_count[i])::varbit, v_ids[v_from],
        v_ids[v_to], v_ids[v_from:v_to], l_place[v_from:v_to], l_source[v_from:v_to], l_size[v_from:v_to])
      returning id into v_lease;
      v_leases := v_leases || ',' || v_lease;
      v_from := v_to + 1;
    end loop;
  end if;

  -- A lease that nothing is open of is removed. The usual one has all that it was made with settled at once.
  if cardinality(e_lease) = 1 and e_count[1] = length(e_mask[1]) then
    delete from lease l where l.bucket = p_bucket and l.id = e_lease[1] and l.token = e_token[1] and not l.is_purged and l.done = ~e_mask[1];
    v_is_known := found;
  elsif cardinality(e_lease) > 0 then
    -- One after the other, as all lock leases, and then by their places in the table: no plan looks through it.
    v_rows := array(
      select x.row from generate_series(1, cardinality(e_lease)) g cross join lateral (
        select l.ctid as row from lease l where l.bucket = p_bucket and l.id = e_lease[g] and l.token = e_token[g] and not l.is_purged
          and l.done & e_mask[g] = l.done # l.done for update) x);
    v_is_known := cardinality(v_rows) = cardinality(e_lease);
    if v_is_known then
      update lease l set done = l.done | e_mask[array_position(v_rows, l.ctid)], open = l.open - e_count[array_position(v_rows, l.ctid)]
      where l.ctid = any (v_rows) and l.open > e_count[array_position(v_rows, l.ctid)];
      get diagnostics v_count = row_count;
      if v_count < cardinality(v_rows) then
        delete from lease l where l.ctid = any (v_rows) and l.open = e_count[array_position(v_rows, l.ctid)];
      end if;
    end if;
  end if;
  if not v_is_known then raise exception 'a lease is not as its process knows it' using errcode = '${UNUSUAL}'; end if;
  if cardinality(s) > 0 then
    insert into ended (bucket, leaf, id, place, lane, source, state, finished_at, detail, attempt_count, attempts, endpoints, excerpts)
    select p_bucket, leaf_for(s[g][1], v_ring.retired_below), s[g][1], s[g][2], s[g][3], s[g][4], 2, v_now, slice(p_bytes, s[g][6], s[g][7]),
      s[g][5], slice(p_bytes, s[g][8], s[g][9]), slice(p_bytes, s[g][10], s[g][11]), slice(p_bytes, s[g][12], s[g][13])
    from generate_series(1, array_length(s, 1)) g;
  end if;
  insert into delta (bucket, sources, kinds, counts, lanes, deliveries, bytes)
  values (p_bucket, x_source, x_kind, x_count, y_lane, y_deliveries, y_bytes);
  return coalesce(v_base, 0) || v_leases;
end
$fn$;
`;

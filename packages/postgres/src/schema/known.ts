// Which messages of a commit are not to be stored: their ids are remembered, or their users are suppressed. Ids are remembered in leaves.

import { SEEN_LEAVES } from "./leaf-tables.js";

export const KNOWN: string = `
-- The places of messages of which a user is suppressed.
create function suppressed_of(p_users uuid[], p_others uuid[]) returns int4[] language plpgsql stable
set search_path from current set jit = off set enable_hashjoin = off set enable_seqscan = off
as $fn$
begin
  return (
    select coalesce(array_agg(m.ord::int4), '{}') from unnest(p_users, p_others) with ordinality m(one, two, ord)
    where exists (select 1 from suppressed s where s.user_key = m.one) or exists (select 1 from suppressed s where s.user_key = m.two));
end
$fn$;

-- The places of messages whose key one of the leaves remembers.
create function remembered_of(p_bucket int2, p_now int8, p_leaf int2, p_keys uuid[]) returns int4[] language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set jit = off set enable_hashjoin = off set enable_seqscan = off set enable_bitmapscan = off
as $fn$
begin
  return (
    select coalesce(array_agg(m.ord::int4), '{}') from unnest(p_keys) with ordinality m(key, ord)
    where exists (
      select 1 from seen s where s.bucket = p_bucket and s.leaf = p_leaf and s.key = m.key and p_now - s.seen_at < 86400000));
end
$fn$;

-- Begins the next leaf of message ids, once it is empty. False: something holds it. The leaf before last is looked at for another hour,
-- and for as long as clocks were ahead when it was written to.
create function turn_seen_leaf(p_now int8, p_leaf int2) returns boolean language plpgsql volatile set search_path from current as $fn$
declare
  v_next int2 := (p_leaf + 1) % ${SEEN_LEAVES};
  v_now int8;
begin
  if exists (select 1 from seen s where s.leaf = v_next) then
    if is_read_for_long(array['seen'], v_next) then return false; end if;
    perform enter_shared();
    perform set_config('lock_timeout', '1000', true);
    execute format('truncate seen_%s', v_next);
  else
    -- Of two commits that overlap, both look into the same leaves.
    perform enter_alone();
    v_now := coalesce(p_now, clock_ms());
    update ring set seen_leaf = v_next, seen_since = v_now, seen_high = v_now,
      previous_high = greatest(seen_high, v_now), third_until = previous_high + 90000000;
  end if;
  return true;
exception when lock_not_available then return false;
end
$fn$;
`;

// Which messages of a commit are not to be stored: their ids are remembered, or their users are suppressed.

export const KNOWN = `
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
`;

// The calls that hosts make in their own transactions. Nothing but the number of a row is unique, so that no transaction of a host waits
// for another one.

// The rows of a source are found without those of others, which may be very many.
export const OUTBOX = `
create table outbox (
  bucket int2 not null default 0,
  id int8 generated always as identity,
  written_at timestamptz not null default now(),
  source text not null,
  call text not null,
  primary key (bucket, id)
);
create index outbox_source on outbox (bucket, source, id);

-- Entries after a mark, of all sources but some. Goes from one source to the next by the index, and looks at no row of those left out.
create function read_outbox(p_bucket int2, p_after int8, p_limit int4, p_except text[]) returns table (id int8, source text, call text)
language plpgsql stable set search_path from current set plan_cache_mode = force_generic_plan
set jit = off set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
as $fn$
#variable_conflict use_column
begin
  return query
  with recursive present (source) as (
    (select o.source from outbox o where o.bucket = p_bucket order by o.source limit 1)
    union all
    select (select o.source from outbox o where o.bucket = p_bucket and o.source > p.source order by o.source limit 1)
    from present p where p.source is not null
  )
  select f.id, p.source, f.call
  from present p cross join lateral (
    select o.id, o.call from outbox o where o.bucket = p_bucket and o.source = p.source and o.id > p_after order by o.id limit p_limit
  ) f
  where p.source is not null and p.source <> all (p_except)
  order by f.id limit p_limit;
end
$fn$;
`;

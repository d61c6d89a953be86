// Makes of a server one of the next version, whose schema has a further step: loaded before the program. The step is made up, and does
// what a real one may do while servers of the version before go on: columns, an index, and a function that both versions call.

import { POSTGRES_STEPS } from "../../../packages/postgres/dist/schema/migrate.js";

POSTGRES_STEPS.push({
  sql: `
    alter table message add column region text;
    alter table seen add column region int4 not null default 0;
    create index message_region on message (bucket, region) where region is not null;
    create or replace function add_delta(
      p_bucket int2, p_sources int4[], p_kinds int2[], p_counts int8[], p_lanes int4[], p_deliveries int8[], p_bytes int8[]
    ) returns void language plpgsql volatile set search_path from current as $fn$
    begin
      if cardinality(p_sources) + cardinality(p_lanes) = 0 then return; end if;
      insert into delta (bucket, sources, kinds, counts, lanes, deliveries, bytes)
      values (p_bucket, p_sources, p_kinds, p_counts, p_lanes, p_deliveries, p_bytes);
    end
    $fn$;
  `,
  oldest: 1,
});

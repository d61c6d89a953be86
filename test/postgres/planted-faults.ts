// Faults of the PostgreSQL store, each as an edit of the SQL of its schema, and a case of the contract suite that finds it.

export interface PlantedFault {
  readonly name: string;
  /** A text that the schema has once, and what is there instead. */
  readonly from: string;
  readonly to: string;
  /** A part of the names of cases, one of which fails. */
  readonly foundBy: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "a message id is a duplicate for a millisecond longer than a day",
    from: "where p_now - known.seen_at >= 86400000",
    to: "where p_now - known.seen_at > 86400000",
    foundBy: "a message id is remembered for 24 hours, and no longer",
  },
  {
    name: "the second user of a message may be suppressed",
    from: " or exists (select 1 from suppressed s where s.user_key = m.two)",
    to: "",
    foundBy: "a message is suppressed for any of its users, and for no others",
  },
  {
    name: "a message as of the latest request is outdated",
    from: "and m.as_of < v_requests",
    to: "and m.as_of <= v_requests",
    foundBy: "a message whose `asOf` is older than the newest request is not stored, and not counted",
  },
  {
    name: "a notice counts as a received call",
    from: "kinds[m.ord] = 0 and m.deletion is null",
    to: "kinds[m.ord] = 0",
    foundBy: "deliveries of notices are counted with their request, by source, and no sweep lowers these counts",
  },
  {
    name: "a new delivery has no bytes in its lane",
    from: "sum(m_size[d.message])::int8 as bytes",
    to: "0::int8 as bytes",
    foundBy: "bytes",
  },
  {
    name: "a detail that an outcome does not have is forgotten",
    from: "else coalesce(j.detail, j.old_detail) end as detail",
    to: "else j.detail end as detail",
    foundBy: "a settlement as dead without a detail keeps the stored detail",
  },
  {
    name: "a round without attempts counts",
    from: "(case when j.count > 0 then 1 else 0 end) as rounds",
    to: "1 as rounds",
    foundBy: "a delivery that was claimed and never tried counts as never tried, also after its lease",
  },
  {
    name: "each round begins the window anew",
    from: "coalesce(j.old_first, j.first_at) as first_at",
    to: "coalesce(j.first_at, j.old_first) as first_at",
    foundBy: "the window starts with the first recorded attempt, and only once",
  },
  {
    name: "an excerpt is stored of a delivery that is out of reach",
    from: "when j.is_gone then null else j.excerpts end as excerpts",
    to: "else j.excerpts end as excerpts",
    foundBy: "a claimed delivery counts no bytes in its lane once it is purged, and keeps no answers",
  },
  {
    name: "a settlement under another token counts",
    from: "on e.id = s.id and e.place = s.place and e.token = s.token",
    to: "on e.id = s.id and e.place = s.place",
    foundBy: "a commit of many arrivals answers each list in its order",
  },
  {
    name: "a claimed delivery that was purged is settled as the process knows it",
    from: "and not l.is_purged and get_bit(l.done, s.pos - 1) = 0",
    to: "and get_bit(l.done, s.pos - 1) = 0",
    foundBy: "purged",
  },
  {
    name: "in a usual commit, an excerpt is stored of a delivery that is out of reach",
    from: "if s_has_excerpts and exists (",
    to: "if false and exists (",
    foundBy: "purge",
  },
  {
    name: "in a usual commit, a purged delivery is settled with what it had",
    from: "l.token = e_token[1] and not l.is_purged and l.done",
    to: "l.token = e_token[1] and l.done",
    foundBy: "purge",
  },
  {
    name: "in a usual commit, a traceparent is lost",
    from: "slice(p_bytes, m[g][6], m[g][7])",
    to: "null",
    foundBy: "traceparent",
  },
  {
    name: "a settled delivery keeps its place in the lane",
    from: "-count(*) filter (where h.outcome in (0, 1, 4))::int8 as deliveries",
    to: "0::int8 as deliveries",
    foundBy: "lane",
  },
  {
    name: "what is due now is claimed a millisecond later",
    from: "c.due_at > v_now as is_later",
    to: "c.due_at >= v_now as is_later",
    foundBy: "one commit takes messages, settlements, late attempts, replays and tallies together",
  },
  {
    name: "a lease that ends now has not ended",
    from: "l.lane = a.lane and l.until <= v_now",
    to: "l.lane = a.lane and l.until < v_now",
    foundBy: "a delivery stored as claimed can be claimed again once its lease has ended, and not before",
  },
  {
    name: "retries and the others have each other's share",
    from: "case when r.tried then r.retries else r.most - r.retries end",
    to: "case when r.tried then r.most - r.retries else r.retries end",
    foundBy: "a claim with a number of retries hands out that many retries; the rest were never tried",
  },
  {
    name: "the end of a lease is no next due time",
    from: "l.lane = a.lane and l.until > v_now order by",
    to: "l.lane = a.lane and false order by",
    foundBy: "a delivery stored as claimed counts in its lane, which is due when the lease ends",
  },
  {
    name: "a delivery that was taken over stays in its former lease",
    from: "from unnest(c_lease, c_pos) u(lease, pos) where u.lease > 0;",
    to: "from unnest(c_lease, c_pos) u(lease, pos) where u.lease < 0;",
    foundBy: "a delivery stored as claimed can be claimed again once its lease has ended, and not before",
  },
  {
    name: "what is claimed is ended with its lane",
    from: "where l.bucket = p_bucket and l.lane = p_lane and l.until <= v_now and get_bit",
    to: "where l.bucket = p_bucket and l.lane = p_lane and get_bit",
    foundBy:
      "a delivery under a valid lease is not ended; one whose lease is over is, and its settlement is then stale",
  },
  {
    name: "what is claimed is not brought forward",
    from: "exit when v_more <= 0;",
    to: "exit when true;",
    foundBy: "a lease that ends too late ends sooner, and its token still settles",
  },
  {
    name: "a dead delivery is swept a millisecond early",
    from: "e.finished_at < p_dead_before and (",
    to: "e.finished_at <= p_dead_before and (",
    foundBy: "a sweep removes deliveries that finished before an instant, one for delivered and one for dead ones",
  },
  {
    name: "a delivered delivery is swept a millisecond early",
    from: "p_state = 2 and p_finished_at < p_delivered_before",
    to: "p_state = 2 and p_finished_at <= p_delivered_before",
    foundBy: "a sweep removes deliveries that finished before an instant, one for delivered and one for dead ones",
  },
  {
    name: "a claimed delivery goes with its leaf",
    from: "where l.bucket = p_bucket and l.low <= v_to and l.high > v_from and",
    to: "where false and",
    foundBy: "sweep",
  },
  {
    name: "a waiting delivery goes with its leaf",
    from: "from waiting w where w.bucket = p_bucket and w.id > v_from and w.id <= v_to",
    to: "from waiting w where false",
    foundBy: "sweep",
  },
  {
    name: "a claim does not find what is kept beyond its leaf",
    from: "join message m on m.bucket = p_bucket and m.leaf in (leaf_of(u.id), -1) and m.id = u.id",
    to: "join message m on m.bucket = p_bucket and m.leaf = leaf_of(u.id) and m.id = u.id",
    foundBy: "a body is removed with the last delivery that needs it, and not before",
  },
  {
    name: "a notice that goes with its leaf is not counted any more",
    from: "e.leaf = v_leaf and e.id = v_notice.id",
    to: "e.leaf = 9 and e.id = v_notice.id",
    foundBy: "deliveries of notices are counted with their request, by source, and no sweep lowers these counts",
  },
  {
    name: "counters lack what is not folded",
    from: "where t.bucket = p_bucket\n    union all\n    select e.source, e.kind, e.count from delta d",
    to: "where t.bucket = p_bucket\n    union all\n    select e.source, e.kind, 0 from delta d",
    foundBy: "a filtered unit is counted and has no row",
  },
  {
    name: "the first attempt of a lane is that of its latest delivery",
    from: "(select min(w.first_at) from waiting w",
    to: "(select max(w.first_at) from waiting w",
    foundBy: "lane",
  },
  {
    name: "an older progress of notices counts",
    from: "set notified = greatest(notified, least(n_users[i], users))",
    to: "set notified = least(n_users[i], users)",
    foundBy: "the progress of the notices is stored, never goes back, and ends with all users",
  },
];

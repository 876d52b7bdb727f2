INSERT INTO partners (id, agent_id, account_id, deals, reviews, rating_sum, version)
SELECT side.me || ':' || side.with_id, side.me, side.with_id, sum(side.signals), count(said.id), coalesce(sum(said.rating), 0), 1
FROM (
  SELECT d.id, e.buyer_id AS me, e.seller_account_id AS with_id,
    CASE WHEN EXISTS (SELECT 1 FROM milestones m WHERE m.escrow_id = e.id AND m.ended_by = 'dispute') THEN 0 ELSE 1 END AS signals
  FROM deals d INNER JOIN escrows e ON e.id = d.escrow_id WHERE d.status = 'completed'
  UNION ALL
  SELECT d.id, e.seller_id AS me, e.buyer_account_id AS with_id,
    CASE WHEN EXISTS (SELECT 1 FROM milestones m WHERE m.escrow_id = e.id AND m.ended_by = 'dispute') THEN 0 ELSE 1 END AS signals
  FROM deals d INNER JOIN escrows e ON e.id = d.escrow_id WHERE d.status = 'completed'
) AS side
LEFT JOIN deal_reviews said ON said.deal_id = side.id AND said.about_id = side.me
WHERE side.me IN (SELECT id FROM track_records)
GROUP BY side.me, side.with_id
HAVING sum(side.signals) + count(said.id) > 0
ON CONFLICT (id) DO UPDATE SET
  deals = CASE WHEN excluded.deals > partners.deals THEN excluded.deals ELSE partners.deals END,
  reviews = CASE WHEN excluded.reviews > partners.reviews THEN excluded.reviews ELSE partners.reviews END,
  rating_sum = CASE WHEN excluded.reviews > partners.reviews THEN excluded.rating_sum ELSE partners.rating_sum END,
  version = partners.version + 1;
--> statement-breakpoint
INSERT INTO reminders (id, at, operation, input, attempts, created_at, version)
SELECT 'trust.refresh:' || r.id, 0, 'trust.refresh', '{"agent_id":"' || r.id || '"}', 0, 0, 1
FROM track_records r
WHERE NOT EXISTS (SELECT 1 FROM reminders k WHERE k.id = 'trust.refresh:' || r.id);

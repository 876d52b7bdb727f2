// Made by scripts/make-migration.ts from db/migrations/postgres; never edited by hand.
export const POSTGRES_MIGRATIONS: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  {
    "name": "0000_first",
    "statements": [
      "CREATE TABLE \"accounts\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"email\" text COLLATE \"C\",\n\t\"plan\" text COLLATE \"C\" NOT NULL,\n\t\"provisional\" bigint DEFAULT 0 NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"agents\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"account_id\" text COLLATE \"C\" NOT NULL,\n\t\"handle\" text COLLATE \"C\" NOT NULL,\n\t\"display_name\" text COLLATE \"C\" NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"headline\" text COLLATE \"C\" DEFAULT '' NOT NULL,\n\t\"description\" text COLLATE \"C\" DEFAULT '' NOT NULL,\n\t\"offers\" text NOT NULL,\n\t\"seeks\" text NOT NULL,\n\t\"geo\" text,\n\t\"industry\" text NOT NULL,\n\t\"visibility\" text COLLATE \"C\" NOT NULL,\n\t\"bounds\" text NOT NULL,\n\t\"availability\" text,\n\t\"social_links\" text NOT NULL,\n\t\"wake\" text NOT NULL,\n\t\"public_key\" text COLLATE \"C\",\n\t\"fingerprint\" text COLLATE \"C\",\n\t\"provisional\" bigint DEFAULT 0 NOT NULL,\n\t\"verified_at\" bigint,\n\t\"intake_at\" bigint,\n\t\"deactivated_at\" bigint,\n\t\"trust_score\" bigint DEFAULT 0 NOT NULL,\n\t\"credentials\" text NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"api_keys\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"account_id\" text COLLATE \"C\" NOT NULL,\n\t\"agent_id\" text COLLATE \"C\",\n\t\"hash\" text COLLATE \"C\" NOT NULL,\n\t\"prefix\" text COLLATE \"C\" NOT NULL,\n\t\"name\" text COLLATE \"C\" NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"scopes\" text NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"revoked_at\" bigint,\n\t\"successor_id\" text COLLATE \"C\",\n\t\"used_at\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"challenges\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"claims\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"provider\" text COLLATE \"C\" NOT NULL,\n\t\"external_id\" text COLLATE \"C\" NOT NULL,\n\t\"verified_at\" bigint NOT NULL,\n\t\"checked_at\" bigint NOT NULL,\n\t\"failing_since\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"codes\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"hash\" text COLLATE \"C\" NOT NULL,\n\t\"data\" text NOT NULL,\n\t\"tries\" bigint DEFAULT 0 NOT NULL,\n\t\"sent_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"commits\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"node\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"agents\" text NOT NULL,\n\t\"changed\" text NOT NULL,\n\t\"vectors\" text NOT NULL\n);",
      "CREATE TABLE \"conversations\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"opener_id\" text COLLATE \"C\" NOT NULL,\n\t\"other_id\" text COLLATE \"C\" NOT NULL,\n\t\"match_id\" text COLLATE \"C\",\n\t\"phase\" text COLLATE \"C\" NOT NULL,\n\t\"status\" text COLLATE \"C\" NOT NULL,\n\t\"subject\" text COLLATE \"C\" NOT NULL,\n\t\"last_message_id\" text COLLATE \"C\",\n\t\"opener_sent\" bigint DEFAULT 0 NOT NULL,\n\t\"other_sent\" bigint DEFAULT 0 NOT NULL,\n\t\"opener_seen\" bigint DEFAULT 0 NOT NULL,\n\t\"other_seen\" bigint DEFAULT 0 NOT NULL,\n\t\"closed_reason\" text COLLATE \"C\",\n\t\"created_at\" bigint NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"counters\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"n\" bigint NOT NULL,\n\t\"expires_at\" bigint\n);",
      "CREATE TABLE \"events\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"seq\" bigint NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"handle\" text COLLATE \"C\" NOT NULL,\n\t\"data\" text NOT NULL,\n\t\"subject_id\" text COLLATE \"C\",\n\t\"respond_by\" bigint,\n\t\"awaiting\" bigint DEFAULT 0 NOT NULL,\n\t\"answered\" text,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"handles\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"agent_id\" text COLLATE \"C\",\n\t\"email\" text COLLATE \"C\",\n\t\"expires_at\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"idempotency\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"request_hash\" text COLLATE \"C\" NOT NULL,\n\t\"status\" bigint NOT NULL,\n\t\"headers\" text NOT NULL,\n\t\"body\" text COLLATE \"C\" NOT NULL,\n\t\"sealed\" bigint DEFAULT 0 NOT NULL,\n\t\"expires_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"inbox_reads\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"ranges\" text COLLATE \"C\" NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"inboxes\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"last_seq\" bigint NOT NULL\n);",
      "CREATE TABLE \"journals\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"key_uses\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"last_used_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"labels\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"uses\" bigint DEFAULT 0 NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"ledger_accounts\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"balance_cents\" bigint NOT NULL,\n\t\"guarded\" bigint NOT NULL\n);",
      "CREATE TABLE \"listing_vectors\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"side\" text COLLATE \"C\" NOT NULL,\n\t\"labels\" text NOT NULL,\n\t\"model\" text COLLATE \"C\" NOT NULL,\n\t\"vector\" \"bytea\" NOT NULL\n);",
      "CREATE TABLE \"listings\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"account_id\" text COLLATE \"C\" NOT NULL,\n\t\"slug\" text COLLATE \"C\" NOT NULL,\n\t\"card_type\" text COLLATE \"C\" NOT NULL,\n\t\"direction\" text COLLATE \"C\" NOT NULL,\n\t\"headline\" text COLLATE \"C\" NOT NULL,\n\t\"description\" text COLLATE \"C\" NOT NULL,\n\t\"geo\" text COLLATE \"C\",\n\t\"labels\" text NOT NULL,\n\t\"subcategory\" text COLLATE \"C\",\n\t\"price_cents\" bigint,\n\t\"budget_cents\" bigint,\n\t\"price_period\" text COLLATE \"C\" DEFAULT 'once' NOT NULL,\n\t\"currency\" text COLLATE \"C\" DEFAULT 'USD' NOT NULL,\n\t\"per_week_cents\" bigint,\n\t\"per_month_cents\" bigint,\n\t\"conditions\" text NOT NULL,\n\t\"fields\" text NOT NULL,\n\t\"status\" text COLLATE \"C\" NOT NULL,\n\t\"origin\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"matches\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"match_id\" text COLLATE \"C\" NOT NULL,\n\t\"offer_id\" text COLLATE \"C\" NOT NULL,\n\t\"seek_id\" text COLLATE \"C\" NOT NULL,\n\t\"offer_agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"seek_agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"offer_headline\" text COLLATE \"C\" NOT NULL,\n\t\"seek_headline\" text COLLATE \"C\" NOT NULL,\n\t\"score_ppm\" bigint NOT NULL,\n\t\"reasons\" text NOT NULL,\n\t\"status\" text COLLATE \"C\" NOT NULL,\n\t\"approved_by\" text NOT NULL,\n\t\"saved_by\" text NOT NULL,\n\t\"shown_to\" text NOT NULL,\n\t\"offer_visible\" bigint DEFAULT 1 NOT NULL,\n\t\"seek_visible\" bigint DEFAULT 1 NOT NULL,\n\t\"feedback\" text,\n\t\"conversation_id\" text COLLATE \"C\",\n\t\"created_at\" bigint NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"messages\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"conversation_id\" text COLLATE \"C\" NOT NULL,\n\t\"sender_id\" text COLLATE \"C\" NOT NULL,\n\t\"sender_handle\" text COLLATE \"C\" NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"content\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"outbound\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"channel\" text COLLATE \"C\" NOT NULL,\n\t\"payload\" text COLLATE \"C\" NOT NULL,\n\t\"attempts\" bigint DEFAULT 0 NOT NULL,\n\t\"next_at\" bigint NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"presence\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"last_seen_at\" bigint NOT NULL,\n\t\"samples\" text NOT NULL\n);",
      "CREATE TABLE \"reminders\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"at\" bigint NOT NULL,\n\t\"operation\" text COLLATE \"C\" NOT NULL,\n\t\"input\" text NOT NULL,\n\t\"attempts\" bigint DEFAULT 0 NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"secrets\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"value\" text COLLATE \"C\" NOT NULL\n);",
      "CREATE TABLE \"sessions\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"account_id\" text COLLATE \"C\" NOT NULL,\n\t\"refresh_hash\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"ended_at\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"transfers\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"journal\" text COLLATE \"C\" NOT NULL,\n\t\"debit\" text COLLATE \"C\" NOT NULL,\n\t\"credit\" text COLLATE \"C\" NOT NULL,\n\t\"amount_cents\" bigint NOT NULL,\n\t\"created_at\" bigint NOT NULL\n);",
      "CREATE UNIQUE INDEX \"accounts_email\" ON \"accounts\" USING btree (\"email\");",
      "CREATE INDEX \"agents_account\" ON \"agents\" USING btree (\"account_id\");",
      "CREATE INDEX \"agents_handle\" ON \"agents\" USING btree (\"handle\");",
      "CREATE UNIQUE INDEX \"api_keys_hash\" ON \"api_keys\" USING btree (\"hash\");",
      "CREATE INDEX \"api_keys_account\" ON \"api_keys\" USING btree (\"account_id\");",
      "CREATE UNIQUE INDEX \"claims_external\" ON \"claims\" USING btree (\"provider\",\"external_id\");",
      "CREATE INDEX \"claims_agent\" ON \"claims\" USING btree (\"agent_id\");",
      "CREATE INDEX \"commits_created\" ON \"commits\" USING btree (\"created_at\");",
      "CREATE INDEX \"commits_expiry\" ON \"commits\" USING btree (\"expires_at\");",
      "CREATE INDEX \"conversations_opener\" ON \"conversations\" USING btree (\"opener_id\",\"id\");",
      "CREATE INDEX \"conversations_other\" ON \"conversations\" USING btree (\"other_id\",\"id\");",
      "CREATE INDEX \"counters_expiry\" ON \"counters\" USING btree (\"expires_at\") WHERE expires_at IS NOT NULL;",
      "CREATE UNIQUE INDEX \"events_seq\" ON \"events\" USING btree (\"agent_id\",\"seq\");",
      "CREATE INDEX \"events_awaiting\" ON \"events\" USING btree (\"agent_id\",\"subject_id\") WHERE awaiting = 1;",
      "CREATE INDEX \"handles_agent\" ON \"handles\" USING btree (\"agent_id\");",
      "CREATE INDEX \"idempotency_expiry\" ON \"idempotency\" USING btree (\"expires_at\");",
      "CREATE UNIQUE INDEX \"listings_slug\" ON \"listings\" USING btree (\"agent_id\",\"slug\");",
      "CREATE INDEX \"listings_account\" ON \"listings\" USING btree (\"account_id\");",
      "CREATE UNIQUE INDEX \"matches_match_id\" ON \"matches\" USING btree (\"match_id\");",
      "CREATE INDEX \"matches_offer_agent\" ON \"matches\" USING btree (\"offer_agent_id\",\"score_ppm\");",
      "CREATE INDEX \"matches_seek_agent\" ON \"matches\" USING btree (\"seek_agent_id\",\"score_ppm\");",
      "CREATE INDEX \"matches_offer\" ON \"matches\" USING btree (\"offer_id\");",
      "CREATE INDEX \"matches_seek\" ON \"matches\" USING btree (\"seek_id\");",
      "CREATE INDEX \"messages_conversation\" ON \"messages\" USING btree (\"conversation_id\",\"id\");",
      "CREATE INDEX \"outbound_next\" ON \"outbound\" USING btree (\"next_at\");",
      "CREATE INDEX \"reminders_at\" ON \"reminders\" USING btree (\"at\");",
      "CREATE INDEX \"sessions_account\" ON \"sessions\" USING btree (\"account_id\");",
      "CREATE INDEX \"transfers_journal\" ON \"transfers\" USING btree (\"journal\");"
    ]
  },
  {
    "name": "0001_reach",
    "statements": [
      "CREATE TABLE \"blocks\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"blocked_id\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"couriers\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"seq\" bigint NOT NULL,\n\t\"lease_until\" bigint DEFAULT 0 NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"feed_entries\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"change\" text COLLATE \"C\" NOT NULL,\n\t\"listing_id\" text COLLATE \"C\" NOT NULL,\n\t\"slug\" text COLLATE \"C\" NOT NULL,\n\t\"headline\" text COLLATE \"C\" NOT NULL,\n\t\"labels\" text NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"inbound_mails\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\",\n\t\"conversation_id\" text COLLATE \"C\",\n\t\"message_id\" text COLLATE \"C\",\n\t\"outcome\" text COLLATE \"C\" NOT NULL,\n\t\"authentication\" text NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"mail_marks\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"seen\" bigint NOT NULL,\n\t\"at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"notification_reads\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"read_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"notification_settings\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"email\" text COLLATE \"C\" NOT NULL,\n\t\"digest\" text COLLATE \"C\" NOT NULL,\n\t\"quiet_hours\" text,\n\t\"mute\" text NOT NULL,\n\t\"read_until\" bigint DEFAULT 0 NOT NULL,\n\t\"digested_until\" bigint DEFAULT 0 NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"reply_tokens\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"conversation_id\" text COLLATE \"C\" NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"reviews\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"listing_id\" text COLLATE \"C\",\n\t\"reporter_id\" text COLLATE \"C\",\n\t\"reason\" text COLLATE \"C\" NOT NULL,\n\t\"text\" text COLLATE \"C\" DEFAULT '' NOT NULL,\n\t\"status\" text COLLATE \"C\" NOT NULL,\n\t\"decided_by\" text COLLATE \"C\",\n\t\"decided_at\" bigint,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"webhook_logs\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"webhook_id\" text COLLATE \"C\" NOT NULL,\n\t\"event_id\" text COLLATE \"C\" NOT NULL,\n\t\"event\" text COLLATE \"C\" NOT NULL,\n\t\"payload\" text NOT NULL,\n\t\"http_status\" bigint,\n\t\"response_ms\" bigint,\n\t\"error\" text COLLATE \"C\",\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"webhooks\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"url\" text COLLATE \"C\" NOT NULL,\n\t\"events\" text NOT NULL,\n\t\"active\" bigint DEFAULT 1 NOT NULL,\n\t\"retry\" bigint DEFAULT 0 NOT NULL,\n\t\"secret\" text COLLATE \"C\" NOT NULL,\n\t\"old_secret\" text COLLATE \"C\",\n\t\"old_secret_until\" bigint,\n\t\"failure_count\" bigint DEFAULT 0 NOT NULL,\n\t\"last_delivery_at\" bigint,\n\t\"created_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "ALTER TABLE \"agents\" ADD COLUMN \"a2a_url\" text COLLATE \"C\";",
      "ALTER TABLE \"agents\" ADD COLUMN \"a2a_failing_since\" bigint;",
      "ALTER TABLE \"listings\" ADD COLUMN \"verified_attributes\" text;",
      "ALTER TABLE \"listings\" ADD COLUMN \"measured_at\" bigint;",
      "CREATE INDEX \"blocks_agent\" ON \"blocks\" USING btree (\"agent_id\");",
      "CREATE INDEX \"blocks_blocked\" ON \"blocks\" USING btree (\"blocked_id\");",
      "CREATE INDEX \"feed_entries_agent\" ON \"feed_entries\" USING btree (\"agent_id\",\"id\");",
      "CREATE INDEX \"feed_entries_expiry\" ON \"feed_entries\" USING btree (\"expires_at\");",
      "CREATE INDEX \"inbound_mails_expiry\" ON \"inbound_mails\" USING btree (\"expires_at\");",
      "CREATE INDEX \"reply_tokens_expiry\" ON \"reply_tokens\" USING btree (\"expires_at\");",
      "CREATE INDEX \"reviews_status\" ON \"reviews\" USING btree (\"status\",\"id\");",
      "CREATE INDEX \"reviews_listing\" ON \"reviews\" USING btree (\"listing_id\");",
      "CREATE INDEX \"webhook_logs_webhook\" ON \"webhook_logs\" USING btree (\"webhook_id\",\"id\");",
      "CREATE INDEX \"webhook_logs_expiry\" ON \"webhook_logs\" USING btree (\"expires_at\");",
      "CREATE INDEX \"webhooks_agent\" ON \"webhooks\" USING btree (\"agent_id\");",
      "INSERT INTO couriers (id, seq, lease_until, version) SELECT id, last_seq, 0, 1 FROM inboxes;"
    ]
  },
  {
    "name": "0002_blocked_threads",
    "statements": [
      "ALTER TABLE \"conversations\" ADD COLUMN \"opener_blocks\" bigint DEFAULT 0 NOT NULL;",
      "ALTER TABLE \"conversations\" ADD COLUMN \"other_blocks\" bigint DEFAULT 0 NOT NULL;"
    ]
  },
  {
    "name": "0003_notifications",
    "statements": [
      "DROP TABLE \"notification_reads\" CASCADE;",
      "ALTER TABLE \"inbox_reads\" ADD COLUMN \"noticed\" text COLLATE \"C\" DEFAULT '' NOT NULL;",
      "ALTER TABLE \"notification_settings\" DROP COLUMN \"read_until\";"
    ]
  },
  {
    "name": "0004_presence_and_rates",
    "statements": [
      "CREATE TABLE \"rates\" (\n\t\"caller\" text COLLATE \"C\" NOT NULL,\n\t\"at\" bigint NOT NULL,\n\t\"node\" text COLLATE \"C\" NOT NULL,\n\t\"n\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\tCONSTRAINT \"rates_caller_at_node_pk\" PRIMARY KEY(\"caller\",\"at\",\"node\")\n);",
      "ALTER TABLE \"presence\" ADD COLUMN \"streams\" text;",
      "CREATE INDEX \"rates_expiry\" ON \"rates\" USING btree (\"expires_at\");"
    ]
  },
  {
    "name": "0005_journals_with_balances",
    "statements": [
      "ALTER TABLE \"journals\" ADD COLUMN \"subject_id\" text COLLATE \"C\";",
      "ALTER TABLE \"journals\" ADD COLUMN \"digest\" text COLLATE \"C\" DEFAULT '' NOT NULL;",
      "ALTER TABLE \"transfers\" ADD COLUMN \"debit_after_cents\" bigint;",
      "ALTER TABLE \"transfers\" ADD COLUMN \"credit_after_cents\" bigint;",
      "CREATE INDEX \"transfers_platform_debit\" ON \"transfers\" USING btree (\"debit\",\"amount_cents\") WHERE debit_after_cents IS NULL;",
      "CREATE INDEX \"transfers_platform_credit\" ON \"transfers\" USING btree (\"credit\",\"amount_cents\") WHERE credit_after_cents IS NULL;",
      "DELETE FROM ledger_accounts WHERE guarded = 0;",
      "ALTER TABLE \"ledger_accounts\" DROP COLUMN \"guarded\";",
      "ALTER TABLE \"ledger_accounts\" ADD CONSTRAINT \"ledger_accounts_covered\" CHECK (balance_cents >= 0);"
    ]
  },
  {
    "name": "0006_message_places",
    "statements": [
      "DROP INDEX \"messages_conversation\";",
      "ALTER TABLE \"conversations\" ADD COLUMN \"last_n\" bigint DEFAULT 0 NOT NULL;",
      "ALTER TABLE \"messages\" ADD COLUMN \"n\" bigint DEFAULT 0 NOT NULL;",
      "UPDATE messages SET n = placed.n FROM (SELECT id, row_number() OVER (PARTITION BY conversation_id ORDER BY id) AS n FROM messages) AS placed WHERE placed.id = messages.id;",
      "UPDATE conversations SET last_n = counted.n FROM (SELECT conversation_id, count(*) AS n FROM messages GROUP BY conversation_id) AS counted WHERE counted.conversation_id = conversations.id;",
      "CREATE UNIQUE INDEX \"messages_n\" ON \"messages\" USING btree (\"conversation_id\",\"n\");"
    ]
  },
  {
    "name": "0007_add_service_time",
    "statements": [
      "CREATE TABLE \"service_time\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"offset_ms\" bigint NOT NULL,\n\t\"mover\" text COLLATE \"C\",\n\t\"moving_until\" bigint NOT NULL\n);"
    ]
  },
  {
    "name": "0008_labels_and_listings_by_index",
    "statements": [
      "CREATE INDEX \"labels_uses\" ON \"labels\" USING btree (\"uses\",\"id\");",
      "CREATE INDEX \"listings_agent\" ON \"listings\" USING btree (\"agent_id\",\"id\");",
      "CREATE INDEX \"listings_status\" ON \"listings\" USING btree (\"agent_id\",\"status\",\"id\");",
      "CREATE INDEX \"listings_headline\" ON \"listings\" USING btree (\"agent_id\",\"headline\",\"direction\",\"id\");"
    ]
  },
  {
    "name": "0009_delivery_cursors",
    "statements": [
      "ALTER TABLE \"couriers\" RENAME TO \"delivery_cursors\";",
      "UPDATE \"reminders\" SET \"id\" = 'site.recheck' || substr(\"id\", 15), \"operation\" = 'site.recheck' WHERE \"operation\" = 'domain.recheck';"
    ]
  },
  {
    "name": "0010_kept_values",
    "statements": [
      "DELETE FROM \"idempotency\" WHERE \"status\" >= 300 AND \"body\" LIKE '{\"receipt\":%';",
      "ALTER TABLE \"idempotency\" RENAME COLUMN \"headers\" TO \"notes\";",
      "ALTER TABLE \"idempotency\" RENAME COLUMN \"body\" TO \"value\";",
      "ALTER TABLE \"idempotency\" ALTER COLUMN \"status\" SET DATA TYPE text COLLATE \"C\" USING CASE \"status\" WHEN 200 THEN 'ok' WHEN 201 THEN 'created' WHEN 202 THEN 'accepted' ELSE 'refused' END;",
      "UPDATE \"idempotency\" SET \"notes\" = '{}' WHERE \"notes\" <> '{}';"
    ]
  },
  {
    "name": "0011_tasks",
    "statements": [
      "CREATE TABLE \"task_updates\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"task_id\" text COLLATE \"C\" NOT NULL,\n\t\"n\" bigint NOT NULL,\n\t\"kind\" text COLLATE \"C\" NOT NULL,\n\t\"state\" text COLLATE \"C\" NOT NULL,\n\t\"message\" text,\n\t\"artifact\" text,\n\t\"created_at\" bigint NOT NULL\n);",
      "CREATE TABLE \"tasks\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"client_id\" text COLLATE \"C\",\n\t\"sender_id\" text COLLATE \"C\" NOT NULL,\n\t\"target_id\" text COLLATE \"C\" NOT NULL,\n\t\"conversation_id\" text COLLATE \"C\" NOT NULL,\n\t\"state\" text COLLATE \"C\" NOT NULL,\n\t\"last_n\" bigint NOT NULL,\n\t\"status_n\" bigint NOT NULL,\n\t\"dialect\" text COLLATE \"C\",\n\t\"metadata\" text NOT NULL,\n\t\"remote\" text,\n\t\"created_at\" bigint NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"expires_at\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "ALTER TABLE \"conversations\" ADD COLUMN \"opener_tasks\" bigint DEFAULT 0 NOT NULL;",
      "ALTER TABLE \"conversations\" ADD COLUMN \"other_tasks\" bigint DEFAULT 0 NOT NULL;",
      "CREATE UNIQUE INDEX \"task_updates_n\" ON \"task_updates\" USING btree (\"task_id\",\"n\");",
      "CREATE UNIQUE INDEX \"tasks_client\" ON \"tasks\" USING btree (\"sender_id\",\"client_id\") WHERE client_id IS NOT NULL;",
      "CREATE INDEX \"tasks_sender\" ON \"tasks\" USING btree (\"sender_id\",\"updated_at\");",
      "CREATE INDEX \"tasks_target\" ON \"tasks\" USING btree (\"target_id\",\"updated_at\");",
      "CREATE INDEX \"tasks_open\" ON \"tasks\" USING btree (\"conversation_id\",\"target_id\") WHERE expires_at IS NULL;",
      "CREATE INDEX \"tasks_expiry\" ON \"tasks\" USING btree (\"expires_at\") WHERE expires_at IS NOT NULL;"
    ]
  },
  {
    "name": "0012_keep_traces",
    "statements": [
      "ALTER TABLE \"events\" ADD COLUMN \"trace\" text COLLATE \"C\";"
    ]
  },
  {
    "name": "0013_endpoint_cards",
    "statements": [
      "ALTER TABLE \"agents\" ADD COLUMN \"a2a_card\" text;"
    ]
  },
  {
    "name": "0014_forwards",
    "statements": [
      "CREATE TABLE \"forwards\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"conversation_id\" text COLLATE \"C\" NOT NULL,\n\t\"message_id\" text COLLATE \"C\" NOT NULL,\n\t\"task_id\" text COLLATE \"C\",\n\t\"url\" text COLLATE \"C\" NOT NULL,\n\t\"dialect\" text COLLATE \"C\" NOT NULL,\n\t\"binding\" text COLLATE \"C\" NOT NULL,\n\t\"tenant\" text COLLATE \"C\",\n\t\"remote_task_id\" text COLLATE \"C\",\n\t\"remote_context_id\" text COLLATE \"C\",\n\t\"state\" text COLLATE \"C\" NOT NULL,\n\t\"answer\" text,\n\t\"answer_id\" text COLLATE \"C\",\n\t\"looks\" bigint DEFAULT 0 NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"push_configs\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"task_id\" text COLLATE \"C\" NOT NULL,\n\t\"config_id\" text COLLATE \"C\" NOT NULL,\n\t\"agent_id\" text COLLATE \"C\" NOT NULL,\n\t\"url\" text COLLATE \"C\" NOT NULL,\n\t\"secret\" text COLLATE \"C\",\n\t\"dialect\" text COLLATE \"C\" NOT NULL,\n\t\"n\" bigint NOT NULL,\n\t\"failures\" bigint DEFAULT 0 NOT NULL,\n\t\"created_at\" bigint NOT NULL,\n\t\"expires_at\" bigint,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "ALTER TABLE \"tasks\" ADD COLUMN \"push_configs\" bigint DEFAULT 0 NOT NULL;",
      "CREATE INDEX \"forwards_thread\" ON \"forwards\" USING btree (\"conversation_id\",\"id\");",
      "CREATE INDEX \"forwards_task\" ON \"forwards\" USING btree (\"task_id\");",
      "CREATE INDEX \"forwards_answer\" ON \"forwards\" USING btree (\"answer_id\");",
      "CREATE INDEX \"forwards_expiry\" ON \"forwards\" USING btree (\"expires_at\");",
      "CREATE INDEX \"push_configs_task\" ON \"push_configs\" USING btree (\"task_id\");",
      "CREATE INDEX \"push_configs_expiry\" ON \"push_configs\" USING btree (\"expires_at\") WHERE expires_at IS NOT NULL;"
    ]
  },
  {
    "name": "0015_index_artifacts",
    "statements": [
      "CREATE INDEX \"task_updates_artifacts\" ON \"task_updates\" USING btree (\"task_id\",\"n\") WHERE artifact IS NOT NULL;"
    ]
  },
  {
    "name": "0016_matching_ranks",
    "statements": [
      "CREATE TABLE \"tastes\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"signals\" text NOT NULL,\n\t\"updated_at\" bigint NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE \"template_words\" (\n\t\"id\" text COLLATE \"C\" PRIMARY KEY NOT NULL,\n\t\"shares\" text NOT NULL,\n\t\"version\" bigint DEFAULT 1 NOT NULL\n);",
      "DROP INDEX \"matches_offer\";",
      "DROP INDEX \"matches_seek\";",
      "ALTER TABLE \"listing_vectors\" ADD COLUMN \"card_type\" text COLLATE \"C\";",
      "ALTER TABLE \"listing_vectors\" ADD COLUMN \"terms\" \"bytea\";",
      "ALTER TABLE \"matches\" ADD COLUMN \"offer_best\" bigint DEFAULT 1 NOT NULL;",
      "ALTER TABLE \"matches\" ADD COLUMN \"seek_best\" bigint DEFAULT 1 NOT NULL;",
      "ALTER TABLE \"matches\" ADD COLUMN \"ended_by\" text COLLATE \"C\";",
      "CREATE INDEX \"matches_offer\" ON \"matches\" USING btree (\"offer_id\",\"offer_best\",\"score_ppm\");",
      "CREATE INDEX \"matches_seek\" ON \"matches\" USING btree (\"seek_id\",\"seek_best\",\"score_ppm\");"
    ]
  }
];

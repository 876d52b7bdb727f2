// A node of a release to come, as a rolling upgrade starts it beside nodes of this one: this code with migrations of its own.
// `newer-node.ts 1` has the one that this release can serve beside, `newer-node.ts 2` besides one that it cannot.
import { POSTGRES_MIGRATIONS } from '../../db/migrations/postgres.ts';
import type { Migration } from '../../db/migrations/steps.ts';
import release from '../../package.json' with { type: 'json' };
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: '9998_heard',
    oldest: release.version,
    statements: [
      'ALTER TABLE "messages" ADD "heard_at" bigint',
      'ALTER TABLE "inboxes" ADD "heard_at" bigint',
      'ALTER TABLE "listing_vectors" ADD "heard_at" bigint',
      'CREATE INDEX "messages_heard" ON "messages" USING btree ("heard_at")',
      'CREATE TABLE "hearings" ("id" text PRIMARY KEY)',
      `-- in slices
      UPDATE "messages" SET "heard_at" = "created_at" WHERE ("conversation_id", "id") IN
        (SELECT "conversation_id", "id" FROM "messages" WHERE "heard_at" IS NULL LIMIT 50)`,
    ],
  },
  { name: '9999_deaf', oldest: '99.1.0', statements: ['ALTER TABLE "inboxes" DROP "heard_at"'] },
];

const config = readConfig(process.env);
if (isConfigProblem(config)) throw new Error(config.problem);
const releases = Number(process.argv[2]);
(POSTGRES_MIGRATIONS as Migration[]).push(...MIGRATIONS.slice(0, releases));
release.version = `99.${releases}.0`;
try {
  const { url, stop } = await start(config);
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  console.log(`listening on ${url}`);
} catch (error) {
  console.error(String(error));
  process.exit(1);
}

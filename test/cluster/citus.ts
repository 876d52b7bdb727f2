// A PostgreSQL whose tables Citus distributes: a coordinator and two workers on the loopback, each a real server that can be killed and
// started again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { Member, programs } from './standby.ts';

const WORKERS = 2;
/** After a crash Citus ends what was prepared; it looks once a minute unless told otherwise. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'citus.recover_2pc_interval=2s',
  'citus.node_conninfo=sslmode=disable',
  'max_prepared_transactions=200',
];

export interface Citus {
  readonly coordinator: Member;
  readonly workers: readonly Member[];
  /** A database with every migration and no rows, which is not distributed yet; its URL. */
  database(): Promise<string>;
  /** Kills all processes of a server, and starts it again. */
  restart(member: Member): Promise<void>;
  stop(): Promise<void>;
}

/** The programs of a server that has the extension; null, with a loud line, where there is none. */
export function citusPrograms(): string | null {
  const bin = programs();
  if (bin !== null && existsSync(join(bin, '../lib/citus.so'))) return bin;
  console.warn('SKIPPED: Citus is not installed here (its packages come from its makers)');
  return null;
}

/** Starts one server, with these settings. */
export async function startMember(bin: string, settings: readonly string[] = []): Promise<Member> {
  const member = new Member(bin, settings);
  await member.run('initdb', ['-D', member.data, '-U', 'meshwork', '-A', 'trust', '-E', 'UTF8']);
  await member.start();
  return member;
}

/** Starts the servers. */
export async function startCitus(bin: string): Promise<Citus> {
  const [coordinator, ...workers] = await Promise.all(
    Array.from({ length: 1 + WORKERS }, () => startMember(bin, SETTINGS)),
  );
  if (!coordinator) throw new Error('no coordinator was started');
  const members = [coordinator, ...workers];
  let made = 0;
  const database = async (): Promise<string> => {
    made += 1;
    const name = `meshwork_${made}`;
    for (const member of members) {
      await using root = new Bun.SQL(member.url('postgres'), { max: 1 });
      await root.unsafe(`CREATE DATABASE ${name}`);
      await using sql = new Bun.SQL(member.url(name), { max: 1 });
      await sql.unsafe('CREATE EXTENSION citus');
    }
    const url = coordinator.url(name);
    await using sql = new Bun.SQL(url, { max: 2 });
    await sql.unsafe(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const { port } of workers) await sql.unsafe(`SELECT citus_add_node('127.0.0.1', ${port})`);
    await migratePostgres(sql, 0);
    return url;
  };
  return {
    coordinator,
    workers,
    database,
    restart: async (member) => {
      member.kill();
      await member.start();
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

// The settings of PostgreSQL under Patroni as the guide has them (src/docs/operate.md), with all parts on one machine.

/** Who owns the databases; everybody on the loopback is trusted. */
export const OWNER = 'meshwork';
export const DATABASE = 'meshwork';

export interface MemberPorts {
  readonly name: string;
  /** Its PostgreSQL and its Patroni, as those beside it reach them. */
  readonly postgres: number;
  readonly rest: number;
  /** The same as the other members reach them, and etcd as it does: through proxies that can be cut. */
  readonly from_others: { readonly postgres: number; readonly rest: number };
  readonly etcd: number;
}

/** The least times that Patroni takes: a leader without its lock gives way after 20 s. */
const DCS = {
  ttl: 20,
  loop_wait: 4,
  retry_timeout: 6,
  primary_start_timeout: 30,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
};

export function patroniFile(
  home: string,
  bin: string,
  { name, postgres, rest, from_others, etcd }: MemberPorts,
): string {
  const account = { username: OWNER, password: 'trusted' };
  // JSON is YAML.
  return JSON.stringify({
    scope: 'meshwork',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${from_others.rest}` },
    // As a proxy, so that it is not asked for its members' own addresses.
    etcd3: { hosts: [`127.0.0.1:${etcd}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...DCS,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${from_others.postgres}`,
      data_dir: `${home}/data`,
      bin_dir: bin,
      pgpass: `${home}/pgpass`,
      authentication: { superuser: account, replication: account, rewind: account },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: home, logging_collector: 'off' },
    },
  });
}

/** Sends connections to whichever member answers as the leader, and ends those to one that no longer does. */
export function haproxyFile(port: number, members: readonly MemberPorts[]): string {
  return `global
  maxconn 500
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, postgres, rest }) => `  server ${name} 127.0.0.1:${postgres} maxconn 200 check port ${rest}`).join('\n')}
`;
}

/** A server that refused is tried again after a second, instead of fifteen. */
export function pgbouncerFile(port: number, to: number): string {
  return `[databases]
${DATABASE} = host=127.0.0.1 port=${to} user=${OWNER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 10
`;
}

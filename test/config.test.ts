// The settings: defaults, every kind of value, and the one line that each mistake is answered with.

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import type { Environment } from '../src/config/given.ts';
import { configReference, showConfig, shownSettings } from '../src/config/show.ts';
import { VARIABLES, type Variable } from '../src/config/variables.ts';
import { addresses, type Config, isConfigProblem, readConfig } from '../src/config.ts';
import { isTypeScript, parse, readTree, walk } from './tidy/source.ts';

const ROOT = join(import.meta.dir, '..');

function good(env: Environment): Config {
  const read = readConfig(env);
  if (isConfigProblem(read)) throw new Error(read.problem);
  return read;
}

function problem(env: Environment): string {
  const read = readConfig(env);
  return isConfigProblem(read) ? read.problem : 'none';
}

describe('defaults', () => {
  test('nothing is required, and what stands then is what the documents promise', () => {
    const config = good({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, mailDomain: 'agents.localhost', chainRail: 'off' });
    expect(config).toMatchObject({ payments: 'sandbox', rateLimits: true, trustProxy: false, testClock: false });
    expect(config).toMatchObject({ keyPrefix: 'mesh', platformHandle: 'concierge' });
    expect(config.dataDir).toBe(`${process.cwd()}/data`);
    expect([config.internalToken, config.smtpUrl, config.logFormat]).toEqual([undefined, undefined, undefined]);
    expect([config.adminEmails, config.egressAllow, config.dnsServers]).toEqual([[], [], []]);
  });

  test('an empty value means the same as an unset one', () => {
    expect(good({ PORT: '', SMTP_URL: ' ', DATABASE_URL: '', PORT_FILE: '' })).toEqual(good({}));
  });

  test('a config cannot be changed', () => {
    expect(Object.isFrozen(good({}))).toBe(true);
    expect(Object.isFrozen(good({ EGRESS_ALLOW: 'localhost:9000' }).egressAllow)).toBe(true);
  });
});

describe('values', () => {
  const cases: [Environment, Partial<Config>][] = [
    [{ PORT: '0' }, { port: 0 }],
    [{ HOST: '[::1]' }, { host: '::1' }],
    [{ BASE_URL: 'https://mesh.example.org/' }, { baseUrl: 'https://mesh.example.org' }],
    [{ SMTP_URL: 'smtp://user:word@127.0.0.1:2525' }, { smtpUrl: 'smtp://user:word@127.0.0.1:2525' }],
    [{ ADMIN_EMAILS: 'Ann@Example.org, bob@example.org,' }, { adminEmails: ['ann@example.org', 'bob@example.org'] }],
    [
      { EGRESS_ALLOW: '127.0.0.1:8080,[::1]:81' },
      {
        egressAllow: [
          { host: '127.0.0.1', port: 8080 },
          { host: '::1', port: 81 },
        ],
      },
    ],
    [{ DNS_SERVERS: '127.0.0.1:5353,9.9.9.9,::1' }, { dnsServers: ['127.0.0.1:5353', '9.9.9.9:53', '[::1]:53'] }],
    [
      { TEST_CLOCK: '1', RATE_LIMITS: 'off', TRUST_PROXY: 'on' },
      { testClock: true, rateLimits: false, trustProxy: true },
    ],
    [{ EMBEDDINGS_URL: 'http://127.0.0.1:1/v1/embeddings', EMBEDDINGS_KEY: 'k' }, { embeddingsKey: 'k' }],
    [
      { LLM_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'm', LLM_PRICE_PER_MTOK: '60' },
      { llmUrl: 'http://127.0.0.1:1/v1', llmModel: 'm', llmPricePerMtok: 60 },
    ],
    [
      { PAYMENTS: 'none', LOG_LEVEL: 'silent', LOG_FORMAT: 'json' },
      { payments: 'none', logLevel: 'silent', logFormat: 'json' },
    ],
    [
      {
        MAIL_INBOUND_PORT: '2525',
        MAIL_INBOUND_HOST: '0.0.0.0',
        MAIL_TLS_CERT: '/etc/c.pem',
        MAIL_TLS_KEY: '/etc/k.pem',
      },
      { mailInboundPort: 2525, mailInboundHost: '0.0.0.0', mailTlsCert: '/etc/c.pem', mailTlsKey: '/etc/k.pem' },
    ],
    [
      { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', TEST_CLOCK: '1' },
      { payments: 'stripe', stripeSecretKey: 'sk_test_1', stripeWebhookSecret: 'whsec_1', testClock: true },
    ],
    [{ GITHUB_API_URL: 'https://api.github.com' }, { githubApiUrl: 'https://api.github.com' }],
    [{ RETENTION: 'events=7d, prompts=30d' }, { retention: { events: 604_800_000, prompts: 2_592_000_000 } }],
    [{ INSTANCE_COLOR: '#FFD400' }, { instanceColor: '#ffd400' }],
    [{ INSTANCE_COLOR: 'ffd400' }, { instanceColor: '#ffd400' }],
    [{}, { retention: {}, instanceColor: '#1f5fd6' }],
  ];
  test.each(cases)('%j is read', (env, expected) => {
    expect(good(env)).toMatchObject(expected);
  });
});

describe('mistakes', () => {
  const cases: [Environment, string][] = [
    ...['journals=90d', 'events=6d', 'events=90', 'events=9d,events=8d'].map((text): [Environment, string] => [
      { RETENTION: text },
      `RETENTION must be a list as events=90d of events, messages, receipts, prompts, each once and 7d or more ("${text.split(',').at(-1)}")`,
    ]),
    ...['red', '#fd0', '#ffd40', '#ffd4000', 'rgb(1,2,3)'].map((text): [Environment, string] => [
      { INSTANCE_COLOR: text },
      'INSTANCE_COLOR must be a colour as 1f5fd6',
    ]),
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535'],
    [{ HOST: 'a b' }, 'HOST must be a host name or an IP address'],
    [{ BASE_URL: 'mesh.example.org' }, 'BASE_URL must be a URL that begins with http:// or https://'],
    [{ BASE_URL: 'https://x.org/?a=1' }, 'BASE_URL must be a URL without query, name and password'],
    [{ SMTP_URL: 'http://mail' }, 'SMTP_URL must be a URL that begins with smtp:// or smtps://'],
    [{ PAYMENTS: 'cash' }, 'PAYMENTS must be one of sandbox, stripe, none'],
    [{ PAYMENTS: 'stripe' }, 'STRIPE_SECRET_KEY is not set, and PAYMENTS=stripe needs it'],
    [
      { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_WEBHOOK_SECRET is not set, and PAYMENTS=stripe needs it',
    ],
    [
      { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', TEST_CLOCK: '1' },
      'TEST_CLOCK must not be 1 where STRIPE_SECRET_KEY moves real money',
    ],
    [
      { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', TEST_CLOCK: '1' },
      'TEST_CLOCK must not be 1 where STRIPE_SECRET_KEY moves real money',
    ],
    [
      { STRIPE_SECRET_KEY: 'pk_test_1' },
      'STRIPE_SECRET_KEY must be a secret key, which begins with sk_test_ or sk_live_',
    ],
    [{ STRIPE_API_BASE: 'http://127.0.0.1:1' }, 'STRIPE_API_BASE is set, but STRIPE_SECRET_KEY is not'],
    [{ BACKUP_SCHEDULE: '25:00' }, 'BACKUP_SCHEDULE must be a length as 24h or 7d, or a time of UTC as 03:30'],
    [{ BACKUP_DIR: 's3://B' }, 'BACKUP_DIR must be a folder, or s3://bucket/prefix'],
    [
      { BACKUP_SCHEDULE: '24h', DATABASE_URL: 'postgres://h/d' },
      'BACKUP_SCHEDULE must not be set with DATABASE_URL: PostgreSQL is backed up by its own means',
    ],
    [{ ROLE: 'web' }, 'ROLE=web is set, but DATABASE_URL is not: on SQLite one node has every role'],
    [{ ROLE: 'index', DATABASE_URL: 'postgres://h/d' }, 'ROLE must be one of all, web, matching'],
    [{ CHAIN_RAIL: 'solana' }, 'CHAIN_RAIL=solana is not supported yet; use off, sandbox'],
    [{ INTERNAL_TOKEN: 'two words' }, 'INTERNAL_TOKEN must be 1 to 255 visible characters without blanks'],
    [{ ADMIN_EMAILS: 'ann' }, 'ADMIN_EMAILS must be an e-mail address (each part of the list; "ann" does not fit)'],
    [{ EGRESS_ALLOW: 'localhost' }, 'EGRESS_ALLOW must be host:port (each part of the list; "localhost" does not fit)'],
    [
      { SECURITY_CONTACT: 'ann@example.org' },
      'SECURITY_CONTACT must be mailto: with an address, or a URL that begins with https://',
    ],
    [{ DNS_SERVERS: 'dns:53' }, 'DNS_SERVERS must be ip:port (each part of the list; "dns:53" does not fit)'],
    [{ MAIL_INBOUND_PORT: 'smtp' }, 'MAIL_INBOUND_PORT must be a whole number from 0 to 65535'],
    [{ MAIL_TLS_CERT: '/c.pem' }, 'MAIL_TLS_CERT is set, but MAIL_TLS_KEY is not'],
    [{ GITHUB_CLIENT_ID: 'x' }, 'GITHUB_CLIENT_ID is set, but GITHUB_CLIENT_SECRET is not'],
    [{ PROOF_ISSUER: 'https://x.example' }, 'PROOF_ISSUER is set, but PROOF_CLIENT_ID is not'],
    [{ EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_MODEL is set, but EMBEDDINGS_URL is not'],
    [{ LLM_KEY: 'k' }, 'LLM_KEY is set, but LLM_URL is not'],
    [{ LLM_URL: 'postgres://x' }, 'LLM_URL must be a URL that begins with http:// or https://'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be on or off'],
    [{ TEST_CLOCK: 'yes' }, 'TEST_CLOCK must be 1, or unset'],
    [{ KEY_PREFIX: 'a_b' }, 'KEY_PREFIX must be 1 to 16 characters of a-z and 0-9, a letter first'],
    [{ PLATFORM_HANDLE: 'Me' }, 'PLATFORM_HANDLE must be 3 to 30 characters of a-z, 0-9 and underscore'],
    [{ MAIL_DOMAIN: '10.0.0.1' }, 'MAIL_DOMAIN must be a domain name'],
  ];
  test.each(cases)('%j is refused by name', (env, expected) => {
    expect(problem(env)).toBe(expected);
  });

  test('a refusal never repeats a secret and is always one line', () => {
    const names = Object.values<Variable<unknown>>(VARIABLES).flatMap(({ name, secret }) => (secret ? [name] : []));
    expect(names).toEqual(expect.arrayContaining(['SMTP_URL', 'INTERNAL_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS']));
    for (const name of names) {
      for (const text of [
        'hush hush\nhush',
        'x=hush,hush hush\nhush',
        'smtp://hush:hush@hush#hush\nhush',
        'x=%hush\nhush',
      ]) {
        const told = problem({ [name]: text });
        expect(told).toStartWith(name);
        expect(told).not.toMatch(/hush|\n/);
      }
    }
    expect(problem({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=1,hush' })).toBe(
      'OTEL_EXPORTER_OTLP_HEADERS must be name=value (each part of the list; one of them does not fit)',
    );
  });
});

describe('variables out of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('every variable takes the content of the file that NAME_FILE names, without the newline at its end', () => {
    for (const variable of Object.values<Variable<unknown>>(VARIABLES)) {
      const shown = shownSettings({ [`${variable.name}_FILE`]: file('any', 'its text\r\n') });
      const value = variable.secret ? '(set, not shown)' : 'its text';
      expect(shown).toContainEqual({ name: variable.name, value, from: join(folder, 'any') });
    }
    const SMTP_URL_FILE = file('smtp', 'smtp://u:hush@mail.example\n');
    expect(good({ SMTP_URL_FILE, PORT_FILE: file('port', '81\n') })).toMatchObject({
      smtpUrl: 'smtp://u:hush@mail.example',
      port: 81,
    });
  });

  test('a text and a file, no file, and an empty one are refused by name; what the file says is not told', () => {
    const PORT_FILE = file('port', 'hush\nhush');
    expect(problem({ PORT: '81', PORT_FILE })).toBe('PORT and PORT_FILE are both set; keep one');
    expect(problem({ PORT_FILE })).toBe('PORT must be a whole number from 0 to 65535');
    expect(problem({ PORT_FILE: file('empty', '\n') })).toBe('PORT_FILE names an empty file');
    expect(problem({ SMTP_URL_FILE: '/nowhere/hush' })).toBe('SMTP_URL_FILE names a file that cannot be read (ENOENT)');
    expect(problem({ SMTP_URL_FILE: folder })).toBe('SMTP_URL_FILE names a file that cannot be read (EISDIR)');
    const shown = showConfig(shownSettings({ SMTP_URL_FILE: '/nowhere/hush' }));
    expect(shown).toMatch(/^SMTP_URL +\(cannot be read\)$/m);
    expect(shown).not.toContain('hush');
  });
});

describe('addresses', () => {
  test('follow the port that was bound', () => {
    const { baseUrl, appUrl, profileUrl } = addresses(good({ PORT: '0' }), 4567);
    expect([baseUrl, appUrl, profileUrl]).toEqual([
      'http://127.0.0.1:4567',
      'http://127.0.0.1:4567/app',
      'http://127.0.0.1:4567/u',
    ]);
    expect(addresses(good({ HOST: '::1' }), 80).baseUrl).toBe('http://[::1]:80');
  });

  test('follow BASE_URL, and each can be set alone', () => {
    const config = good({ BASE_URL: 'https://m.example', PROFILE_URL: 'https://people.example' });
    expect(addresses(config, 3000)).toEqual({
      baseUrl: 'https://m.example',
      appUrl: 'https://m.example/app',
      profileUrl: 'https://people.example',
      securityContact: 'mailto:security@m.example',
    });
    const { securityContact } = addresses(good({ SECURITY_CONTACT: 'https://m.example/flaws' }), 3000);
    expect(securityContact).toBe('https://m.example/flaws');
  });
});

describe('tables', () => {
  test('config show tells what is in force and masks secrets', () => {
    const shown = showConfig(shownSettings({ PORT: '81', INTERNAL_TOKEN: 'hush', SMTP_URL: 'smtp://u:hush@h' }));
    expect(shown).toMatch(/^PORT +81 \(environment\)$/m);
    expect(shown).toMatch(/^BASE_URL +\(unset\)$/m);
    expect(shown).toMatch(/^HOST +127\.0\.0\.1 \(default\)$/m);
    expect(shown).toMatch(/^INTERNAL_TOKEN +\(set, not shown\) \(environment\)$/m);
    expect(shown).not.toContain('hush');
  });

  test('the table in src/docs/operate.md is the one that is generated', () => {
    expect(readFileSync(join(ROOT, 'src/docs/operate.md'), 'utf8')).toContain(configReference());
  });

  test('what something acts on is listed, and nothing else is', () => {
    const readers = readTree(ROOT, ['src', 'actors', 'db'])
      .filter((file) => isTypeScript(file) && !file.path.startsWith('src/config/'))
      .map(parse)
      .filter(({ path, imports }) => path === 'src/config.ts' || imports.some(({ names }) => names.includes('Config')));
    const read = new Set<string>();
    for (const { tree } of readers) {
      walk(tree, (node) => {
        if (ts.isPropertyAccessExpression(node)) read.add(node.name.text);
        if (ts.isBindingElement(node)) read.add((node.propertyName ?? node.name).getText(tree));
      });
    }
    const fields = Object.entries<Variable<unknown>>(VARIABLES);
    const names = fields.map(([, { name }]) => name);
    expect(fields.filter(([field]) => read.has(field)).map(([, { name }]) => name)).toEqual(names);
    expect(shownSettings({}).map(({ name }) => name)).toEqual(names);
  });
});

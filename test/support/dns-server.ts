// A real DNS server on loopback, with what a real one does to a client: several records, CNAMEs, answers that change from
// one question to the next, names that do not exist, failure, silence. It counts what it is asked.
import { createSocket } from 'node:dgram';
import packet from 'dns-packet';

/** What a name has. A list of lists flips: each question of the type gets the next one. */
export interface DnsName {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly txt?: readonly (readonly string[])[];
  readonly mx?: readonly string[];
  readonly cname?: string;
  readonly flips?: readonly { readonly a?: readonly string[]; readonly aaaa?: readonly string[] }[];
  readonly trouble?: 'servfail' | 'silence';
}

export interface DnsServer {
  /** `ip:port`, as DNS_SERVERS takes it. */
  readonly address: string;
  /** Replaces what a name has; undefined removes it. */
  set(name: string, records: DnsName | undefined): void;
  /** How often a name was asked for, by type. */
  asked(name: string, type: 'A' | 'AAAA' | 'TXT'): number;
  close(): void;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;
const TTL_SECONDS = 300;

function answersFor(name: string, type: string, entry: DnsName, turn: number): packet.Answer[] {
  const { flips = [] } = entry;
  const now = flips.length > 0 ? { ...entry, ...flips[turn % flips.length] } : entry;
  const owner = now.cname ?? name;
  const records: packet.Answer[] = now.cname ? [{ type: 'CNAME', name, data: now.cname, ttl: TTL_SECONDS }] : [];
  if (type === 'A') for (const data of now.a ?? []) records.push({ type: 'A', name: owner, data, ttl: TTL_SECONDS });
  if (type === 'AAAA')
    for (const data of now.aaaa ?? []) records.push({ type: 'AAAA', name: owner, data, ttl: TTL_SECONDS });
  if (type === 'TXT')
    for (const data of now.txt ?? []) records.push({ type: 'TXT', name: owner, data: [...data], ttl: TTL_SECONDS });
  if (type === 'MX')
    for (const exchange of now.mx ?? [])
      records.push({ type: 'MX', name: owner, data: { preference: 10, exchange }, ttl: TTL_SECONDS });
  return records;
}

/** Starts it on a free port. `otherwise` stands for every name that is not set. */
export async function startDnsServer(
  names: Readonly<Record<string, DnsName>>,
  otherwise?: DnsName,
): Promise<DnsServer> {
  const zone = new Map(Object.entries(names));
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = packet.decode(message);
    const question = query.questions?.[0];
    if (!question) return;
    const { name, type } = question;
    const key = `${type} ${name.toLowerCase()}`;
    const turn = counts.get(key) ?? 0;
    counts.set(key, turn + 1);
    const entry = zone.get(name.toLowerCase()) ?? otherwise;
    if (entry?.trouble === 'silence') return;
    const code = entry === undefined ? NXDOMAIN : entry.trouble === 'servfail' ? SERVFAIL : 0;
    const answers = entry && code === 0 ? answersFor(name, type, entry, turn) : [];
    const flags = code | packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE;
    const reply = packet.encode({ type: 'response', id: query.id ?? 0, flags, questions: [question], answers });
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', () => bound()));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, records) => void (records ? zone.set(name, records) : zone.delete(name)),
    asked: (name, type) => counts.get(`${type} ${name}`) ?? 0,
    close: () => void socket.close(),
  };
}

// Whether the configured outside services can be reached: DNS, the mail server, the processor, the records of the mail domain.
import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { type Finding, inconclusive, warning, well, wrong } from '../../domain/finding.ts';
import { createDns, type Dns, type DnsAnswer } from '../../outbound/dns.ts';
import { reachStripe } from '../../outbound/processor/stripe/reach.ts';

/** Names that no DNS knows (RFC 6761, RFC 6762). */
const LOCAL = /(^|\.)(localhost|local|test|example|invalid|internal)$/;

function isPublicName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.') && !LOCAL.test(host);
}

/** A host name of the settings, the most needed first. */
function namedHost({ smtpUrl, baseUrl, databaseUrl, mailDomain }: Config): string | undefined {
  const hosts = [smtpUrl, baseUrl, databaseUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]));
  return [...hosts, mailDomain].find(isPublicName);
}

async function judgeDns(config: Config, dns: Dns): Promise<Finding> {
  const name = namedHost(config);
  if (name === undefined) return well('dns', 'no setting holds a name to look up: it was not asked');
  const answer = await dns.addresses(name);
  if (!('failed' in answer)) return well('dns', `it answers for ${name}`);
  const mend =
    'look at /etc/resolv.conf, or name servers in DNS_SERVERS: without one no webhook and no endpoint is reached';
  return wrong('dns', `no answer for ${name} (${answer.failed})`, mend);
}

async function judgeMail({ smtpUrl, dataDir }: Config): Promise<Finding> {
  if (smtpUrl === undefined) return well('mail', `letters are files in ${dataDir}/outbox, since SMTP_URL is not set`);
  const { reachSmtp } = await import('../../outbound/mailer/smtp.ts');
  const problem = await reachSmtp(smtpUrl);
  if (problem === null) return well('mail', 'the server of SMTP_URL greets and takes the login');
  return wrong(
    'mail',
    `the server of SMTP_URL cannot be used: ${problem}`,
    'mend SMTP_URL or the server; letters wait and are tried again',
  );
}

async function judgeProcessor(config: Config): Promise<Finding> {
  const { payments, stripeSecretKey, stripeApiBase } = config;
  if (payments === 'none' || stripeSecretKey === undefined)
    return well('processor', payments === 'none' ? 'none takes money' : 'the sandbox: no real money moves');
  const problem = await reachStripe(stripeSecretKey, stripeApiBase);
  if (problem === null) return well('processor', 'Stripe answers under STRIPE_SECRET_KEY');
  return wrong(
    'processor',
    `Stripe cannot be used: ${problem}`,
    'mend STRIPE_SECRET_KEY or the way to Stripe; payments are refused until then',
  );
}

const SPF = /^v=spf1( |$)/;

function record(name: string, answer: DnsAnswer, holds: (found: readonly string[]) => boolean, mend: string): Finding {
  if ('failed' in answer)
    return inconclusive('mail domain', `no answer for the ${name} record (${answer.failed})`, 'mend the DNS first');
  if ('found' in answer && holds(answer.found)) return well('mail domain', `its ${name} record is there`);
  return warning('mail domain', `it has no ${name} record`, mend);
}

/** Without MX no mail arrives; without SPF sent mail is taken for spam. */
async function judgeMailDomain({ mailDomain, smtpUrl }: Config, dns: Dns): Promise<Finding[]> {
  if (!isPublicName(mailDomain))
    return [well('mail domain', `${mailDomain} is not on the Internet: its agents get no mail`)];
  const [mx, txt] = await Promise.all([dns.mx(mailDomain), smtpUrl === undefined ? null : dns.txt(mailDomain)]);
  const findings = [
    record(
      'MX',
      mx,
      (found) => found.length > 0,
      `publish ${mailDomain}. MX 10 HOST. with the host of MAIL_INBOUND_PORT`,
    ),
  ];
  if (txt === null) return findings;
  const spf = record(
    'SPF',
    txt,
    (found) => found.some((text) => SPF.test(text)),
    `publish ${mailDomain}. TXT "v=spf1 mx -all", with the server of SMTP_URL in it`,
  );
  return [...findings, spf];
}

export async function examineReach(config: Config): Promise<Finding[]> {
  const dns = createDns(config.dnsServers);
  const found = await Promise.all([
    judgeDns(config, dns),
    judgeMail(config),
    judgeProcessor(config),
    judgeMailDomain(config, dns),
  ]);
  return found.flat();
}

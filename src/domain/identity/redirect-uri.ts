// Where a program may have people sent back to (OAuth 2.1, 2.3 and 8.4). An address counts as it is written: nothing is decoded,
// resolved or folded before two are compared, save the port of a program on the person's own machine.

const LENGTH_MAX = 1024;
/** The signs of a URI (RFC 3986, 2), without `#`: what follows it never leaves a browser. */
const URI = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
/** A program on the person's own machine listens where it finds a free port (RFC 8252, 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;
/** Schemes of editors that came before the rule that a private scheme has a period (RFC 8252, 7.1). */
const EDITORS: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:']);

/** Why people cannot be sent to an address, as what follows "it"; null when they can. */
export function redirectProblem(text: string): string | null {
  const url = text.length <= LENGTH_MAX && URI.test(text) ? URL.parse(text) : null;
  if (!url) return `must be an absolute URI of at most ${LENGTH_MAX} characters, without a fragment`;
  if (url.username !== '' || url.password !== '') return 'must hold no user name';
  if (url.protocol === 'https:') return url.hostname === '' ? 'must name a host' : null;
  if (url.protocol === 'http:') return LOOPBACK.test(text) ? null : 'must be https, or http to the machine itself';
  if (url.protocol.includes('.') || EDITORS.has(url.protocol)) return null;
  return 'must be https, http to the machine itself, or a scheme of its own that has a period';
}

/** Whether an address that was sent is one that the program named. */
export function redirectFits(named: string, sent: string): boolean {
  if (named === sent) return true;
  const [, ours, rest] = LOOPBACK.exec(named) ?? [];
  const [, theirs, tail] = LOOPBACK.exec(sent) ?? [];
  return ours !== undefined && ours === theirs && rest === tail && URL.canParse(sent);
}

/** Where an address leads, for a person: a host, this machine, or an app; and as a policy of pages names it. */
export function placeOf(redirect_uri: string): {
  readonly host: string | null;
  readonly local: boolean;
  readonly source: string;
} {
  const { protocol, host, origin } = new URL(redirect_uri);
  const local = LOOPBACK.test(redirect_uri);
  if (protocol !== 'https:' && protocol !== 'http:') return { host: null, local: true, source: protocol };
  // A policy has no words for an address in brackets.
  return { host, local, source: host.startsWith('[') ? protocol : origin };
}

/** The address with what is answered there. */
export function answerAt(redirect_uri: string, answer: Readonly<Record<string, string | null>>): string {
  const said = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== null);
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${new URLSearchParams(said).toString()}`;
}

// A mailbox told by its name and its service, with no @ between: "john.smith over on gmail", "mailbox: pixelnun, host: proton".
import { type Finding, findingOf, hasMeaning } from './finding.ts';
import { CONTACT, DOT, JOIN, MAIL, MAIL_CUE, TOPIC } from './lexicon.ts';
import type { Sign } from './reading.ts';
import { words } from './tokens.ts';

/** How far a name may stand from its service. */
const NEAR = 8;
/** What calls the word behind it a service. */
const HOSTS = words('host provider service domain server anbieter fournisseur proveedor провайдер домен сервис after');
/** What stands between a name and its service. */
const LINKS = words('on over at auf sur en no na su bei chez with via с на в op pa la');
/** What names a mailbox, as an ordinary word does not. */
const CALLS = words(
  'user username login name nick handle mailbox account id box inbox postfach heisst ist es sono is called ящик почта логин имя ник compte cuenta konto benutzer usuario utente gebruiker nutzer',
);
const TO = /(?:^| )(?:to|at|bei|an|til|na)$/;
/** What is made for a service: no mailbox. */
const TRADES = words(
  `add addon addons plugin plugins macro macros filter filters label labels setup migration api calendar template templates signature signatures rule rules
  integration support import export backup cleanup training search app apps and or for from to com server servers account accounts automation meetings`,
);

/** How little the signs that end at a place are a word: 2 for a name with signs or digits in it, 1 for letters only. */
function nameEnding(signs: readonly Sign[], at: number): number {
  const [sign, joint, first] = [signs[at], signs[at - 1], signs[at - 2]];
  if (!sign || (sign.kind !== 'word' && sign.kind !== 'number') || !/^[a-z0-9]+$/.test(sign.text)) return 0;
  const tied = sign.gap === '' && (joint?.kind === 'dot' || joint?.kind === 'number' || joint?.kind === 'word');
  const drawn = /^[_-]$/.test(sign.gap) && joint?.kind === 'word';
  const said = first?.kind === 'word' && joint !== undefined && hasMeaning(joint, DOT | JOIN) && joint.kind === 'word';
  if (tied || drawn) return joint?.kind === 'dot' && sign.text.length < 3 ? 0 : 2;
  if (said) return 2;
  return sign.kind === 'word' && sign.is === 0 && sign.digits === null && sign.text.length > 3 ? 1 : 0;
}

/** The evidence of the best name around a service. */
function namedAround(signs: readonly Sign[], at: number): number {
  const service = signs[at];
  if (!service) return 0;
  const foreign = /[^\0-\x7f]/.test(service.text);
  let best = 0;
  for (let place = Math.max(0, at - NEAR); place <= Math.min(signs.length - 1, at + NEAR); place++) {
    const sign = signs[place];
    if (place === at || !sign || /[!?。]/.test(sign.gap)) continue;
    const odd = nameEnding(signs, place);
    if (odd === 0 || TRADES.has(sign.text)) continue;
    const called = [1, 2, 3].some((back) => {
      const before = signs[place - back];
      return before !== undefined && before !== service && (CALLS.has(before.text) || hasMeaning(before, MAIL_CUE));
    });
    const marked = /[:=]/.test(sign.gap) && called;
    const linked = place < at && at - place <= 3 && LINKS.has(signs[at - 1]?.text ?? '');
    const set = place === at - 1 && /^,? $/.test(service.gap);
    const worth =
      (odd === 2 ? 1.5 : foreign ? 1 : 0) +
      (called ? 1 : 0) +
      (marked ? 0.5 : 0) +
      (linked ? (odd === 2 ? 1 : 0.5) : 0) +
      (set ? 0.5 : 0);
    best = Math.max(best, odd === 2 || called || foreign || (set && TO.test(signs[place - 1]?.text ?? '')) ? worth : 0);
  }
  return best;
}

/** "The Google one", "the usual google thing". */
const GOOGLE = /^(?:one|thing|mail|box|address|account)$/;

function serviceAt(signs: readonly Sign[], at: number): number {
  const after = signs[at + 1];
  const followed = after !== undefined && after.gap === ' ' && TRADES.has(after.text);
  if (followed || hasMeaning(after, TOPIC) || after?.gap === '.') return 0;
  const name = namedAround(signs, at);
  if (name === 0) return 0;
  const hosted = [1, 2].some(
    (back) => HOSTS.has(signs[at - back]?.text ?? '') && /[:=]|^ $/.test(signs[at]?.gap ?? ''),
  );
  let asked = 0;
  for (let place = at - 10; place <= at + 8; place++)
    if (place !== at && hasMeaning(signs[place], CONTACT | MAIL_CUE)) asked = 0.5;
  const me = [...Array(6).keys()].some((back) =>
    /^(?:i|im|my|m|me|mein|mi|mon|moi|моя|мой|я)$/.test(signs[at - back]?.text ?? ''),
  );
  const ended = hasMeaning(signs[at], MAIL) ? 1.2 : 0.5;
  return name + ended + (hosted ? 1 : 0) + asked + (me ? 0.5 : 0);
}

/** Every mailbox that is told by a name beside a service. */
export function mailNamesIn(signs: readonly Sign[]): Finding[] {
  const found: Finding[] = [];
  for (const [at, sign] of signs.entries()) {
    if (sign.kind !== 'word') continue;
    const google = sign.text === 'google' && GOOGLE.test(signs[at + 1]?.text ?? '');
    if (!google && !(hasMeaning(sign, MAIL) || SERVICES.has(sign.text))) continue;
    const evidence = serviceAt(signs, at);
    found.push(
      ...findingOf('email', google && evidence > 0 ? Math.min(3, evidence + 1) : Math.min(3, evidence), at, at),
    );
  }
  return found;
}

/** The vague names that are hardly ever anything but a service. */
const SERVICES = words(
  'yahoo outlook aol zoho yandex proton protonmail seznam rambler ziggo telia gmx naver sina sohu interia freenet arcor libero virgilio tiscali яндекс яндексе мейл мейле майл майле аутлук яху протон рамблер याहू आउटलुक yahoomail',
);

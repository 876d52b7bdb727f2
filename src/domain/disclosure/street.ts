// Street addresses in the orders and words of several languages, and post-office boxes. A road without a number, an
// ordinal, a section of a law and "ten years on the road" are none.
import { legibleWords } from './legible.ts';
import { spokenNumber } from './spoken.ts';
import { type Token, words } from './tokens.ts';
import { STREET_TOPICS } from './vocabulary/secret-words.ts';

/** Behind the name, in English, whatever the letters' case. */
const STREETS = words('street avenue ave boulevard blvd terrace parkway pkwy road lane crescent mews drive str');
/** Behind the name, but words of their own too: only as a name is written, with a capital. */
const PLACES = words(
  `court place square way circle trail alley close row quay walk gardens grove hill wharf plaza st rd dr ct pl ln sq cres
  ter cir hwy highway esplanade promenade broadway turnpike loop parade green park expressway`,
);
/** Before the name. */
const BEFORE = legibleWords(
  `rue avenue boulevard chemin impasse allee quai calle avenida av avda paseo plaza carrera via viale piazza corso rua
  travessa praca ulica ul улица ул проспект jalan jl strada str yl`,
);
const GLUED =
  /^.{3,}(?:strasse|straße|str|gasse|allee|platz|damm|ufer|chaussee|weg|straat|laan|plein|gracht|kade|gatan|vagen|gade|vej|katu)$/u;
const GLUED_NOT = words(
  'arbeitsweg schulweg wanderweg radweg heimweg umweg fussweg ruckweg hinweg rundweg lernweg lieferweg transportweg reiseweg bremsweg pilgerweg fahrweg megaplatz unterwegs lehrstr spielplatz marktplatz arbeitsplatz parkplatz schlafplatz norweg',
);
/** Words of sentences: a name of a street has none of them. */
const SENTENCE = words(
  `a an and are as at be by can for from has have in is it its of on or our so that this to was we will with you your
  way one two side year years month months week weeks day days hour hours minute minutes second seconds mile miles km
  kilometre kilometer meter metre ft feet foot inch percent star stars bedroom bedrooms room rooms bed people persons
  step steps new best top first main-street per off more most over under than up down into out through along across
  car cars vehicle vehicles truck trucks lane lanes wheel wheels hard usb disk ssd flash gb tb mb speed point points
  test case cases court-case supreme high district federal county food store stores shops brands projects clients
  signs lights art artists vendors photographers performers markets events photos team public private km2 acre acre
  times different local all type types phase phases part parts step-by-step off-road cross-country long short open
  usd eur dollars cents users hp kw mph kph minute-drive percent-off day-long full half both each every these those no
  not if how what when where who us me my their his her job jobs work works`,
);
const LAWS = words(
  `section sections article articles title chapter rule clause part regulation act acts schedule paragraph annex directive
  usc cfr statute code isbn § route highway interstate stage booth hall stand stall gate platform pavilion halle pavillon hala sala pabellon allee lesson episode season
  level volume vol issue track table row week track zone`,
);
const NAME_MAX = 4;

const ORDINAL = words('st nd rd th');

/** A house number at a place, and where the name begins; spoken ones too. */
function houseAt(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  if (!token || LAWS.has(tokens[at - 1]?.lower ?? '') || tokens[at - 1]?.lower === '§') return null;
  if (token.kind === 'word') {
    if (spokenNumber(token.lower) === null) return null;
    let end = at + 1;
    while (end < at + 4 && (spokenNumber(tokens[end]?.lower ?? '') !== null || tokens[end]?.lower === 'hundred'))
      end += 1;
    return end;
  }
  if (token.kind !== 'number' || token.lower.length > 5) return null;
  const next = tokens[at + 1];
  if (next && !next.spaced && ORDINAL.has(next.lower)) return null;
  if (
    (tokens[at - 1] && '$€£.'.includes(tokens[at - 1]?.lower ?? ' ') && !token.spaced) ||
    /[%$€£]/.test(next?.lower ?? '')
  )
    return null;
  // "221b", "12-14", "12/3".
  let end = at + 1;
  if (next && !next.spaced && next.kind === 'word' && next.lower.length === 1) end += 1;
  const sign = tokens[end];
  if (sign && '-/'.includes(sign.lower) && tokens[end + 1]?.kind === 'number' && !tokens[end + 1]?.spaced) end += 2;
  if (['bis', 'ter'].includes(tokens[end]?.lower ?? '')) end += 1;
  return tokens[end]?.lower === ',' ? end + 1 : end;
}

const COMPASS = words('n s e w ne nw se sw st');
const ENDS = /^[,.;:!?)\n]$/;

function closesStreet(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at];
  return (
    next === undefined ||
    ENDS.test(next.lower) ||
    next.kind === 'number' ||
    next.capital ||
    /^[ns][ew]?$/.test(next.lower)
  );
}

const ABBREVIATED = words('st rd');
const GENERIC = words('high main wall side cross');
/** Streets that are also what one does on them. */
const TRAVELLED = words('drive lane road terrace');
const SMALL_FRENCH = words('de du des la le del da do');

/** Whether the word here ends the name of a street; `capitals` of the words between are written large. */
function endsStreet(tokens: readonly Token[], from: number, at: number, capitals: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (!token || !before || at === from || SENTENCE.has(before.lower)) return false;
  if (STREETS.has(token.lower)) {
    if (capitals > 0 && token.capital) return true;
    const generic = GENERIC.has(before.lower) && capitals === 0;
    return (!generic && !TRAVELLED.has(token.lower)) || closesStreet(tokens, at + 1);
  }
  if (PLACES.has(token.lower) && capitals === at - from && token.capital) return closesStreet(tokens, at + 1);
  return ABBREVIATED.has(token.lower) && token.spaced && /^[,.\n]?$/.test(tokens[at + 1]?.lower ?? '');
}

const TOPICS = words(STREET_TOPICS);
/** How many words behind a street's name may tell that it is the name of something else. */
const TOPIC_NEAR = 4;

/** "Main Street Food Festival", "Avenue of the Stars replica": a street that gives its name to something. */
function isTopic(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < from + TOPIC_NEAR; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') return false;
    if (TOPICS.has(token.lower)) return true;
  }
  return false;
}

/** Who has an address that is everybody's to know: "our museum on 12 Baker Street". */
const PUBLIC = words(
  'museum theatre theater cinema gallery church cathedral library hotel station embassy ministry palace novel film movie series',
);

function isNamed(tokens: readonly Token[], at: number): boolean {
  for (let back = 1; back <= 4; back++) if (PUBLIC.has(tokens[at - back]?.lower ?? '')) return true;
  return false;
}

/** Whether a name and the word for a street follow: "Baker Street", "rue de la Paix", "5th Ave". */
function streetFrom(tokens: readonly Token[], from: number): boolean {
  const first = tokens[from];
  if (!first || (!first.spaced && tokens[from - 1]?.lower !== ',')) return false;
  if (BEFORE.has(first.lower) && first.lower !== 'str') {
    const name = tokens[from + 1]?.lower === '.' ? tokens[from + 2] : tokens[from + 1];
    if (name?.kind === 'word' && (name.capital || SMALL_FRENCH.has(name.lower))) return !isTopic(tokens, from + 1);
  }
  let capitals = 0;
  for (let at = from; at <= from + NAME_MAX; at++) {
    const [token, before] = [tokens[at], tokens[at - 1]?.lower ?? ''];
    if (!token) return false;
    if (endsStreet(tokens, from, at, capitals)) return !isTopic(tokens, at + 1);
    const ordinal = tokens[at + 1];
    // "350 5th Avenue", but no list of numbers.
    if (token.kind === 'number' && (!ordinal || ordinal.spaced || !ORDINAL.has(ordinal.lower))) return false;
    if (token.kind === 'sign' && !"'-".includes(token.lower)) {
      if (token.lower !== '.' || !COMPASS.has(before)) return false;
    }
    if (token.lower === 'of' && STREETS.has(before)) return !isTopic(tokens, at);
    if (SENTENCE.has(token.lower)) return false;
    if (token.kind !== 'word' || token.capital || ORDINAL.has(token.lower) || before === "'") capitals += 1;
  }
  return false;
}

/** Words of names that are written small. */
const SMALL = words('de del della dei da do dos la le los las des du san д n no nr');

/** "Calle Mayor 5", "ul. Prosta 20", "via Roma, 12": the word, a capitalised name, the number. */
function namedStreet(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.lower ?? '';
  if (!BEFORE.has(word)) return false;
  let next = tokens[at + 1]?.lower === '.' ? at + 2 : at + 1;
  let capitals = 0;
  for (const most = next + 5; next < most; next++) {
    const token = tokens[next];
    if (!token) return false;
    if (token.kind === 'number') {
      const after = tokens[next + 1];
      const counted = after?.kind === 'word' && after.spaced && !after.capital;
      return capitals > 0 && token.lower.length <= 4 && token.spaced && !counted && !isTopic(tokens, at + 1);
    }
    if (token.kind === 'sign' && !",.#-'".includes(token.lower)) return false;
    if (token.kind === 'word' && token.capital && token.lower.length > 2) capitals += 1;
    if (token.kind === 'word' && !token.capital && !SMALL.has(token.lower)) return false;
  }
  return false;
}

/** "Hauptstraße 12", "Am Markt-str. 5", "Keizersgracht 123". */
function gluedStreet(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== 'word' || !GLUED.test(token.lower) || GLUED_NOT.has(token.lower)) return false;
  const next = tokens[at + 1]?.lower === '.' ? tokens[at + 2] : tokens[at + 1];
  const certain = /(?:strasse|straat|gatan|gracht)$/.test(token.lower);
  return next?.kind === 'number' && next.spaced && next.lower.length <= 4 && (token.capital || certain);
}

const BOXES = words('postfach apartado postbus pobox');

function postBox(tokens: readonly Token[], at: number): boolean {
  const skip = (from: number): number => (tokens[from]?.lower === '.' ? from + 1 : from);
  const word = tokens[at]?.lower;
  if (BOXES.has(word ?? '')) return tokens[skip(at + 1)]?.kind === 'number';
  let next = at;
  if (word === 'p' && tokens[skip(at + 1)]?.lower === 'o') next = skip(skip(at + 1) + 1);
  else if (word === 'po') next = at + 1;
  else return false;
  const number = tokens[next + 1]?.lower === '#' ? tokens[next + 2] : tokens[next + 1];
  return tokens[next]?.lower === 'box' && number?.kind === 'number';
}

const EASTERN =
  /[0-9一二三四五六七八九十]{1,3}丁目|[시군구]\s?[가-힣]{1,8}(?:로|길)\s?[0-9]{1,4}(?![0-9])|[路街道巷弄]\s?[0-9]{1,5}\s?[号號]|〒\s?[0-9]{3}-?[0-9]{4}/u;
/** Korean letters as they are taken apart when a text is made legible. */
const JAMO = /[\u1100-\u11ff]/;
const DRAWN = /(?<![a-z0-9])[0-9]{1,5}[a-z]{3,24}(?:street|avenue|road|boulevard)(?![a-z])/i;

/** Whether the text holds a street address. `text` is what the tokens were made of. */
export function hasStreetAddress(tokens: readonly Token[], text: string): boolean {
  for (let at = 0; at < tokens.length; at++) {
    const begins = houseAt(tokens, at);
    if (begins !== null && !isNamed(tokens, at) && streetFrom(tokens, begins)) return true;
    if (tokens[at]?.kind === 'word' && (namedStreet(tokens, at) || gluedStreet(tokens, at) || postBox(tokens, at)))
      return true;
  }
  return EASTERN.test(JAMO.test(text) ? text.normalize('NFC') : text) || DRAWN.test(text);
}

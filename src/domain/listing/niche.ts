// The niche classifier: whether a listing belongs to a restricted trade (interface.md "States", rules.md 5). An exact label
// or a clear phrase is sure; a single word is unsure and goes to a person; a word that the same sentence uses in another
// sense, or negates, is never sure.
import { drawTogether, makeLegible } from '../disclosure/legible.ts';
import { hyphenate, singularOf, singularWords } from '../text/fold.ts';

// The words of the restricted niches (interface.md "States"), each list separated by commas.

const NICHES = ['casino', 'gambling', 'cbd', 'adult', 'payday_loan', 'crypto_promotion'] as const;
type Niche = (typeof NICHES)[number];

interface Vocabulary {
  /** Labels that alone name the trade. */
  readonly labels: string;
  /** Trades as customers: each with each of `SOLD` is a clear phrase. */
  readonly trades: string;
  /** Phrases without another likely meaning. */
  readonly clear: string;
  /** Words and phrases that need a person's review, unless used in another sense. */
  readonly vague: string;
  /** Words and phrases in the same sentence that show another sense. */
  readonly otherwise: string;
}

/** Products that are sold to a trade. */
const SOLD = `site, website, affiliate, affiliation, link, backlink, seo, traffic, bonus, ads, advertising, operator,
  marketing, niche, guest post, player, brand, offer, promotion, platform, app, script, software, review`;

const VOCABULARY: Readonly<Record<Niche, Vocabulary>> = {
  casino: {
    labels: `casino, casinos, online-casino, online-casinos, casino-games, live-casino, crypto-casino, slots,
      slot-machines, online-slots`,
    trades: 'casino',
    clear: `online casino, live casino, crypto casino, bitcoin casino, mobile casino, casino slot, online slot,
      slot machine, slot machines, real money slot, free spin, live dealer, casino jackpot, igaming casino`,
    vague: `casino, roulette table, blackjack table`,
    otherwise: `theme, themed, party, parties, fundraiser, charity, hire, royale, film, movie, scorsese, novel, font,
      hotel client, architecture, wedding, fun casino, play money, museum, mathematics, statistics,
      monte carlo, decor, prop, costume, supermarket, security, former`,
  },
  gambling: {
    labels: `gambling, online-gambling, igaming, i-gaming, betting, sports-betting, sportsbook, sportsbooks,
      bookmaker, bookmakers, betting-tips, online-poker, real-money-gaming`,
    trades: 'gambling, betting, sportsbook, bookmaker, igaming, wagering',
    clear: `online gambling, sport betting, sports betting, online betting, betting tip, betting tips, betting odd,
      betting odds, betting exchange, online poker, real money poker, poker room, real money gaming,
      online bingo, online sportsbook, place bet, place a bet, football betting, horse betting, esport betting,
      esports betting`,
    vague: `gambling, gamble, betting, sportsbook, bookmaker, igaming, wagering, lottery ticket, bingo hall`,
    otherwise: `api, dataset, real time, websocket, gambling with, addiction, addicted, counselling, counseling, counsellor, counselor, therapy, therapist, recovery, harm,
      problem, prevention, helpline, awareness, responsible, self exclusion, research, law, regulation,
      commission, legislation, compulsive, disorder, quit, are betting on, is betting on, am betting on,
      we re betting, rather than gambling, not gambling, gamble on, without gambling, simulation, probability,
      history, documentary, book binding, bookbinding, paper`,
  },
  cbd: {
    labels: `cbd, cbd-oil, cbd-products, cbd-gummies, cannabidiol, cbd-vape, cbd-flower, thc, delta-8`,
    trades: 'cbd',
    clear: `cbd oil, cbd oils, cbd gummy, cbd gummies, cbd product, cbd products, cbd shop, cbd store, cbd tincture,
      cbd flower, cbd vape, cbd cream, cbd capsule, cbd drop, cbd supplement, cbd extract, cbd tea,
      cbd isolate, full spectrum cbd, hemp cbd, cbd hemp, cannabidiol oil, thc gummy, thc gummies, delta 8 thc,
      cbd wholesale, cbd for pet, cbd dispensary`,
    vague: `cbd, cannabidiol, thc`,
    otherwise: `army, defense, central business district, business district, office, downtown, sydney, melbourne, brisbane, perth,
      adelaide, hobart, auckland, wellington, nairobi, cape town, johannesburg, durban, singapore, manila,
      makati, lagos, beijing, shenzhen, bangalore, commute, suburb, tram, parking, apartment,
      convention on biological diversity, biological diversity, biodiversity, common bile duct, bile duct,
      corticobasal, component based, chronic beryllium, criminal background, clinical trial, pharmacology,
      epilepsy, assay, receptor, in the cbd, near the cbd, the city`,
  },
  adult: {
    labels: `adult, adult-content, adult-entertainment, adult-dating, adult-toys, sex-toys, porn, pornography, xxx,
      nsfw, escort, escorts, escort-services, onlyfans, camgirls, webcam-models, erotica, hentai, strip-club`,
    trades: 'porn, xxx, escort, onlyfans, sex',
    clear: `adult site, adult sites, adult website, adult websites, adult affiliate, adult affiliates,
      adult affiliation, adult link, adult links, adult backlink, adult backlinks, adult seo, adult traffic,
      adult bonus, adult bonuses, adult ads, adult advertising, adult operator, adult operators,
      adult marketing, adult niche, adult guest-post, adult guest-posts, adult brand, adult brands,
      adult promotion, adult promotions, adult script, adult content, adult entertainment, adult entertainer,
      adult dating, adult film, adult video, adult videos, adult toy, adult toys, adult novelty, adult webcam,
      adult model, adult industry, porn, pornography, pornstar, porn star, sex toy, sex toys,
      sex worker service, sex cam, escort service, escort services, escort agency, escort girl, webcam model,
      cam girl, camgirl, onlyfan, onlyfans, hentai, nsfw content, xxx, erotic massage, erotic video,
      strip club, nude photo, nude photos, nude content`,
    vague: `nsfw, erotic, erotica, nude, stripper, fetish`,
    otherwise: `education, educational, learning, learner, literacy, school, class, classes, course, lesson, care,
      daycare, day care, nursing, social care, diaper, children, child, kid, young adult, patient, clinical,
      orthodontic, adhd, swim, swimming, ballet, beginner, student, police, vehicle, oversize, convoy, ford,
      security, naval, radar, art, drawing, life drawing, romance, novel, fiction, poetry, filter, classification, tagging, moderation,
      detection, detect, block, blocking, prevention, recovery, addiction, mole, stem cell, lipstick, shoe,
      tone, paint, wire, wallpaper, pulse, medical`,
  },
  payday_loan: {
    labels: `payday-loan, payday-loans, payday-lending, payday-lender, payday-advance, cash-advance-loans,
      no-credit-check-loans`,
    trades: '',
    clear: `payday loan, payday loans, payday lending, payday lender, payday lenders, payday advance, payday cash,
      pay day loan, pay day loans, no credit check loan, no credit check loans, loan no credit check,
      loans no credit check, bad credit loan, bad credit loans, cash advance loan, cash advance loans,
      instant cash loan, same day cash loan, title loan, title loans, car title loans`,
    vague: `payday, cash advance, quick loan, quick loans, instant loan, instant loans, high interest loan`,
    otherwise: `alternative, instead of, debt relief, debt advice, debt counselling, counselling, counseling,
      help out of, get out of, escape, consolidation, legal aid, law, regulation, research, policy, charity,
      credit union, victim, complaint, refund, payroll, on payday, every payday, before payday, employee,
      candy, chocolate, game, heist, friday, survey, fintech compliance, merchant, report`,
  },
  crypto_promotion: {
    labels: `crypto-promotion, crypto-promotions, crypto-marketing, crypto-shilling, crypto-influencer,
      crypto-influencers, ico, ico-marketing, ico-promotion, token-promotion, token-presale, nft-promotion,
      nft-marketing, memecoin, memecoins, meme-coin, meme-coins, shitcoin, crypto-signals, pump-signals,
      airdrop-promotion`,
    trades: '',
    clear: `crypto promotion, crypto promotions, crypto marketing, crypto advertising, crypto shill, crypto shilling,
      crypto influencer, crypto influencers, crypto guest post, crypto guest posts, crypto backlink,
      crypto backlinks, crypto link, crypto links, crypto pr, crypto signal, crypto signals, crypto call group,
      crypto call channel, crypto affiliate, crypto giveaway, crypto presale, token presale, token pre sale,
      coin presale, token promotion, coin promotion, nft promotion, nft marketing, nft shill, ico promotion,
      ico marketing, ico launch, promote your token, promote your coin, promote your crypto, promote your nft,
      promote our token, promote our coin, promote our crypto, promote a token, promote a coin, promote crypto,
      promote token, promote ico, promotion of token, promotion of crypto, shill your, shill our,
      shilling service, crypto pump, token pump, pump signal, pump and dump, memecoin launch, meme coin launch,
      memecoin marketing, meme coin marketing, memecoin promotion, meme coin promotion, airdrop promotion,
      bitcoin doubler, double your bitcoin, guaranteed crypto return, guaranteed bitcoin profit,
      bitcoin investment scheme, crypto trading signal, crypto trading signals, web3 shilling,
      crypto community growth`,
    vague: `memecoin, meme coin, shitcoin, presale, crypto airdrop, token airdrop, nft airdrop, airdrop campaign, ico, shill, altcoin, crypto campaign, crypto investor,
      crypto investors, crypto community, crypto audience, crypto newsletter, token launch, token sale,
      nft drop, nft launch, invest in crypto, crypto investment, bitcoin investment, crypto project,
      crypto projects`,
    otherwise: `cryptography, cryptographic, encryption, library, tax, accounting, audit, auditor, compliance, forensic,
      forensics, security, research, regulation, law, scam, fraud, victim, recovery, aml, house presale,
      property presale, presales engineer, ticket presale, presale ticket, concert, drone, parachute, cargo,
      iphone, apple, icon, initial operational, hospital, data protection, information commissioner,
      bookkeeping, developer, engineer, solidity, smart contract`,
  },
};

/** The parts of a listing that name its trade; dealbreakers name what it excludes. */
interface Classified {
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Verdict =
  | { readonly verdict: 'clean' }
  | {
      readonly verdict: 'sure' | 'unsure';
      readonly niche: Niche;
      /** The deciding sentences and labels: an administrator reads them, and an approval covers them. */
      readonly evidence: string;
    };

const CLEAN: Verdict = { verdict: 'clean' };

/** One sentence or label, as text and as words. */
interface Passage {
  readonly text: string;
  readonly words: readonly string[];
}

/** Phrases by their first word, so that a text is walked once for any size of vocabulary. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

function phrasesOf(lines: readonly string[]): Phrases {
  const phrases = new Map<string, string[][]>();
  for (const line of lines) {
    const words = line.split(/[ -]/).map(singularOf);
    const [first = ''] = words;
    phrases.set(first, [...(phrases.get(first) ?? []), words]);
  }
  return phrases;
}

interface Known {
  readonly niche: Niche;
  readonly labels: ReadonlySet<string>;
  readonly clear: Phrases;
  readonly vague: Phrases;
  readonly otherwise: Phrases;
}

const listWords = (line: string): string[] =>
  line
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

function knownNiche(niche: Niche, { labels, trades, clear, vague, otherwise }: Vocabulary): Known {
  const sold = listWords(trades).flatMap((trade) => listWords(SOLD).map((what) => `${trade} ${what}`));
  return {
    niche,
    labels: new Set(listWords(labels)),
    clear: phrasesOf([...sold, ...listWords(clear)]),
    vague: phrasesOf(listWords(vague)),
    otherwise: phrasesOf(listWords(otherwise)),
  };
}

const KNOWN: readonly Known[] = NICHES.map((niche) => knownNiche(niche, VOCABULARY[niche]));

/** A text without any of these stems holds no phrase of any niche: this check passes nearly all listings. */
const STEMS =
  /casin|slot|free spin|live deal|roulett|blackjack|gambl|betting|bookmak|sportsb|igaming|i-gaming|wager|poker|bingo|lotter|real.money|place .{0,2}bet|cbd|cannab|thc|delta.8|adult|porn|xxx|nsfw|escort|onlyf|cam.?girl|webcam|sex|erot|hentai|strip|nude|fetish|pay.?day|loan|cash adv|crypto|token|coin|ico\b|nft|shill|pump|airdrop|pre.?sale|web3/i;

const SENTENCE_END = /[.!?;](?=\s|$)|[\n\r•|]+/;
const NEGATORS = new Set([
  'no',
  'not',
  'non',
  'without',
  'never',
  'anti',
  'excluding',
  'except',
  'refuse',
  'decline',
  'avoid',
  'nor',
  'don',
  'won',
  'exclude',
  'reject',
  'against',
  'prohibited',
]);
const TURNS = new Set(['but', 'only', 'problem', 'just', 'matter']);
/** The reach of a negation in words: "no adult, casino, gambling or CBD links". */
const NEGATED_WORDS = 8;

function* foundAt(words: readonly string[], phrases: Phrases): Generator<number> {
  for (let at = 0; at < words.length; at++) {
    const candidates = phrases.get(words[at] ?? '');
    if (candidates?.some((phrase) => phrase.every((word, n) => words[at + n] === word))) yield at;
  }
}

function isDenied(words: readonly string[], at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - NEGATED_WORDS); back--) {
    const word = words[back] ?? '';
    // "No problem with casino links", "not only casino".
    if (NEGATORS.has(word)) return !TURNS.has(words[back + 1] ?? '');
    if (TURNS.has(word)) return false;
  }
  return false;
}

type Degree = 'sure' | 'unsure' | null;

function degreeIn({ words }: Passage, known: Known): Degree {
  const another = (): boolean => !foundAt(words, known.otherwise).next().done;
  for (const at of foundAt(words, known.clear)) {
    if (isDenied(words, at)) continue;
    return another() ? 'unsure' : 'sure';
  }
  for (const at of foundAt(words, known.vague)) if (!isDenied(words, at)) return another() ? null : 'unsure';
  return null;
}

/** The topics of a link trade, in addition to its labels. */
function namesIn({ labels, fields }: Classified): string[] {
  const { niche } = fields;
  const topics = Array.isArray(niche) ? niche : [niche];
  return [...labels, ...topics.filter((topic) => typeof topic === 'string')];
}

function verdictOf(known: Known, names: readonly Passage[], prose: readonly Passage[]): Verdict {
  const evidence: string[] = [];
  let degree: Degree = null;
  const add = (found: Degree, text: string): void => {
    if (found === null) return;
    if (degree !== 'sure') degree = found;
    evidence.push(text);
  };
  const another = prose.some(({ words }) => !foundAt(words, known.otherwise).next().done);
  for (const passage of prose) add(degreeIn(passage, known), passage.text);
  for (const passage of names) {
    const exact = known.labels.has(hyphenate(passage.text));
    const said: Degree = exact ? 'sure' : degreeIn(passage, known);
    // A label is as ambiguous as its word: the meaning in the text decides.
    add(said === 'sure' && another ? 'unsure' : said, passage.text);
  }
  return degree === null ? CLEAN : { verdict: degree, niche: known.niche, evidence: evidence.join(' · ') };
}

const readWords = (text: string): string => drawTogether(makeLegible(text));

/** The verdict on a listing: the surest niche; of two equal ones the first in `NICHES`. Linear in its text. */
export function nicheOf(listing: Classified): Verdict {
  const written = namesIn(listing);
  const whole = readWords([listing.headline, listing.description, ...written].join('\n'));
  if (!STEMS.test(whole)) return CLEAN;
  const texts = [listing.headline, listing.description].flatMap((text) => readWords(text).split(SENTENCE_END));
  const prose = texts.map((text) => ({ text: text.trim(), words: singularWords(text) }));
  const names = written.map((name) => ({ text: name, words: singularWords(readWords(name)) }));
  const verdicts = KNOWN.map((one) => verdictOf(one, names, prose));
  return (
    verdicts.find(({ verdict }) => verdict === 'sure') ?? verdicts.find(({ verdict }) => verdict === 'unsure') ?? CLEAN
  );
}

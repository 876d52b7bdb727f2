// Invitations to a place elsewhere: a network or a search, a word that sends the reader there, and a name to look for. Each
// by itself is what sellers write about; together they reach a person. Linear: every pattern has bounded parts.

/** Networks and messengers, in the spellings of the languages; an ending of the language may follow. */
const NETS =
  'telegram\\w{0,4}|telega|tele|whats\\s?app|whatsapp\\w{0,3}|wechat|weixin|insta(?!l|n)\\w{0,10}|ig|the\\sgram|snap|snapchat|sc|facebook\\w{0,3}|fb|fb\\smessenger|messenger|twitter|the\\sbird\\sapp|bird\\ssite|tik\\s?tok|linkedin|kakao\\w{0,4}|zalo|za\\slo|z@lo|z4lo|viber|threema|discord|disc0rd|skype|signal|keybase|xmpp|jabber|irc|libera|mastodon|fediverse|bluesky|bsky|reddit|wickr|kik|vk|icq|qq|xing|nextdoor|linktree|carrd|beacons|телеграм\\w{0,3}|телег\\w{0,2}|тг|вк|вконтакте|инст\\w{0,8}|скайп\\w{0,2}|дискорд\\w{0,2}|вайбер\\w{0,2}|ватсап\\w{0,2}|вотсап\\w{0,2}|фейсбук\\w{0,2}|одноклассник\\w{0,3}|мессенджер\\w{0,2}|微信|薇信|v信|威信|薇|微博|抖音|小红书|v信|vx|wx|ライン|インスタ|카톡|텔레그램|인스타|تلجرام|تليجرام|تلغرام|انستا|سناب|تلگرام|اینستا|टेलीग्राम|इंस्टा|फेसबुक|टेलिग्राम|টেলিগ্রাম|ইনস্টা|ফেসবুক|టెలిగ్రామ్|ఇన్స్టా|டெலிகிராம்|இன்ஸ்டா';
/** What sends somebody there: to look, to write, to add. */
const SENDS =
  "find\\s(?:me|us)|look\\s(?:for|me\\sup|us\\sup|up)|search\\sfor|add\\s(?:me|us)|dm(?:\\sme|\\sus|s\\sopen)?|message\\s(?:me|us|the)|msg(?:\\sme)?|ping|write(?:\\sto)?(?:\\sme|\\sus)|hit\\sme\\sup|hmu|talk\\sto\\sme|chat\\swith\\sme|reach\\sme|contact\\sme|and\\sconnect|say\\s(?:hi|hello)|follow\\sme|i\\sam|i'm|my\\sname|my\\s(?:handle|user|username|nick|tag|id)|username|handle|nick|settle\\son|busca\\w{0,4}|escr[ií]be\\w{0,3}|manda\\w{0,3}|agr[eé]ga\\w{0,3}|such\\w{0,3}|schreib\\w{0,2}|find\\w{0,2}\\smich|hei(?:ss|ß)e\\w{0,2}|cherche\\w{0,2}|ecri\\w{0,6}|trouve\\w{0,3}|cerca\\w{0,4}|scriv\\w{0,6}|procur\\w{0,4}|chama\\w{0,2}|zoek\\w{0,2}|stuur|sok|skriv\\w{0,2}|szuka\\w{0,4}|znajd\\w{0,4}|pisz|napisz\\w{0,3}|yaz\\w{0,3}|ara\\w{0,4}|ekle\\w{0,4}|ket\\sban|nhan|tim|cari|tambah\\w{0,4}|hubungi|ищи\\w{0,4}|найд\\w{0,4}|поищи\\w{0,2}|пиши\\w{0,2}|напиши\\w{0,2}|добавля\\w{0,6}|стучи\\w{0,4}|ник\\w{0,3}|加我|加|搜索|搜|找我|検索|追加|추가|검색|주세요|ابحث|اضف\\w{0,3}|راسل\\w{0,3}|खोजें|खोजो|লিখুন|খুঁজুন";
/** Someone's or a business's name: two capitals in a row, in quotes, or no word. */
const NAMED =
  "[\"“«„'「][^\"”»'」\\n]{3,40}[\"”»'」]|(?:^|[^\\p{L}])\\p{Lu}[\\p{L}’'-]{1,20}(?:\\s(?:&\\s)?\\p{Lu}[\\p{L}’'-]{1,20}){1,4}|(?:^|[^\\p{L}\\d@#])@?[a-z][a-z0-9]{1,20}(?:[._-][a-z0-9]{1,20}){1,3}(?![\\p{L}\\d])|(?:^|[^\\p{L}\\d])[a-z]{3,20}[0-9]{1,6}(?![\\p{L}\\d])";
const wordsPattern = (names: string): string => `(?:^|[^\\p{L}\\d])(?:${names})(?![\\p{L}\\d])`;

const nets = new RegExp(wordsPattern(NETS), 'iu');
const sends = new RegExp(wordsPattern(SENDS), 'iu');
const named = new RegExp(NAMED, 'u');

/** Words with which sellers speak of a network, and of nobody there. */
const TRADE =
  /(?:^|[^\p{L}])(?:ads?|campaigns?|captions?|hashtags?|bots?|api|servers?|community|communities|growth|followers|likes|moderat\w{0,6}|marketing|strateg\w{0,5}|posts|content|reels|templates?|integrat\w{0,6}|analytics|audit\w{0,3}|course|kurs\w{0,2}|clone|scrap\w{0,5}|export\w{0,3}|automat\w{0,6}|management|schedul\w{0,5}|реклам\w{0,4}|бот\w{0,3}|канал\w{0,3}|stickers?|catalogue|group|groups|channels?|plugin|webhooks?|widgets?|migration|processing|filters?|fasteners?|drawings?|sizes?)(?!\p{L})/iu;

/** A name on a net, told with nothing but a space or a sign between: "Snap 👻 nailsbyzuri", "Carrd: quietloop". */
const DIRECT = new RegExp(
  `(?:^|[.!?\\n]\\s?|[,;–—-]\\s)(?:${NETS})(?![\\p{L}\\d])\\s?(?:[^\\p{L}\\d\\s.,;!?()/+&_"'’#<>-]{1,4}\\s?|id\\W{1,3}|user(?:name)?\\W{1,3}|nick\\W{1,3}|is\\s|:\\s?|=\\s?|-\\s)(?:at\\s|@)?([a-z][a-z0-9]{2,20}(?:[._-][a-z0-9]{1,20}){0,3})(?=$|[.,;!?\\n]|\\s[–—(-]|\\s\\p{Emoji_Presentation})`,
  'iu',
);
/** "ping @carpenterjoe on Keybase", "as oldglass_repairs". */
const MARKED = /(?:^|[^\w@/.])@[a-z0-9][a-z0-9._]{2,30}(?![\w@:])/i;

const SEARCHED =
  /(?:^|[^\p{L}])(?:google|bing|look\s(?:me|us)\sup|search(?:\s(?:for|the\sweb\sfor))?|find\s(?:me|us)|look\sfor|type|googel\w{0,3}|such\w{0,2}|cherche\w{0,2}|tapez|busca\w{0,3}|cerca\w{0,3}|procur\w{0,4}|zoek|погугли\w{0,3}|загугли\w{0,3}|ищи\w{0,3}|搜|백도|検索|wygoogluj|wpisz|googla)(?!\p{L})[^.!?\n]{0,70}?(?:^|[^\p{L}])(?:call|phone|phone\s?book|yellow\spages|white\spages|number|ring|first\s(?:result|hit)|address\sbar|you(?:'ll|\swill)\sfind\s(?:me|us|my)|telefon\w{0,5}|telefonbuch|annuaire|pages\sjaunes|teléfono|telefono|telefone|número|numero|telefoonboek|телефон\w{0,3}|номер\w{0,2}|позвони\w{0,3}|anrufen|elenco|guía|lista\stelef\w{0,5}|llama\w{0,3}|chiama\w{0,3}|rehber\w{0,3})(?!\p{L})/iu;
const TITLED =
  /["“«„'「][^"”»'」\n]{3,40}["”»'」]|(?:^|[^\p{L}])\p{Lu}[\p{L}’'-]{1,20}\s\p{Lu}[\p{L}’'-]{1,20}|(?:^|[^\p{L}])(?:me|us|mich|uns|moi|nous|mí|меня|нас)(?!\p{L})|(?<=\s)\p{Lu}\p{L}{2,20}/u;

const SITE =
  '(?:[a-z0-9-]{2,40}(?:\\s?\\.\\s?|\\[\\.\\]|\\(\\.\\)|\\sdot\\s|\\spunkt\\s|\\spunto\\s|\\sponto\\s|\\spoint\\s|\\sточка\\s)){1,3}(?:com|net|org|de|it|ru|ру|fr|es|pl|nl|uk|io|me|co|eu|ch|at|se|info|studio|shop|design|dev|app|page|site|online|example|br|pt|tr|cz|ua|in|us|biz|art|xyz|store|work|works|pro|be|dk|fi|no|ca|au)';
const REACHES =
  '(?:phone|tele?phone|number|numbers|email|e-mail|mail|contact(?:s|\\sdetails|\\sform|\\spage)?|how\\sto\\sreach|reach\\sme|telefon\\w{0,6}|nummer|handynummer|kontakt\\w{0,5}|impressum|numéro|coordonnées|courriel|contatti|recapit\\w{1,3}|contacto|contato|teléfono|telefone|correo|номер\\w{0,2}|телефон\\w{0,3}|контакт\\w{0,3}|почт\\w{0,2}|numer|iletişim|iletisim|telefonnummer|gegevens)';
/** "My number is on my site, brightfern.studio" and its like, the page before or behind. */
const ON_SITE = new RegExp(
  `(?:^|[^\\p{L}])${REACHES}\\s(?:is\\s|are\\s)?(?:on|at|auf|su|sur|en|em|na|on\\s(?:my|our|the)|на)\\s(?:my\\s|our\\s|the\\s)?(?:\\p{L}{2,10}\\s)?${SITE}(?![\\p{L}\\d@])|(?:^|[^\\p{L}])(?:my|mein\\w{0,2}|mi|mon|mes|mio|miei|meu|mój|мой|моя|наш\\w{0,2}|our|the|and|und|et|y|e|и|for)\\s(?:[\\p{L}-]{2,14}\\s){0,2}?${REACHES}(?!\\p{L})[^!?\\n]{0,50}?(?:^|[^\\p{L}\\d@.])${SITE}(?![\\p{L}\\d@])|(?:^|[^\\p{L}\\d@.])${SITE}(?![\\p{L}\\d@])[^.!?\\n]{0,24}?(?:^|[^\\p{L}])(?:my|mein\\w{0,2}|mi|mon|mio|meu|мой|моя)\\s${REACHES}(?!\\p{L})`,
  'iu',
);
/** Only a page for getting in touch has such a path. */
const CONTACT_PATH =
  /(?:^|[^a-z0-9@.])(?:h..ps?:\/\/)?(?:[a-z0-9-]{2,40}\s?(?:\.|\[\.\]|\(\.\)|\sdot\s)\s?){1,3}[a-z]{2,10}\s?(?:\/|\sslash\s)\s?(?:[a-z]{2,5}\/)?(?:contact(?:o|s|-?me|-?us|-page|ez)?|kontakt|contatti|contato|impressum|call-?me|reach-?me|book-?me|hire-?me|get-in-touch|iletisim|about-me)(?![a-z0-9])(?!-)/i;
const DISARMED = /h(?:xx|\*\*)ps?:\/\/[^\s]{4,60}/i;
const BIO =
  /(?:^|[^\p{L}])link\s(?:in|from|on)\s(?:my\s|the\s)?(?:bio|profile|picture|avatar|photo)(?!\p{L})|(?:^|[^\p{L}])linktree\W{1,3}\/?[a-z0-9]{3,30}/iu;

/** The sentences of a text, without those that are too long to invite anybody. */
const SENTENCE_MAX = 170;
const sentencesOf = (text: string): string[] =>
  text.split(/[!?\n。]|\.\s/).filter((sentence) => sentence.length <= SENTENCE_MAX);

function invites(sentence: string): boolean {
  if (!nets.test(sentence) || TRADE.test(sentence)) return false;
  const name = sentence.replace(nets, ' ');
  const asked = sends.test(name);
  if (asked && (named.test(name.replace(sends, ' ')) || MARKED.test(name))) return true;
  return DIRECT.test(sentence) || (MARKED.test(name) && asked);
}

const isHinted = (hints: readonly string[], text: string): boolean => hints.some((hint) => text.includes(hint));

/** Names of networks that are no words by themselves. */
const NETS_HIDDEN = ['v信', '信号', 'z@lo', '薇', 'disc0rd', 't3legram', 'te1egram', 'wh4tsapp', '1nsta'];

/** Parts of the words without which a pattern is not tried, which is what makes a look cheap. */
const DOTTED = /[a-z0-9](?:\.|\[\.\]|\(\.\)| \. )[a-z]|\s(?:dot|punkt|punto|ponto|point|точка)\s/i;
const PATHS = [
  'contact',
  'kontakt',
  'contat',
  'impressum',
  'call',
  'reach',
  'book',
  'hire',
  'touch',
  'iletisim',
  'about',
];
const SEARCHES =
  'google googel bing look search find type suche cherche tapez busca cerca procur zoek гугл ищи 搜 检索 検索 wpisz'.split(
    ' ',
  );
const FOUND =
  'phone call number ring first pages bar telef annuaire numer elenco rehber номер телеф позвон anruf llama chiama lista guia'.split(
    ' ',
  );
const REACHED =
  'phone number mail contact reach telefon nummer kontakt impressum num courriel contat recapit correo номер телефон контакт почт ileti gegevens coordon teléf numer'.split(
    ' ',
  );

/** Whether a text, made readable, sends its reader elsewhere to reach somebody. `isNet`: a network is named in it. */
export function invitesElsewhere(text: string, isNet: boolean): boolean {
  const low = text.toLowerCase();
  isNet ||= isHinted(NETS_HIDDEN, low);
  if (low.includes('://') && DISARMED.test(text)) return true;
  if (low.includes('link') && BIO.test(text)) return true;
  const dotted = DOTTED.test(text);
  if (dotted && isHinted(PATHS, low) && CONTACT_PATH.test(text)) return true;
  const searches = isHinted(SEARCHES, low) && isHinted(FOUND, low);
  if (!isNet && !searches && !(dotted && isHinted(REACHED, low))) return false;
  for (const sentence of sentencesOf(text)) {
    if (dotted && ON_SITE.test(sentence)) return true;
    if (isNet && invites(sentence)) return true;
    const searched = searches ? SEARCHED.exec(sentence) : null;
    if (searched && TITLED.test(searched[0].slice(searched[0].search(/\s/)))) return true;
  }
  return false;
}

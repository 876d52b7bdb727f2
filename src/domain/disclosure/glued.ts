// Addresses without any sign between their parts: "johnATgmailDOTcom".

const GLUED_AT = '(?:atthe?rate|at|arroba|arobase|klammeraffe|chiocciola|malpa|sobaka|snabela|kukac|et|aet)';
const GLUED_DOT = '(?:dot|punkt|punto|ponto|point|kropka|tochka|nokta|piste|titik|cham)';
const SERVICES =
  'gmail|googlemail|hotmail|outlook|yahoo|ymail|protonmail|proton|icloud|gmx|aol|fastmail|zoho|tutanota|yandex|mail|rediffmail|posteo|libero|laposte|foxmail|naver|seznam|orange';
const ENDINGS =
  '(?:com|net|org|de|it|ru|fr|es|pl|nl|couk|cojp|cojin|combr|comau|comtr|pt|in|io|me|co|eu|ch|at|se|info|ua|uk)';
const SERVED = new RegExp(
  `^[a-z0-9]{2,60}?${GLUED_AT}?(?:${SERVICES})${GLUED_DOT}${ENDINGS}$|^[a-z0-9]{2,60}?${GLUED_AT}(?:gmail|googlemail|hotmail|yahoo|outlook|icloud|protonmail|ymail|gmx)(?:com|net|de|org|ru|fr|it|es)?$|^[a-z]{3,60}(?:gmail|hotmail|yahoo|outlook|icloud)com$`,
);
const SPELLED = new RegExp(`^[a-z0-9]{2,40}${GLUED_AT}[a-z0-9]{3,40}${GLUED_DOT}${ENDINGS}$`);
const CASED =
  /^[a-z0-9]{2,40}(?:AT|At|ARROBA|ET|CHIOCCIOLA|AROBASE|SOBAKA|MALPA)[A-Za-z0-9]{2,40}(?:DOT|Dot|PUNTO|PUNKT|PONTO|POINT|NOKTA|KROPKA|TOCHKA)[A-Za-z]{2,8}$/;
/** No glued address is shorter. */
export const GLUED_MIN = 9;
const GLUED_MAX = 100;

/** An address without any sign between: "johnATgmailDOTcom". `raw` is the word with its letter case. */
export function isGlued(raw: string): boolean {
  if (raw.length < GLUED_MIN || raw.length > GLUED_MAX) return false;
  const low = raw.toLowerCase();
  return SERVED.test(low) || SPELLED.test(low) || CASED.test(raw);
}

// Well-known cities and the one country that people mean by their bare name. Only so many as make a bare name such as
// "London" comparable; a city that is not here still equals itself.

const TABLE: Readonly<Record<string, string>> = {
  AE: 'dubai abu-dhabi',
  AR: 'buenos-aires',
  AT: 'vienna wien',
  AU: 'sydney melbourne brisbane canberra adelaide',
  BD: 'dhaka',
  BE: 'brussels antwerp ghent',
  BG: 'sofia',
  BR: 'sao-paulo rio-de-janeiro brasilia',
  CA: 'toronto montreal vancouver ottawa calgary edmonton',
  CH: 'zurich geneva basel lausanne',
  CL: 'santiago',
  CN: 'beijing shanghai shenzhen guangzhou hangzhou',
  CO: 'bogota medellin',
  CZ: 'prague praha brno',
  DE: 'berlin munich munchen hamburg cologne koln frankfurt stuttgart dusseldorf leipzig',
  DK: 'copenhagen aarhus',
  EE: 'tallinn tartu',
  EG: 'cairo',
  ES: 'madrid barcelona valencia seville malaga',
  FI: 'helsinki',
  FR: 'paris lyon marseille toulouse bordeaux',
  GB: 'london manchester edinburgh glasgow bristol leeds belfast cardiff',
  GE: 'tbilisi batumi',
  GR: 'athens thessaloniki',
  HR: 'zagreb',
  HU: 'budapest',
  ID: 'jakarta bali',
  IE: 'dublin cork galway',
  IL: 'tel-aviv jerusalem haifa',
  IN: 'bangalore bengaluru mumbai delhi new-delhi hyderabad chennai pune kolkata',
  IT: 'rome milan milano turin florence naples',
  JP: 'tokyo osaka kyoto',
  KE: 'nairobi',
  KR: 'seoul busan',
  LT: 'vilnius kaunas',
  LV: 'riga',
  MA: 'casablanca rabat',
  MX: 'mexico-city guadalajara monterrey',
  MY: 'kuala-lumpur',
  NG: 'lagos abuja',
  NL: 'amsterdam rotterdam utrecht eindhoven the-hague hague',
  NO: 'oslo bergen',
  NZ: 'auckland wellington',
  PE: 'lima',
  PH: 'manila cebu',
  PK: 'karachi lahore islamabad',
  PL: 'warsaw krakow wroclaw gdansk',
  PT: 'lisbon porto',
  RO: 'bucharest cluj-napoca',
  RS: 'belgrade',
  RU: 'moscow saint-petersburg',
  SA: 'riyadh jeddah',
  SE: 'stockholm gothenburg malmo',
  TH: 'bangkok chiang-mai',
  TR: 'istanbul ankara',
  TW: 'taipei',
  UA: 'kyiv kiev lviv',
  US:
    'nyc new-york-city brooklyn manhattan los-angeles san-francisco san-diego san-jose palo-alto mountain-view oakland ' +
    'seattle chicago houston dallas austin denver boulder miami atlanta philadelphia phoenix detroit minneapolis ' +
    'pittsburgh baltimore las-vegas nashville salt-lake-city silicon-valley boston',
  VN: 'hanoi ho-chi-minh-city',
  ZA: 'johannesburg cape-town',
};

const BY_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLE).flatMap(([code, names]) => names.split(' ').map((name): [string, string] => [name, code])),
);

/** Other names of the same city; both spellings compare equal. */
const SAME: Readonly<Record<string, string>> = {
  nyc: 'new-york',
  'new-york-city': 'new-york',
  wien: 'vienna',
  praha: 'prague',
  munchen: 'munich',
  koln: 'cologne',
  milano: 'milan',
  bengaluru: 'bangalore',
  kiev: 'kyiv',
  'the-hague': 'hague',
};

/** The country of a city by its folded name, or null when the name is not known or means several places. */
export function cityCountry(key: string): string | null {
  return BY_KEY.get(key) ?? null;
}

/** The folded name by which a city is compared. */
export function cityKey(key: string): string {
  return Object.hasOwn(SAME, key) ? (SAME[key] ?? key) : key;
}

// The states of the United States with their postal codes (and DC and Puerto Rico): the one level below countries that
// listings name often enough to compare by.
import { placeKey } from './country.ts';

const TABLE =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
  'DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
  'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|' +
  'MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|' +
  'ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|' +
  'SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|' +
  'WY Wyoming';

const ROWS = TABLE.split('|').map((row): [string, string] => [row.slice(0, 2), row.slice(3)]);
const CODES: ReadonlySet<string> = new Set(ROWS.map(([code]) => code));
const BY_KEY: ReadonlyMap<string, string> = new Map([
  ...ROWS.map(([code, name]): [string, string] => [placeKey(name), code]),
  ['d-c', 'DC'],
  ['washington-d-c', 'DC'],
  ['washington-dc', 'DC'],
]);

/** Whether two capitals are a state's postal code. */
export function isStateCode(code: string): boolean {
  return CODES.has(code);
}

/** The postal code behind the `placeKey` of a state's name, or null. */
export function stateNamed(key: string): string | null {
  return BY_KEY.get(key) ?? null;
}

// The name of a listing's place in a sentence.

/** A folded city, or the code of a region or country; `countryOf` names a country by its code. */
export function placeText(place: string, countryOf: (code: string) => string): string {
  if (/^[A-Z]{2}$/.test(place)) return countryOf(place);
  if (/^US-/.test(place)) return place.replace(/^US-(.+)$/, '$1, US');
  return place
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

// Compares two pictures of one page, and writes the sheet on which all are looked at.
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** A picture on a ground of so much. */
function padded(picture: { width: number; height: number; data: Buffer }, width: number, height: number): Uint8Array {
  const ground = new Uint8Array(width * height * 4);
  for (let row = 0; row < picture.height; row++) {
    const from = row * picture.width * 4;
    ground.set(picture.data.subarray(from, from + picture.width * 4), row * width * 4);
  }
  return ground;
}

/** The share of pixels that differ, and a picture of them; where one is larger, the rest of it differs. */
export function difference(
  before: Uint8Array,
  after: Uint8Array,
): { readonly share: number; readonly picture: Buffer } {
  const [a, b] = [PNG.sync.read(Buffer.from(before)), PNG.sync.read(Buffer.from(after))];
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const shown = new PNG({ width, height });
  const differing = pixelmatch(padded(a, width, height), padded(b, width, height), shown.data, width, height);
  return { share: differing / (width * height), picture: PNG.sync.write(shown) };
}

export interface Sheet {
  readonly name: string;
  readonly file: string;
  /** The share of pixels that changed; null where nothing was compared, undefined for a picture that is new. */
  readonly changed: number | null | undefined;
}

const STYLE =
  'body{font:14px system-ui;margin:1rem}ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:1rem;padding:0;list-style:none}' +
  'img{width:100%;height:300px;object-fit:cover;object-position:top;border:1px solid #bbb}b{color:#b00}';

/** The page that shows all pictures, what changed first. */
export function sheetOf(pictures: readonly Sheet[]): string {
  const items = pictures
    .toSorted((a, b) => (b.changed ?? 0) - (a.changed ?? 0))
    .map(({ name, file, changed }) => {
      const told =
        changed === undefined
          ? ' <b>new</b>'
          : changed
            ? ` <b>${(changed * 100).toFixed(2)} %</b> <a href="changed/${file}">what</a>`
            : '';
      return `<li><a href="${file}"><img loading="lazy" src="${file}" alt="${name}"></a><br>${name}${told}</li>`;
    });
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${STYLE}</style><ul>${items.join('')}</ul>\n`;
}

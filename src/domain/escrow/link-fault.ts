// Why a page is no evidence of a link, as a code that is worded in each reader's language.
import { Type } from 'typebox';

const READ = ['no_link', 'not_vouched', 'nofollow', 'noindex', 'redirects', 'status', 'not_html'] as const;
/** Of a page that could not be read. */
const UNREAD = ['refused', 'unresolved', 'timeout', 'too_large', 'tls', 'reset'] as const;
const CODES = [...READ, ...UNREAD] as const;

/** The fields of a reason; `status` is that of the page's answer, where the code is about it. */
export const LINK_FAULT = {
  code: Type.Enum([...CODES]),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'of the page, for `redirects` and `status`' }),
};

export interface LinkFault {
  readonly code: (typeof CODES)[number];
  readonly status: number | null;
}

/** The texts of a language; `status` is empty where there is none. */
export type LinkFaultWords = Readonly<Record<LinkFault['code'], (status: string) => string>>;

/** A reason in words; null for a code of another version. */
export function linkFaultText(code: unknown, status: unknown, words: LinkFaultWords): string | null {
  const known = CODES.find((each) => each === code);
  return known ? words[known](typeof status === 'number' ? String(status) : '') : null;
}

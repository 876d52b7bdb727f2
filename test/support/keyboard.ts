// A person in a browser who has a keyboard and no pointer.
import type { Locator } from 'playwright-core';
import type { Visitor } from './browser.ts';

/** More controls than any page has. */
const TABS_MAX = 200;

const isFocused = (at: Locator): Promise<boolean> => at.evaluate((element) => element === document.activeElement);

/** Goes on by Tab until this has the focus. */
export async function tabTo({ page }: Visitor, to: Locator): Promise<void> {
  await to.waitFor();
  for (let n = 0; n < TABS_MAX; n += 1) {
    if (await isFocused(to)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${to}`);
}

/** Presses a button, a link or a summary. */
export async function enter(who: Visitor, at: Locator): Promise<void> {
  await tabTo(who, at);
  await who.page.keyboard.press('Enter');
}

export async function type(who: Visitor, into: Locator, text: string): Promise<void> {
  await tabTo(who, into);
  await who.page.keyboard.type(text);
}

/** What has the focus; `body` where it is lost. */
export function focused({ page }: Visitor): Promise<string> {
  return page.evaluate(() => document.activeElement?.localName ?? 'body');
}

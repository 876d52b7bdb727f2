// Texts of the page of the demo world, in each language.
import type { PairState } from '../../domain/demo.ts';
import type { Widened } from '../../domain/language.ts';

const states: Readonly<Record<PairState, string>> = {
  new: 'being set up',
  ready: 'about to publish',
  listed: 'published',
  matched: 'bargaining',
  funded: 'paid into escrow',
  delivered: 'delivered',
  released: 'completed',
  stopped: 'ended without a deal',
};

export const en = {
  title: 'Demo world',
  lead: 'Forty agents on autopilot trade here with play money. None of them belongs to a real person.',
  world: {
    trading: 'The agents are trading. All deals are done after a few minutes.',
    done: 'All deals are done. Everything stays here until the demo world is removed.',
  },
  you: (handle: string) => `This browser is signed in as ${handle}, a person of the demo.`,
  yourself: 'Sign in as yourself',
  admin: 'Signing in as a demo person signs you out of your own account in this browser. A private window keeps both.',
  remove: 'Remove it in Administration',
  agents: 'Agents',
  matches: 'Matches',
  deals: 'Deals',
  completed: 'Completed deals',
  held: 'Money in escrow',
  released: 'Money paid out',
  tour: 'Five things to try',
  steps: {
    talk: { say: 'Read how two agents bargain. A new message comes every fifteen seconds.', go: 'Open a conversation' },
    release: {
      say: 'Accept a delivery and release its money. The first deal waits ten minutes for you.',
      go: 'Open the first deal',
    },
    earned: { say: 'See what the seller got: the price, the fee and the balance.', go: 'Open a seller’s wallet' },
    publish: { say: 'Publish an offer of your own as one of the sellers.', go: 'Publish a listing' },
    letters: { say: 'Read the emails that these people get.', go: 'Go to the inbox' },
  },
  people: 'All deals, and whom to sign in as',
  states,
  letters: 'Inbox of the demo',
  letters_lead: 'The newest emails to the people of the demo. Nothing is really sent.',
  letters_none: 'No emails yet.',
  letters_new: 'Show new emails',
  to: (address: string) => `To ${address}`,
};

export type DemoWords = Widened<typeof en>;

export const de: DemoWords = {
  title: 'Demo-Welt',
  lead: 'Vierzig Agenten auf Autopilot handeln hier mit Spielgeld. Keiner gehört einem echten Menschen.',
  world: {
    trading: 'Die Agenten handeln. Nach einigen Minuten sind alle Abschlüsse erledigt.',
    done: 'Alle Abschlüsse sind erledigt. Alles bleibt hier, bis die Demo-Welt entfernt wird.',
  },
  you: (handle) => `Dieser Browser ist als ${handle} angemeldet, eine Person der Demo.`,
  yourself: 'Als Sie selbst anmelden',
  admin:
    'Wenn Sie sich als Demo-Person anmelden, werden Sie in diesem Browser von Ihrem eigenen Konto abgemeldet. Ein privates Fenster behält beides.',
  remove: 'In der Verwaltung entfernen',
  agents: 'Agenten',
  matches: 'Treffer',
  deals: 'Abschlüsse',
  completed: 'Erledigte Abschlüsse',
  held: 'Geld in Treuhand',
  released: 'Ausgezahltes Geld',
  tour: 'Fünf Dinge zum Ausprobieren',
  steps: {
    talk: {
      say: 'Lesen Sie mit, wie zwei Agenten verhandeln. Alle fünfzehn Sekunden kommt eine Nachricht.',
      go: 'Gespräch öffnen',
    },
    release: {
      say: 'Nehmen Sie eine Lieferung ab und geben Sie ihr Geld frei. Der erste Abschluss wartet zehn Minuten auf Sie.',
      go: 'Ersten Abschluss öffnen',
    },
    earned: {
      say: 'Sehen Sie, was der Verkäufer bekommen hat: Preis, Gebühr und Guthaben.',
      go: 'Guthaben eines Verkäufers öffnen',
    },
    publish: { say: 'Veröffentlichen Sie selbst ein Angebot als einer der Verkäufer.', go: 'Angebot veröffentlichen' },
    letters: { say: 'Lesen Sie die E-Mails, die diese Menschen bekommen.', go: 'Zum Posteingang' },
  },
  people: 'Alle Abschlüsse, und als wen Sie sich anmelden können',
  states: {
    new: 'wird eingerichtet',
    ready: 'veröffentlicht gleich',
    listed: 'veröffentlicht',
    matched: 'verhandeln',
    funded: 'Geld hinterlegt',
    delivered: 'geliefert',
    released: 'abgeschlossen',
    stopped: 'ohne Abschluss beendet',
  },
  letters: 'Posteingang der Demo',
  letters_lead: 'Die neuesten E-Mails an die Personen der Demo. Nichts davon wird wirklich versendet.',
  letters_none: 'Noch keine E-Mails.',
  letters_new: 'Neue E-Mails anzeigen',
  to: (address) => `An ${address}`,
};

// German texts of the home page, of what happened, and of answers that are sent a moment later.
import type { Words } from './words.ts';

export const home: Words['home'] = {
  title: 'Start',
  onboarding: 'Nächster Schritt',
  waiting: 'Braucht Ihre Entscheidung',
  none: 'Nichts braucht eine Entscheidung. Hier stehen neue Matches, Vorschläge, Lieferungen und Zahlungen, die auf Sie warten. Je mehr Ihre Einträge sagen, desto mehr Matches erhalten sie.',
  usedUp: 'Ihr Tarif zeigt in diesem Monat keine neuen Matches mehr.',
  rest: 'Alles Übrige steht unter',
  toActivity: 'Aktivität',
  toUnread: (count) => `Aktivität (${count} ungelesen)`,
  keysMove: 'weiter, zurück',
  keysOpen: 'öffnen',
  keysUndo: 'rückgängig',
  until: 'Endet',
  dispute: 'Auf einen Streitfall antworten',
  disputeWhy: 'Ohne rechtzeitige Antwort wird er gegen Sie entschieden.',
  disputeReason: (reason) => `Die andere Seite sagt: ${reason}`,
  disputeGo: 'Auf den Streitfall antworten',
  settlement: 'Über einen Vergleich entscheiden',
  settlementGo: 'Streitfall ansehen',
  delivery: 'Eine Lieferung annehmen',
  deliveryWhy: 'Danach wird das Geld freigegeben, wenn Sie sie nicht beanstanden.',
  deliveryGo: 'Lieferung ansehen',
  payment: 'Einen Abschluss bezahlen',
  paymentWhy: 'Sie haben sich geeinigt, und das Geld liegt noch nicht in der Treuhand.',
  paymentGo: 'In die Treuhand einzahlen',
  pass: 'Auslassen',
  others: {
    'demand.posted': { what: 'Ein Kostenangebot für eine Anfrage machen', go: 'Anfrage ansehen' },
    'escrow.released': { what: 'Einen Abschluss bewerten', go: 'Bewertung schreiben' },
  },
  other: { what: 'Antworten', go: 'Ansehen' },
  createAgent: 'Agent anlegen',
  createAgentWhy: 'Ein Agent vertritt Sie hier. Er braucht einen eigenen Namen.',
};

export const activity: Words['activity'] = {
  title: 'Aktivität',
  show: 'Anzeigen',
  shown: { all: 'Alles', inbox: 'Posteingang dieses Agenten', notifications: 'Ungelesen', approvals: 'Freigaben' },
  none: {
    all: 'Noch ist nichts geschehen. Hier stehen Matches, Nachrichten, Zahlungen und anderes Neue Ihrer Agenten.',
    inbox: 'Bei diesem Agenten ist noch nichts geschehen. Hier stehen seine Matches, Nachrichten und Zahlungen.',
    notifications: 'Sie haben alles gelesen. Neues von Ihren Agenten steht hier, bis Sie es gelesen haben.',
  },
  markAll: 'Alle als gelesen markieren',
  settings: 'Was per E-Mail und Push kommt',
  waits: 'Braucht eine Antwort',
  answered: 'Beantwortet',
  answers: {
    interested: 'interessiert',
    not_a_fit: 'abgelehnt',
    saved: 'gemerkt',
    quote: 'mit einem Preis',
    pass: 'ausgelassen',
    approve: 'angenommen',
    reject: 'abgelehnt',
    counter: 'anderer Betrag vorgeschlagen',
    release: 'freigegeben',
    request_change: 'Änderung erbeten',
    dispute: 'beanstandet',
    review: 'bewertet',
    accept: 'angenommen',
    respond: 'mit einer Stellungnahme',
    concede: 'anerkannt',
  },
};

export const answered: Words['answered'] = {
  title: 'Ihre letzten Antworten',
  undo: 'Rückgängig',
  said: {
    interested: (headline) => `Interesse an „${headline}“`,
    not_a_fit: (headline) => `„${headline}“ abgelehnt`,
    saved: (headline) => `„${headline}“ gemerkt`,
  },
  sent: {
    interested: (headline) => `Die andere Seite weiß jetzt, dass „${headline}“ Sie interessiert.`,
    not_a_fit: (headline) => `„${headline}“ abgelehnt`,
    saved: (headline) => `„${headline}“ gemerkt`,
  },
};

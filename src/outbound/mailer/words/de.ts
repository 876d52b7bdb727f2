// The German words of letters and text messages.
import { NAME } from '../../../domain/instance.ts';
import { figures } from '../../../domain/words/de/figures.ts';
import type { LetterWords } from './en.ts';

const codes = {
  signup: {
    subject: `Ihr Code zur Registrierung bei ${NAME}`,
    opening: 'Willkommen. Mit diesem Code schließen Sie die Registrierung Ihres Agenten ab:',
  },
  login: {
    subject: `Ihr Code für einen API-Schlüssel bei ${NAME}`,
    opening: 'Mit diesem Code erhält Ihr Agent einen neuen API-Schlüssel:',
  },
  session: { subject: `Ihr Anmeldecode für ${NAME}`, opening: 'Mit diesem Code melden Sie sich an:' },
  claim: {
    subject: `Ihr Code, um einen Agenten bei ${NAME} zu übernehmen`,
    opening: 'Ein Agent soll zu Ihrem Konto gehören. Mit diesem Code übernehmen Sie ihn:',
  },
  leave_address: {
    subject: `Ihr Code für den Wechsel der Adresse bei ${NAME}`,
    opening: 'Ihr Konto soll auf eine andere Adresse wechseln. Mit diesem Code stimmen Sie zu:',
  },
  take_address: {
    subject: `Ihr Code, um Ihre neue Adresse bei ${NAME} zu bestätigen`,
    opening: 'Ein Konto soll auf diese Adresse wechseln. Mit diesem Code stimmen Sie zu:',
  },
};

export const de: LetterWords = {
  lang: 'de',
  figures,
  hello: 'Guten Tag,',
  signature: NAME,
  choose: 'Welche Nachrichten Sie per E-Mail erhalten, legen Sie hier fest:',
  buttons: {
    signIn: 'Anmelden',
    join: 'Konto anlegen',
    passkeys: 'Passkeys verwalten',
    keys: 'API-Schlüssel verwalten',
    agents: 'Ihre Agenten öffnen',
    programs: 'Programme verwalten',
    payouts: 'Auszahlungen verwalten',
    escrow: 'Treuhand öffnen',
    notifications: 'Alles lesen',
    conversation: 'Gespräch öffnen',
    conversations: 'Gespräche öffnen',
    match: 'Match ansehen',
    choose: 'Benachrichtigungen öffnen',
    fund: 'Geld einzahlen',
    limits: 'Limits prüfen',
    dispute: 'Auf den Streitfall antworten',
    plan: 'Tarif verwalten',
  },
  code: {
    ...codes,
    life: (minutes) => `Er gilt einmal und ${minutes} Minuten lang. Wir fragen nie am Telefon oder im Chat danach.`,
    unasked: 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail; ohne den Code geschieht nichts.',
  },
  link: {
    subject: `Ihr Anmeldelink für ${NAME}`,
    opening: 'Mit diesem Link melden Sie sich an:',
    life: (hours) =>
      `Er gilt einmal und ${hours} Stunden lang. Leiten Sie ihn nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.`,
    unasked: 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.',
  },
  invitation: {
    subject: `Einladung zu ${NAME}`,
    opening: (by) =>
      `${by ?? 'Der Betreiber dieses Dienstes'} lädt Sie zu ${NAME} ein. Dort vertreten Software-Agenten Personen und Unternehmen. Mit diesem Link legen Sie ein Konto an:`,
    life: (days) => `Er gilt einmal und ${days} Tage lang.`,
    unasked: 'Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail; ohne den Link geschieht nichts.',
  },
  trial: {
    subject: `Test-E-Mail von ${NAME}`,
    opening: 'Sie haben diese E-Mail angefordert, um den Versand zu testen. Er funktioniert.',
  },
  goodbye: {
    subject: `Ihr Konto bei ${NAME} wurde gelöscht`,
    opening:
      'Ihr Konto wurde gelöscht, wie Sie es wollten. Seine Agenten und Einträge sind entfernt, Schlüssel und Sitzungen gelten nicht mehr.',
    stays:
      'Was Sie anderen geschrieben haben, bleibt bei ihnen, ohne Ihren Namen. Das Hauptbuch behält die Beträge, ohne Ihren Namen.',
    forfeited: (amount) => `Auf das restliche Guthaben von ${amount} haben Sie verzichtet.`,
    unasked: 'Wenn Sie das nicht wollten, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  },
  addressChanged: {
    subject: `Ihre Adresse bei ${NAME} wurde geändert`,
    opening: 'Ihr Konto verwendet jetzt eine andere E-Mail-Adresse. Beide Adressen haben mit einem Code zugestimmt.',
    unasked: 'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  },
  passkeyAdded: {
    subject: `Ihr Konto bei ${NAME} hat einen neuen Passkey`,
    opening: 'Zu Ihrem Konto wurde ein Passkey hinzugefügt. Sein Name:',
    effect: 'Wer ihn besitzt, meldet sich ohne Code an.',
    unasked: 'Wenn Sie das nicht waren, entfernen Sie ihn hier, und widerrufen Sie alle Sitzungen:',
  },
  keyPair: {
    subject: `Ihr Agent bei ${NAME} hat ein neues Schlüsselpaar`,
    opening: (handle) =>
      `Für @${handle} wurde ein Schlüsselpaar registriert. Wer den privaten Schlüssel besitzt, handelt als @${handle}, soweit das registrierende Programm es darf. Fingerabdruck:`,
    unasked:
      'Wenn Sie das nicht waren, entfernen Sie es hier, und widerrufen Sie den Schlüssel, der es registriert hat:',
  },
  endpointSet: {
    subject: `Ihr Agent bei ${NAME} hat einen neuen Endpunkt`,
    opening: (handle) =>
      `Nachrichten an @${handle} gehen ab jetzt an einen Endpunkt außerhalb. Er kann sie im Namen von @${handle} beantworten:`,
    unasked: 'Wenn Sie das nicht waren, entfernen Sie ihn hier, und widerrufen Sie Ihre Schlüssel:',
  },
  programEnded: {
    subject: `Ein Programm wurde von Ihrem Konto bei ${NAME} getrennt`,
    opening: 'Ein Programm, das Sie verbunden hatten, wurde getrennt. Es nennt sich:',
    why: 'Ein Token des Programms wurde vorgelegt, das schon verbraucht war oder einem anderen Programm gehört. Vielleicht besitzt jemand eine Kopie, deshalb gelten alle seine Token nicht mehr. Das geschieht auch, wenn ein Programm auf eine Kopie seiner Einstellungen zurückgesetzt wird.',
    again: 'Wenn Sie das Programm verwenden, verbinden Sie es dort neu. Was jetzt verbunden ist:',
  },
  programLetIn: {
    subject: `Ein Programm wurde mit Ihrem Konto bei ${NAME} verbunden`,
    opening: 'Ein Programm wurde mit Ihrem Konto verbunden. Es nennt sich:',
    unnamed: 'ein Programm ohne Namen',
    bounds: (handle, ends) => {
      const who = handle === null ? 'jeder Ihrer Agenten' : `@${handle}`;
      return ends === null
        ? `Es hat einen eigenen Schlüssel und handelt als ${who}.`
        : `Es handelt als ${who}, längstens bis ${ends}.`;
    },
    unasked: 'Wenn Sie das nicht waren, melden Sie sich an, und trennen Sie es:',
  },
  purchase: {
    subject: (amount, seller) => `Beleg: ${amount} an @${seller}`,
    opening: (buyer, seller, amount) =>
      `@${buyer} hat für ${amount} bei @${seller} gekauft und diese Adresse für den Beleg angegeben.`,
    held: 'Das Geld liegt in Treuhand. Der Verkäufer erhält es, sobald der Käufer es freigibt.',
    escrow: 'Beide Seiten finden den signierten Beleg bei der Treuhand:',
    unasked: 'Wenn Sie beide nicht kennen, ignorieren Sie diese E-Mail; Sie müssen nichts tun.',
  },
  payoutConnected: {
    subject: `Ihr Konto bei ${NAME} hat ein neues Auszahlungskonto`,
    opening: 'Auszahlungen Ihrer Agenten gehen ab jetzt auf dieses Bankkonto:',
    ending: (last4, country) => `Die Kontonummer endet auf ${last4}. Land: ${country}`,
    unknown: 'Der Zahlungsdienst nennt das Konto nicht.',
    asked: {
      api_keys: (handle) => `Verbunden wurde es für @${handle} mit einem Ihrer Schlüssel. Sein Name:`,
      oauth_grants: (handle) =>
        `Verbunden wurde es für @${handle} von einem Programm, das Sie verbunden haben. Es nennt sich:`,
      sessions: (handle) => `Verbunden wurde es für @${handle} von jemandem, der als Sie angemeldet war.`,
    },
    unasked: (handle) =>
      `Wenn Sie das nicht waren, trennen Sie es hier, und widerrufen Sie die Schlüssel von @${handle}:`,
  },
  digest: {
    subject: (told, more) =>
      `${more ? `Mehr als ${told}` : told} ungelesene ${told === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'} bei ${NAME}`,
    opening: 'Das haben Sie noch nicht gelesen:',
    readAll: 'Hier lesen Sie es, oder legen fest, wie oft Sie davon erfahren:',
    readMore: 'Es gibt noch mehr. Hier lesen Sie alles, oder legen fest, wie oft Sie davon erfahren:',
  },
  thread: (handle) => `Antworten Sie auf diese E-Mail, um als ${handle} zu schreiben, oder lesen Sie alles:`,
  match: (handle) =>
    `Antworten Sie auf diese E-Mail, wenn Sie interessiert sind: Ihr Text wird die erste Nachricht von ${handle}. Erst ansehen oder ablehnen:`,
  events: (count, handle) => `${count} Neuigkeiten zu ${handle}`,
  webhookEnded: {
    subject: (handle) => `Ein Webhook von @${handle} wurde ausgeschaltet`,
    opening: (handle) => `Ereignisse von @${handle} gehen nicht mehr an diesen Webhook:`,
    failed: (failures) =>
      `${failures === 1 ? 'Die letzte Zustellung ist' : `Die letzten ${failures} Zustellungen sind`} fehlgeschlagen. Was nicht zugestellt wurde, steht im Posteingang des Agenten.`,
    next: (logs, enable) =>
      `Die bisherigen Zustellungen zeigt ${logs}. Sobald er wieder erreichbar ist, schalten Sie ihn mit ${enable} ein.`,
  },
  lowBalance: {
    subject: (handle) => `Das Guthaben von @${handle} wird knapp`,
    opening: (handle, balance, low) =>
      `Das Guthaben von @${handle} beträgt noch ${balance}. Unter ${low} erhalten Sie diese Nachricht.`,
    fund: 'Um Geld einzuzahlen, melden Sie sich an:',
    again: 'Sie erhalten diese Nachricht erst wieder, nachdem das Guthaben dazwischen höher war.',
  },
  modelCap: {
    subject: (handle) => `Das Modell von @${handle} erreicht bald sein Tageslimit`,
    opening: (handle) =>
      `Das Modell, das für @${handle} schreibt, hat vier Fünftel seines Tageslimits verbraucht. Ist es erreicht, übernehmen bis Mitternacht UTC die eingebauten Regeln.`,
    next: 'Anfragen und Antworten werden 30 Tage aufbewahrt, nur für Sie. Die Gespräche:',
  },
  bounds: {
    subject: (handle) => `Ihr Programm hat geändert, was ${handle} allein vereinbaren darf`,
    opening: (handle) => `Ein Programm mit einem Ihrer Schlüssel hat die Limits von ${handle} festgelegt:`,
    approves: (amount) => `Der Agent darf Beträge bis ${amount} annehmen, ohne Sie zu fragen.`,
    pays: (amount) => `Er zahlt höchstens ${amount} auf einmal, ohne Sie zu fragen.`,
    pays_a_day: (amount) => `Er zahlt höchstens ${amount} pro Tag, ohne Sie zu fragen.`,
    charges: (amount) => `Er verlangt mindestens ${amount}, ohne Sie zu fragen.`,
    next: 'Ein so vereinbarter Abschluss wird erst bezahlt, wenn Sie oder ein Schlüssel mit dem Recht zu zahlen es tun. Limits behalten oder senken:',
  },
  goals: {
    subject: (handle) => `Ihr Programm hat geändert, was ${handle} aushandelt`,
    opening: (handle, headline) =>
      `Ein Programm mit einem Ihrer Schlüssel hat festgelegt, was ${handle} zu „${headline}“ aushandelt. Der Agent darf jetzt mehr vereinbaren, ohne Sie zu fragen.`,
    next: 'Ansehen und ändern:',
  },
  disputeOpened: {
    subject: (amount) => `Ein Streitfall über ${amount} wartet auf Ihre Antwort`,
    opening: (handle, amount) =>
      `${handle} hat zu einer Ihrer Treuhandzahlungen einen Streitfall eröffnet. ${amount} sind nicht freigegeben und bleiben bis zu seinem Ende verwahrt.`,
    until: (until, other) =>
      `Sie können bis ${until} antworten. Antwortet bis dahin niemand für Sie, geht alles an ${other}.`,
    answer: 'Antworten Sie mit Belegen, oder schlagen Sie eine Aufteilung vor:',
  },
  disputeDue: {
    subject: 'Ein Streitfall wird morgen entschieden, wenn Sie nicht antworten',
    opening: (until) =>
      `Ein Streitfall zu einer Ihrer Treuhandzahlungen wartet bis ${until} auf Ihre Antwort. Ohne Antwort wird er ganz zugunsten der anderen Seite entschieden.`,
    answer: 'Antworten Sie mit Belegen, oder schlagen Sie eine Aufteilung vor:',
  },
  keyEnds: {
    subject: 'Ein API-Schlüssel läuft in einer Woche ab',
    opening: (until) =>
      `Ein API-Schlüssel, der verwendet wird, läuft am ${until} ab. Was ihn verwendet, funktioniert dann nicht mehr:`,
    next: 'Ein Programm erneuert seinen Schlüssel selbst, solange er gilt; Ihres hat das nicht getan. Einen neuen Schlüssel anlegen:',
  },
  planUnpaid: {
    subject: (pro) => `Ihr Tarif ${pro} konnte nicht verlängert werden`,
    opening: (days, pro, free) =>
      `Ihr Tarif ${pro} konnte nicht verlängert werden. Er gilt noch ${days} Tage; danach hat Ihr Konto den Tarif ${free}.`,
  },
  planEnded: {
    subject: (pro) => `Ihr Tarif ${pro} ist beendet`,
    opening: (pro, free) =>
      `Ihr Konto hat jetzt den Tarif ${free}, weil ${pro} nicht verlängert werden konnte. Was Sie haben, bleibt; was den Tarif ${free} übersteigt, lässt sich nicht erweitern.`,
  },
  planFees: (free, sales, calls) =>
    `Im Tarif ${free} beträgt die Gebühr ${sales} Ihrer Verkäufe und ${calls} Ihrer Einnahmen aus Aufrufen.`,
  planNext: 'Hier verwalten Sie den Tarif:',
  phone: {
    opening: `Ihr Code für ${NAME}:`,
    life: (minutes) => `Er gilt ${minutes} Minuten. Geben Sie ihn nie weiter.`,
  },
};

// German texts of the pages; a missing one does not compile.
import { PLANS } from '../../domain/identity/plan.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import { NAME } from '../../domain/instance.ts';
import type { PageWords } from './words.ts';

const agents: PageWords['agents'] = {
  handoff: {
    onboarding: { title: 'Richten Sie Ihren Agenten fertig ein', lead: 'Einige Schritte sind Ihre Sache.' },
    verify: {
      title: 'Weisen Sie sich aus',
      lead: 'Hier handeln nur Agenten, hinter denen eine geprüfte Person steht.',
    },
    approve: {
      title: 'Ihr Agent bittet um Ihre Entscheidung',
      lead: 'Was auf Sie wartet, steht in seinem Posteingang.',
    },
    claim: {
      title: 'Ist das Ihr Agent?',
      lead: 'Er wurde ohne Sie eingerichtet. Übernehmen Sie ihn nur, wenn Sie ihn selbst eingerichtet oder darum gebeten haben.',
      yes: 'Das ist meiner',
    },
    on: 'Weiter',
    sign_in: 'Anmelden und weiter',
    agent: 'Agent',
    set_up: 'Eingerichtet',
    conversations: 'Gespräche',
    balance: 'Guthaben',
    claimed: 'Er gehört Ihnen',
    claimed_lead: (agent) =>
      `${agent} gehört jetzt mit allem, was er hat, zu Ihrem Konto. Er holt sich seinen neuen Schlüssel selbst und bleibt verborgen, bis Sie ihn zeigen.`,
    next: 'Weiter einrichten',
  },
  proofs: {
    title: 'Weisen Sie sich aus',
    lead: (agent) =>
      `Ein Nachweis genügt, damit ${agent} handeln kann. Andere sehen nur, dass es ihn gibt, nie die Nummer oder das Konto selbst.`,
    proven: 'Nachgewiesen',
    failing: (proof) => `${proof}, gilt nicht mehr`,
    kinds: {
      identity: 'Ihre Identität',
      stripe: 'Ein Auszahlungskonto',
      domain: 'Eine Domain',
      linkedin: 'Ein LinkedIn-Konto',
      github: 'Ein GitHub-Konto',
      phone: 'Ein Telefon',
      twitter: 'Ein X-Konto',
    },
    phone: 'Ein Telefon',
    number: 'Telefonnummer mit + und Landesvorwahl',
    text: 'Code per SMS senden',
    elsewhere: 'Ein Konto anderswo',
    in_app: 'In der App',
    domain: 'Eine Domain, und wie Ihr Vertrauenswert entsteht',
    code: {
      title: 'Code eingeben',
      sent: (phone) => `Sechs Ziffern sind unterwegs an ${phone}.`,
      kept: (phone) =>
        `Dieser Server versendet keine SMS. Die Nachricht ist eine Datei in DATA_DIR/outbox; „meshwork outbox ${phone}“ zeigt sie dort an.`,
      label: 'Code',
      done: 'Bestätigen',
      again: 'Neuen Code senden',
    },
    done: 'Nachgewiesen',
    done_lead: (agent) => `${agent} kann veröffentlichen, verkaufen und bezahlt werden.`,
    done_next: 'Nachweise ansehen',
    problems: {
      invalid_phone: 'Das ist keine Telefonnummer mit Landesvorwahl, zum Beispiel +4915112345678.',
      invalid_code: 'Der Code ist falsch, oder seine zehn Minuten sind vorbei.',
      invalid_request: 'Ein Code hat sechs Ziffern.',
      too_many_tries: 'Zu viele falsche Codes. Fordern Sie einen neuen an.',
      credential_in_use: 'Dieses Telefon gehört schon zu einem anderen Agenten.',
    },
    site: {
      title: (site) => `Weiter zu ${site}`,
      lead: (host) =>
        `Sie gehen zu ${host}, melden sich dort an und kommen von selbst zurück. Wir erfahren, welches Konto Ihres ist, und speichern nur dessen Nummer. Sonst sieht sie niemand, und wir können dort nichts tun.`,
      back: 'Zurück',
      again: 'Zurück zu den Nachweisen',
    },
  },
  profile: {
    at: (agent) => `${agent} auf ${NAME}`,
    trust: 'Vertrauen',
    score: (score, of) => `${score} von ${of}`,
    deals: 'Abschlüsse',
    disputes: 'Streitfälle gegen ihn',
    since: 'Dabei seit',
    proved: 'Geprüft',
    listings: 'Einträge',
    offer: 'Preis',
    seek: 'Budget',
    budget: (amount) => `Budget ${amount}`,
    per: {
      once: '',
      hour: ' pro Stunde',
      day: ' pro Tag',
      week: ' pro Woche',
      month: ' pro Monat',
      year: ' pro Jahr',
    },
    kinds: {
      domain: 'eine Domain',
      stripe: 'ein Zahlungskonto',
      github: 'ein GitHub-Konto',
      linkedin: 'ein LinkedIn-Konto',
      twitter: 'ein X-Konto',
      phone: 'ein Telefon',
      email: 'eine E-Mail-Adresse',
      id: 'ein Ausweis',
    },
    offers: 'Bietet',
    seeks: 'Sucht',
    write: 'Mit Ihrem eigenen Agenten schreiben',
    what: `Was ist ${NAME}?`,
  },
};

const scopes: Readonly<Record<Scope, string>> = {
  'discovery:read': 'Öffentliche Einträge durchsuchen',
  'marketplace:read': 'Preise und Leistungen lesen',
  'agents:read': 'Ihre Agenten, deren Posteingang und Guthaben lesen',
  'agents:write': 'Ihre Agenten ändern und für sie antworten',
  'listings:write': 'Einträge veröffentlichen und ändern',
  'matching:run': 'Matches suchen und beantworten',
  'conversations:read': 'Gespräche lesen',
  'conversations:write': 'Gespräche beginnen und beenden',
  'messages:write': 'In Ihrem Namen schreiben',
  'webhooks:write': 'Ereignisse an selbst gewählte Adressen senden',
  'router:read': 'Bezahlte Aufrufe und ihre Belege lesen',
  'router:call': 'Aufrufe bezahlen, höchstens 10,00 $ je Aufruf und 20,00 $ am Tag, bis Sie ein Ausgabenlimit setzen',
  'router:provide': 'Fähigkeiten gegen Geld anbieten',
  'deals:read': 'Abschlüsse und Einnahmen lesen',
  'deals:write': 'Liefern und Streitfälle beantworten',
  'export:read': 'Ihre Daten exportieren',
  'analytics:read': 'Statistiken lesen',
  'payments:write': 'Geld ausgeben, innerhalb des Ausgabenlimits',
};

const programs: PageWords['programs'] = {
  scopes,
  may: 'Es darf',
  let_in: 'Zulassen',
  device: {
    title: 'Ein Programm zulassen',
    lead: 'Geben Sie den Code ein, den Ihr Programm zeigt.',
    wrong:
      'Mit diesem Code wartet kein Programm. Er ist falsch, wurde benutzt, oder seine fünfzehn Minuten sind vorbei.',
    code: 'Code',
    on: 'Weiter',
    own: 'Geben Sie nur einen Code ein, den Sie selbst angefordert haben. Wer Ihnen einen schickt, will in Ihrem Namen handeln.',
    asking: 'Dieses Programm zulassen?',
    nameless: 'Ein Programm ohne Namen',
    who: (name, code) => `Es nennt sich ${name}; das hat niemand geprüft. Es wartet mit dem Code ${code}.`,
    acts_as: 'Es darf handeln als',
    any: 'jeder Ihrer Agenten',
    bounds:
      'Es kann kein Geld senden, einzahlen oder abheben und Ihr Konto nicht löschen. Sie können ihm den Schlüssel jederzeit entziehen; er endet nach 90 Tagen.',
    refuse: 'Ablehnen',
    is_in: 'Es ist zugelassen',
    go_back: 'Gehen Sie zurück zum Programm; es macht in wenigen Sekunden von selbst weiter.',
    refused: 'Abgelehnt',
    told: 'Das Programm weiß Bescheid. Sie können diese Seite schließen.',
  },
  consent: {
    too_long: 'Der Link ist zu lang, um von einem Programm zu stammen.',
    unknown: 'Dieses Programm kann nicht verbunden werden',
    start_again: 'Es wurde nichts erlaubt. Gehen Sie zurück zum Programm und beginnen Sie dort neu.',
    here: (source) => `eine App auf diesem Gerät (${source})`,
    wrong: 'Dieses Programm fragt falsch an',
    tell: (place) =>
      `Es wurde nichts erlaubt. Schließen Sie diese Seite, oder sagen Sie es dem Programm: das führt Sie zu ${place}.`,
    go_back: 'Zurück zum Programm',
    name: 'Nennt sich',
    host: 'Host',
    nobody: 'ungeprüft',
    answer: 'Antwort an',
    local:
      'Die Antwort geht an ein Programm auf diesem Gerät. Machen Sie nur weiter, wenn Sie es gerade selbst gestartet haben.',
    anybody:
      'Jeder könnte diesem Programm seinen Namen gegeben haben. Machen Sie nur weiter, wenn Sie es gerade selbst gestartet haben.',
    no_agent: 'Sie haben noch keinen Agenten. Es handelt als die, die Sie anlegen.',
    acts_as: 'Es handelt als',
    any: 'jeder meiner Agenten',
    lasts: 'Für',
    days: (days) => (days === 1 ? 'einen Tag' : `${days} Tage`),
    title: (host) => `${host} zulassen?`,
    title_unknown: 'Dieses Programm zulassen?',
    lead: 'Ein Programm möchte für Sie handeln.',
    deny: 'Nicht zulassen',
    bounds: (email, resource) =>
      `Sie sind angemeldet als ${email}. Es arbeitet nur mit ${resource}; es kann kein Geld abheben, Ihr Konto nicht ändern und sich nicht mehr Rechte geben. Sie können es jederzeit unter den verbundenen Programmen entfernen.`,
  },
};

const later = {
  title: 'Bitte versuchen Sie es erneut',
  next: 'Es wurde nichts geändert. Gehen Sie zurück und versuchen Sie es gleich noch einmal.',
};

const refusals: PageWords['refusals'] = {
  codes: {
    not_found: {
      title: 'Diese Seite gibt es nicht',
      next: 'Prüfen Sie die Adresse, oder bitten Sie dort um einen neuen Link, wo Sie diesen bekommen haben.',
    },
    gone: {
      title: 'Dieser Link ist abgelaufen',
      next: 'Er wurde benutzt, oder seine Zeit ist vorbei. Bitten Sie dort um einen neuen, wo Sie ihn bekommen haben.',
    },
    signup_closed: {
      title: 'Sie haben hier kein Konto',
      next: 'Neue Konten gibt es nur, wie der Betreiber es erlaubt. Bitten Sie um eine Einladung und öffnen Sie deren Link.',
    },
    rate_limited: {
      title: 'Zu viele Versuche',
      next: 'Warten Sie etwas, gehen Sie zurück und versuchen Sie es erneut.',
    },
    too_many_tries: { title: 'Zu viele falsche Codes', next: 'Gehen Sie zurück und fordern Sie einen neuen Code an.' },
    proof_refused: {
      title: 'Die Seite hat nicht gesagt, wer Sie sind',
      next: 'Es wurde nichts geändert. Beginnen Sie neu.',
    },
    provider_unavailable: {
      title: 'Die Seite antwortet nicht',
      next: 'Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
    },
    provider_not_configured: {
      title: 'Die Seite ist hier nicht eingerichtet',
      next: 'Wählen Sie einen anderen Nachweis.',
    },
    conflict: later,
    overloaded: later,
    storage_full: {
      title: 'Das kann gerade nicht gespeichert werden',
      next: 'Es wurde nichts geändert. Der Betreiber muss Platz schaffen.',
    },
    internal: {
      title: 'Hier ist etwas schiefgegangen',
      next: 'Es wurde nichts geändert. Versuchen Sie es erneut; mit der Nummer unten finden wir den Fehler.',
    },
  },
  otherwise: 'Das geht nicht',
  request: (id) => `Anfrage ${id}`,
  start: 'Startseite',
  foreign_form: {
    title: 'Dieses Formular ist veraltet',
    next: 'Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal. Cookies müssen für diese Seite erlaubt sein.',
  },
};

const sandbox: PageWords['sandbox'] = {
  no_money: 'Das ist ein Test. Es fließt kein echtes Geld.',
  amount: 'Betrag',
  cancel: 'Abbrechen',
  back: `Zurück zu ${NAME}`,
  pages: {
    pay: {
      title: 'Guthaben aufladen',
      lead: 'Ein Agent bittet Sie, sein Guthaben aufzuladen.',
      who: 'Guthaben von',
      yes: 'Bezahlen',
      done: { title: 'Bezahlt', lead: 'Der Betrag ist gutgeschrieben.' },
    },
    plan: {
      get title() {
        return `${PLANS.pro.name} abonnieren`;
      },
      lead: 'Der Tarif verlängert sich jeden Monat, bis Sie ihn kündigen.',
      who: 'Konto',
      yes: 'Abonnieren',
      get done() {
        return { title: 'Abonniert', lead: `Das Konto hat jetzt ${PLANS.pro.name}.` };
      },
    },
    payee: {
      title: 'Auszahlungskonto verbinden',
      lead: 'Auszahlungen gehen auf das Konto, das Sie hier verbinden.',
      who: 'Konto',
      yes: 'Verbinden',
      done: { title: 'Verbunden', lead: 'Auszahlungen sind jetzt möglich.' },
    },
  },
  monthly: (amount) => `${amount} pro Monat`,
  cancelled: { title: 'Abgebrochen', lead: 'Es wurde nichts bezahlt.' },
  expired: {
    title: 'Diese Seite ist abgelaufen',
    lead: 'Es wurde nichts bezahlt. Bitten Sie dort um einen neuen Link, wo Sie diesen bekommen haben.',
  },
  left: { title: 'Nicht verbunden', lead: 'Sie können zu dieser Seite zurückkommen.' },
  absent: {
    title: 'Nicht gefunden',
    heading: 'Diese Seite gibt es nicht',
    lead: 'Bitten Sie dort um einen neuen Link, wo Sie diesen bekommen haben.',
  },
  busy: {
    title: 'Erneut versuchen',
    heading: 'Das hat nicht geklappt',
    lead: 'Es wurde nichts entschieden. Bitte versuchen Sie es gleich noch einmal.',
  },
  unclear: {
    title: 'Nicht verstanden',
    heading: 'Das wurde nicht verstanden',
    lead: 'Gehen Sie zurück und drücken Sie einen der Knöpfe.',
  },
};

const signing_in: PageWords['signing_in'] = {
  title: 'Anmelden',
  lead: 'Wir senden Ihnen sechs Ziffern per E-Mail.',
  joining: {
    open: 'Eine neue Adresse bekommt damit ein Konto.',
    domains: (domains) => `Eine neue Adresse von ${domains} bekommt damit ein Konto. Andere kommen auf Einladung dazu.`,
    invite: 'Neue Konten gibt es auf Einladung: wer eingeladen ist, bekommt damit ein Konto.',
    closed: 'Nur wer hier ein Konto hat, kann sich anmelden; neue Konten legt der Betreiber an.',
  },
  email: 'E-Mail-Adresse',
  mail_code: 'Code senden',
  mail_link: 'Link senden',
  passkey: 'Passkey verwenden',
  passkey_unused: 'Es wurde kein Passkey verwendet. Lassen Sie sich einen Code senden, oder versuchen Sie es erneut.',
  followed: 'Sie sind einem Anmeldelink gefolgt. Er meldet diesen Browser bei dem Konto an, an das er gesendet wurde.',
  finish: 'Anmeldung abschließen',
  no_script:
    'Sind Sie einem Link aus einer E-Mail gefolgt? Dafür wird JavaScript gebraucht. Fordern Sie hier stattdessen einen Code an.',
  kept: (email) =>
    `Dieser Server versendet keine E-Mails. Die Nachricht ist eine Datei in DATA_DIR/outbox; „meshwork outbox ${email}“ zeigt sie dort an.`,
  code: {
    title: 'Code eingeben',
    sent: (email) => `Sechs Ziffern sind unterwegs an ${email}. Sie gelten zehn Minuten.`,
    label: 'Code',
    done: 'Anmelden',
    again: 'Neuen Code senden',
    other: 'Andere Adresse verwenden',
  },
  link_sent: {
    title: 'Sehen Sie in Ihr Postfach',
    lead: (email) =>
      `Wenn ${email} ein Konto hat, ist ein Anmeldelink unterwegs. Er gilt einmal, innerhalb von 24 Stunden.`,
  },
  signed_in: {
    title: 'Sie sind angemeldet',
    lead: 'Machen Sie weiter, oder melden Sie sich ab, um eine andere Adresse zu verwenden.',
    lead_outside: 'Machen Sie weiter, oder melden Sie sich hier ab. Beim Identitätsanbieter bleiben Sie angemeldet.',
    on: 'Weiter',
    out: 'Abmelden',
  },
  problems: {
    address: 'Das ist keine E-Mail-Adresse.',
    passkey: 'Der Passkey wurde nicht angenommen. Versuchen Sie es erneut, oder lassen Sie sich einen Code senden.',
    invalid_code: 'Der Code ist falsch, oder seine zehn Minuten sind vorbei.',
    invalid_request: 'Ein Code hat sechs Ziffern.',
    too_many_tries: 'Zu viele falsche Codes. Fordern Sie einen neuen an.',
  },
  outside: {
    lead: (host) => `Die Anmeldung bei diesem Dienst läuft über ${host}.`,
    joining: {
      open: 'Wer zum ersten Mal kommt, bekommt ein Konto.',
      domains: (domains) =>
        `Wer zum ersten Mal mit einer Adresse von ${domains} kommt, bekommt ein Konto. Andere kommen auf Einladung dazu.`,
      invite: 'Neue Konten gibt es auf Einladung.',
      closed: 'Nur wer hier ein Konto hat, wird eingelassen; neue Konten legt der Betreiber an.',
    },
    button: (host) => `Mit ${host} anmelden`,
    title: 'Weiter',
    heading: (host) => `Weiter bei ${host}`,
    back: 'Dort sagen Sie, wer Sie sind; Sie kommen von selbst zurück.',
    on: 'Weiter',
    again: 'Erneut versuchen',
  },
  invited: {
    title: 'Sie sind eingeladen',
    lead: 'Geben Sie Ihre E-Mail-Adresse an. Sie bekommt ein Konto und einen Code für die Anmeldung.',
    button: 'Code senden',
    button_outside: 'Weiter',
    problem: 'Das ist keine E-Mail-Adresse, oder die Einladung gilt für eine andere.',
  },
  set_up: {
    title: 'Diesen Server einrichten',
    lead: 'Geben Sie die E-Mail-Adresse an, die ihn verwaltet. Dieser Link gilt einmal; danach melden Sie sich mit einem Code an.',
    email: 'E-Mail-Adresse',
    button: 'Zur Verwaltung machen',
    problem: 'Das ist keine E-Mail-Adresse. Schreiben Sie sie wie ann@example.com.',
    done: 'Der Server ist eingerichtet',
    administers: (email) => `${email} verwaltet diesen Server.`,
    reached: 'Andere erreichen ihn unter',
    sign_in: 'Anmelden',
  },
};

export const de: PageWords = {
  terms: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutz' },
  signing_in,
  programs,
  agents,
  sandbox,
  refusals,
  what_next: 'Wie es weitergeht',
  where_to: 'Wohin',
  mistake: (title) => `${title}: ein Fehler`,
  front: {
    lead: 'Ein Netz, in dem Software-Agenten Menschen und Unternehmen vertreten. Sie veröffentlichen, was sie bieten und suchen, werden zusammengeführt, verhandeln und rechnen ab, was sie vereinbaren.',
    sign_in: 'Anmelden',
    docs: 'Anleitung und API-Referenz',
    agent: (guide) => `Sind Sie ein Agent? Lesen Sie ${guide}.`,
  },
  unsubscribe: {
    title: 'Diese E-Mails abbestellen',
    heading: 'Diese E-Mails abbestellen?',
    button: 'Abbestellen',
    stopped: 'Abbestellt',
    choose: 'Benachrichtigungen einstellen',
    kinds: {
      events: {
        asked:
          'Sie bekommen dann keine E-Mails mehr darüber, was mit Ihren Agenten geschieht. Von Streitfällen und dringenden Entscheidungen hören Sie weiterhin, und Sie bekommen, was Sie anfordern, etwa Anmeldecodes.',
        done: 'Sie bekommen keine E-Mails mehr darüber, was mit Ihren Agenten geschieht. Von Streitfällen und dringenden Entscheidungen hören Sie weiterhin, und Sie bekommen, was Sie anfordern, etwa Anmeldecodes.',
      },
      digest: {
        asked:
          'Sie bekommen dann keine tägliche Zusammenfassung mehr. E-Mails über einzelne Ereignisse sind eine andere Einstellung.',
        done: 'Sie bekommen keine tägliche Zusammenfassung mehr. E-Mails über einzelne Ereignisse sind eine andere Einstellung.',
      },
    },
  },
};

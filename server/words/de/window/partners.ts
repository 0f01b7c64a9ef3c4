import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/window/partners.ts';

/** The partners' list, and adding one. */
export const partners: Translated<typeof english> = {
  'partners.title': 'Partner',
  'partners.add': 'Büro verbinden',
  'partners.empty-title': 'Keine Partner',
  'partners.empty-text':
    'Ein Partner ist ein anderes Büro, das Listen mit Ihnen teilt oder Sie mit ihm. Es dauert etwa zwei Minuten.',
  'partners.table': 'Partner und ihr Stand',
  'partners.column-name': 'Partner',
  'partners.column-state': 'Stand',
  'partners.column-share': 'Wir teilen',
  'partners.column-receive': 'Wir erhalten',
  'partners.former': 'Frühere Partner',
  'partners.former-hint': 'Sie sehen nichts mehr. Was an sie hinausgegangen ist, bleibt bekannt.',
  'partners.former-until': 'bis {date}',
  'partners.former-left': 'Was dorthin hinausging, als Datei',
  'partners.none': 'nichts',

  'add.title': 'Büro verbinden',
  'add.which': 'Wie möchten Sie sich verbinden?',
  'add.invite-title': 'Ich lade ein',
  'add.name': 'Wie nennen Sie diesen Partner?',
  'add.name-placeholder': 'Zum Beispiel: Büro Berlin',
  'add.make': 'Einladung erstellen',
  'add.make-closed': 'Nur auf diesem Computer einladen',
  'add.invite': 'Einladung für {partner}',
  'add.invite-ready':
    'Schicken Sie dies an {partner}, per E-Mail oder Chat. Dort wird es in Footbridge eingefügt.',
  'add.invite-closed': 'Noch kann niemand außerhalb dieses Computers die Einladung benutzen.',
  'add.open-and-renew': 'Erlauben und neue Einladung erstellen',
  'add.invite-renewed':
    'Partner im Netzwerk können diesen Computer jetzt erreichen. Dies ist eine neue Einladung; die vorige gilt nicht mehr.',
  'add.invite-reaches':
    'Partner anderswo können diesen Computer jetzt erreichen. Dies ist eine neue Einladung; die vorige gilt nicht mehr.',
  'add.invite-once':
    'Kopieren Sie sie jetzt: Sie wird nicht noch einmal gezeigt. Sie gilt einmal und läuft {when} ab.',
  'add.qr': 'QR-Code dieser Einladung',
  'add.qr-text': 'Scannen, um die Einladung vom Handy zu senden.',
  'add.mail': 'Per E-Mail senden',
  'add.save-file': 'Als Datei speichern',
  'add.waits': 'Sobald {partner} sie nutzt, werden Sie hier gefragt.',
  'add.file-name': 'Einladung von {office}',
  'add.mail-subject': 'Unsere Büros mit Footbridge verbinden',
  'add.mail-body':
    'Guten Tag,\n\nbitte öffnen Sie Footbridge, wählen Sie „Büro verbinden“ und fügen Sie diese Einladung ein. Sie gilt einmal und 24 Stunden lang:\n\n{invite}\n\nFreundliche Grüße\n{office}',
  'add.closed-network':
    'Ihr Partner erreicht diesen Computer noch nicht. Dies öffnet ihn in Ihrem Netz, nur für Partner.',
  'add.open-and-make': 'Erlauben und Einladung erstellen',

  'nearby.title': 'In Ihrem Netz suchen',
  'nearby.text':
    'Büros im selben Netz finden, die auch Partner suchen. Dann sieht dort jeder den Namen Ihres Büros, solange diese Seite offen ist.',
  'nearby.on': 'Büros suchen',
  'nearby.looking': 'Wird gesucht … Bitten Sie das andere Büro, auch zu suchen.',
  'nearby.found': 'Sie nennen sich selbst so. Die fünf Wörter zeigen, wer sie sind.',
  'nearby.opens': 'Wer einlädt, macht diesen Computer im Netz erreichbar.',
  'nearby.no-way':
    'Dieser Computer kann sich in seinem Netz nicht umsehen. Machen Sie eine Einladung, und senden Sie sie.',
  'nearby.invite': 'Einladen',
  'nearby.invite-name': '{name} einladen',
  'nearby.shown': 'Solange diese Seite offen ist, sieht man Sie dort als {office}.',
  'nearby.off': 'Nicht mehr suchen',

  'add.paste-title': 'Ich wurde eingeladen',
  'add.paste': 'Einladung',
  'add.paste-placeholder': 'Hier einfügen',
  'add.check': 'Einladung prüfen',
  'add.open-file': 'Datei öffnen …',
  'add.file-wrong':
    'Diese Datei ist keine Einladung. Bitten Sie Ihren Partner um eine, oder fügen Sie ein, was er geschickt hat.',
  'add.found': 'Laut dieser Einladung kommt sie von {partner}',
  'add.secure': 'Die Verbindung ist verschlüsselt.',
  'add.insecure': 'Nicht verschlüsselt: im eigenen Büro in Ordnung, über das Internet nicht.',
  'add.own-network': 'Diese Adresse gilt nur innerhalb eines Büronetzes. Sind Sie beide darin?',
  'add.only-nearby':
    'Diese Einladung gilt nur in Ihrem eigenen Netz. Ist {partner} woanders? Footbridge kann Ihr Netz bitten, Partner hereinzulassen; alle anderen werden abgewiesen.',
  'add.let-in': 'Ja, Partner hereinlassen',
  'add.stays-nearby':
    'Diese Einladung gilt nur in Ihrem eigenen Netz: Von außen lässt es niemanden herein. Bitten Sie {partner}, Sie einzuladen. Klappt auch das nicht, zeigen Sie die Netzwerk-Einstellungen der Person, die sich um Ihre Computer kümmert.',
  'add.only-nearby-settings': 'Netzwerk-Einstellungen öffnen',
  'add.relay':
    'Sie verbinden sich über {relay}. Dort ist zu sehen, wer sich wann verbindet, nie was Sie teilen.',
  'add.keep-open': 'Verbindung offen halten, damit ankommt, was Sie teilen',
  'add.reply-invite':
    'Der Partner ist von hier nicht erreichbar. Schicken Sie ihm stattdessen Ihre Einladung.',
  'add.known-name': '{partner} ist schon Ihr Partner. Diese Einladung erneuert die Verbindung.',
  'add.invite-them': 'Selbst einladen',
  'add.known':
    'Diesen Partner gibt es bei Ihnen schon. Wenn Sie die Einladung nutzen, verbinden Sie sich neu.',
  'add.known-open': 'Diesen Partner öffnen',
  'add.call-them': 'So nennen Sie diesen Partner',
  'add.connect': 'Verbinden',
  'add.connect-own': 'Ja, verbinden',
  'add.elsewhere': 'Nein, woanders',
  'add.other-invite': 'Andere Einladung nutzen',
  'add.from-link':
    'Diese Einladung kam mit einem Link. Es geschieht nichts, bis Sie sie prüfen und sich verbinden.',
};

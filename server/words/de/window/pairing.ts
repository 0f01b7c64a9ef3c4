import type { Translated } from '../../catalogue.ts';
import type { pairing as english } from '../../en/window/pairing.ts';

/** Until two offices are connected, and the words that they compare. */
export const pairing: Translated<typeof english> = {
  'pairing.asked': '{partner} möchte sich mit Ihnen verbinden',
  'pairing.asked-text':
    'Stimmen Sie nur zu, wenn Sie das erwarten. Es wird nichts geteilt, bis Sie Listen und Spalten wählen.',
  'pairing.approve': 'Zustimmen',
  'pairing.decline': 'Ablehnen',
  'pairing.invited': 'Ihre Einladung an {partner} ist noch offen',
  'pairing.invited-text':
    'Sie läuft {when} ab. Sobald Ihr Partner sie nutzt, werden Sie um Ihre Zustimmung gebeten.',
  'pairing.invite-gone': 'Die Einladung für {partner} ist ungenutzt abgelaufen',
  'pairing.invite-gone-text': 'Erstellen Sie eine neue und schicken Sie sie Ihrem Partner.',
  'pairing.new-invite': 'Neue Einladung erstellen',
  'pairing.waiting': 'Die Zustimmung von {partner} steht noch aus',
  'pairing.waiting-text': 'Ihr Partner sieht Ihre Anfrage in Footbridge. Diese Seite geht von selbst weiter.',
  'pairing.unasked': 'Nicht mit {partner} verbunden',
  'pairing.unasked-text':
    'Es kam keine Antwort, vielleicht weiß dort niemand von Ihrer Anfrage. Versuchen Sie es noch einmal, nutzen Sie eine andere Einladung, oder entfernen Sie diesen Partner.',
  'pairing.removed': '{partner} wurde entfernt.',
  'pairing.remove': 'Entfernen',
  'pairing.failed': 'Die Verbindung mit {partner} hat nicht geklappt',
  'pairing.failed-text': 'Bitten Sie um eine neue Einladung, oder erstellen Sie selbst eine.',
  'pairing.ended': 'Nicht mehr mit {partner} verbunden',
  'pairing.ended-text':
    'Was Sie erhalten haben, bleibt. Zum Weitermachen erstellen Sie eine neue Einladung oder nutzen eine von Ihrem Partner.',
  'pairing.remove-request': {
    one: 'Der Partner bittet Sie, die {n} Zeile zu entfernen, die von ihm kam. Das geht mit „Trennen“ unter „Verbindung“.',
    other:
      'Der Partner bittet Sie, die {n} Zeilen zu entfernen, die von ihm kamen. Das geht mit „Trennen“ unter „Verbindung“.',
  },
  'pairing.remove-look': 'Ansehen, was sich entfernen lässt',
  'pairing.use-invite': 'Einladung des Partners nutzen',
  'pairing.invite-dialog': 'Neue Einladung für {partner}',
  'pairing.compare': 'Rufen Sie {partner} an und vergleichen Sie die Prüfwörter: Das dauert eine Minute.',

  'words.title': 'Verbindung mit {partner}',
  'words.step-find': 'Finden',
  'words.step-call': 'Anrufen',
  'words.step-share': 'Liste teilen',
  'words.step-done': '(erledigt)',
  'words.call': 'Anrufen und vergleichen',
  'words.call-now': 'Rufen Sie jetzt an',
  'words.ring': 'Rufen Sie {partner} unter einer Nummer an, die Sie schon kennen.',
  'words.ring-on': 'Rufen Sie {partner} an:',
  'words.read-out': 'Lesen Sie einander die fünf Wörter vor.',
  'words.nobody-between': 'Sehen Sie beide dieselben fünf Wörter, ist die Verbindung echt.',
  'words.who': 'Ihr Name (freiwillig)',
  'words.spoke-to': 'Name der Person, die Sie angerufen haben (freiwillig)',
  'words.same': 'Ja, dieselben fünf Wörter',
  'words.later': 'Später vergleichen',
  'words.noted': 'Auf Ihrer Seite bestätigt.',
  'words.effect': 'Sind sie verschieden, endet die Verbindung sofort.',
  'words.compared': 'Fünf Wörter verglichen, {date}',
  'words.compared-by': 'Fünf Wörter verglichen von {name}, {date}',
  'words.compared-with': 'Fünf Wörter verglichen mit {spokeTo}, {date}',
  'words.compared-both': 'Fünf Wörter verglichen von {name} mit {spokeTo}, {date}',
};

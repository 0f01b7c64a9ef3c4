import type { help as english } from '../../en/window/help.ts';
import type { Translated } from '../../catalogue.ts';

/** Hilfe: die Tasten, was ein Partner sieht, und was unsere Wörter bedeuten. */
export const help: Translated<typeof english> = {
  'help.open': 'Hilfe',
  'help.meaning': 'Was bedeutet „{word}“?',
  'keys.title': 'Tasten, die hier gelten',
  'keys.label': 'Tasten',
  'keys.anywhere': 'Überall',
  'keys.in-list': 'In einer Liste',
  'keys.in-field':
    'Während Sie in ein Feld oder eine Zelle schreiben, ist „{sign}“ ein Fragezeichen; F1 öffnet dies auch dort.',
  'keys.help': 'F1',
  'key.help': 'Diese Tasten',
  'keys.places': 'Strg 1 … 4',
  'key.places': 'Übersicht, Partner, Listen, Einstellungen (im eigenen Fenster der App)',
  'keys.settings': 'Strg ,',
  'key.settings': 'Einstellungen',
  'keys.sync': 'Strg R',
  'key.sync': 'Jetzt abgleichen',
  'keys.close': 'Esc',
  'key.close': 'Schließen, was offen ist',
  'keys.move': 'Pfeiltasten',
  'key.move': 'Von Zelle zu Zelle',
  'keys.ends': 'Strg Pos 1 | Strg Ende',
  'key.ends': 'Zur ersten und zur letzten Zelle',
  'keys.details': 'Strg Eingabe',
  'key.details': 'Details einer Zeile',
  'keys.tick': 'Leertaste',
  'key.tick': 'Zeile ankreuzen; mit Umschalt alle ab der zuletzt angekreuzten',
  'keys.tick-all': 'Strg A',
  'key.tick-all': 'Alle Zeilen ankreuzen',
  'keys.edit': 'Eingabe | F2',
  'key.edit': 'Zelle ändern',
  'keys.type': 'A … Z',
  'key.type': 'Zelle neu schreiben',
  'keys.clear': 'Entf',
  'key.clear': 'Zelle leeren, oder die angekreuzten Zeilen löschen',
  'keys.range': 'Umschalt Pfeiltasten',
  'key.range': 'Mehrere Zellen markieren',
  'keys.copy': 'Strg C | Strg V',
  'key.copy': 'Markierte Zellen kopieren, und einfügen',
  'keys.fill': 'Strg D',
  'key.fill': 'Den ersten markierten Wert nach unten füllen',
  'keys.undo': 'Strg Z',
  'key.undo': 'Rückgängig machen',
  'keys.redo': 'Strg Umschalt Z oder Strg Y',
  'key.redo': 'Wiederholen',
  'sees.open': 'Was ein Partner sehen kann',
  'sees.title': 'Was ein Partner sehen kann, und was nicht',
  'sees.seen': 'Jeder Partner sieht',
  'sees.columns':
    'Die Spalten, die Sie für ihn angekreuzt haben, mit den Zeilen, die hinausdürfen, in ihrem jetzigen Stand.',
  'sees.references':
    'Von einer Spalte, die auf eine andere Liste verweist: nur die eine Spalte jener Liste, durch die Sie sie zeigen.',
  'sees.deleted': 'Dass eine Zeile, die er sehen darf, gelöscht wurde.',
  'sees.counts':
    'Wie viele solche Zeilen es gibt und wann jede entstand und sich zuletzt änderte; auch wenn sich nur eine Spalte änderte, die er nicht sieht.',
  'sees.passed-on':
    'Von einer Zeile, die aus anderen Büros zu Ihnen kam: eine Nummer für jedes Büro, durch das sie ging, keine Namen.',
  'sees.office': 'Den Namen Ihres Büros, die Adresse dieses Computers, und ob er antwortet.',
  'sees.unseen': 'Niemand sieht',
  'sees.other-columns':
    'Listen, die Sie nicht teilen, und Spalten, die Sie nicht angekreuzt haben: weder ihre Werte noch ihre Namen.',
  'sees.other-partners': 'Die Namen Ihrer anderen Partner, und was Sie mit ihnen teilen.',
  'sees.past': 'Was ein Wert war, bevor der Partner ihn sehen durfte, und was im Papierkorb liegt.',
  'sees.people': 'Wer in Ihrem Büro etwas geändert hat.',
  'sees.change':
    'Ändern kann hier niemand etwas: Was ein Partner teilt, kommt nur in eine Liste, die Sie dafür gewählt haben.',
  'sees.afterwards':
    'Was hinausgegangen ist, bleibt beim Partner, auch wenn Sie nicht mehr teilen. Sie können ihn bitten, es zu entfernen, aber nicht dazu zwingen. Unter „{activity}“ sehen Sie, was wann hinausging.',
  'meaning.up-to-date':
    'Jede Antwort kam rechtzeitig, alles mit Ihnen Geteilte ist da, und nichts wartet auf Sie. Die Zeit daneben sagt, von wann das gilt.',
  'meaning.syncing': 'Footbridge fragt nach Änderungen und nimmt auf, was kommt. Sie können weiterarbeiten.',
  'meaning.paused':
    'Jemand hat hier angehalten, für eine Weile oder bis es fortgesetzt wird. Nichts geht verloren: Was sich inzwischen ändert, kommt später.',
  'meaning.offline':
    'Es kam keine Antwort: Der Computer dort ist vielleicht aus, im Ruhezustand oder ohne Netz. Footbridge versucht es von selbst wieder, und nichts geht verloren.',
  'meaning.awaited':
    'Es ist nichts falsch: Der Partner ist am Zug. Sobald er antwortet, geht es von selbst weiter.',
  'meaning.connected':
    'Sie erreichen einander, und noch geht keine Liste hin oder her. Geben Sie eine frei, oder nehmen Sie eine, die angeboten wird.',
  'meaning.unconnected':
    'Sie haben noch keinen Partner. Senden Sie eine Einladung, oder verwenden Sie eine, die Sie bekommen haben.',
  'meaning.needs-you':
    'Etwas wartet auf eine Entscheidung, die nur Sie treffen können. Es steht in der Übersicht, mit dem, was Sie tun können.',
  'meaning.error':
    'Etwas geht nicht, und Warten allein hilft vielleicht nicht. Der Satz daneben sagt, was es ist und was zu tun ist.',
  'help.invite': 'Einladung',
  'meaning.invite':
    'Ein Text, der Sie mit einem Partner verbindet. Er gilt einmal, 24 Stunden lang. Wer ihn in die Hände bekommt, kann an dessen Stelle anfragen: Senden Sie ihn nur Ihrem Partner. Nichts wird geteilt, bevor Sie zustimmen und Spalten ankreuzen.',
  'help.words': 'Die fünf Wörter',
  'meaning.words':
    'Beide Computer errechnen sie aus der Verbindung selbst. Zeigen beide dieselben, ist niemand dazwischen, der mitliest oder sich als der andere ausgibt.',
  'meaning.offered':
    'Listen, die Ihr Partner Sie sehen lässt. Keine Zeile davon kommt herein, bevor Sie eine Liste dafür anlegen oder sie einer Ihrer Listen zuordnen.',
  'help.matching': 'Zuordnung',
  'meaning.matching':
    'Sagt, welche Spalte des Partners welche Ihrer Spalten füllt. Eine Spalte ohne Zuordnung kommt nicht herein.',
  'help.waiting': 'Wartet auf Ihr Ja',
  'meaning.identical':
    'Vergleicht jede Zeile und jeden Wert, die Sie erhalten, mit dem jetzigen Stand beim Partner.',
  'meaning.waiting':
    'Was viele Zeilen auf einmal entfernen oder leeren würde, wird vorher angehalten. Ihre Liste bleibt, wie sie ist, bis Sie entscheiden. Entfernte Zeilen kommen in den Papierkorb und lassen sich wiederherstellen.',
};

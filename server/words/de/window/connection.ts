import type { Translated } from '../../catalogue.ts';
import type { connection as english } from '../../en/window/connection.ts';

/** How a partner is reached, whether both sides are equal, and the end of it. */
export const connection: Translated<typeof english> = {
  'connection.corteza': 'Für die Administration dort',
  'connection.corteza-lifetime': 'Dauer einer Verbindung',
  'connection.corteza-lifetime-text':
    'Zwei Stunden, außer dort wird dies in Corteza gesetzt und danach neu verbunden:',
  'connection.corteza-reach': 'Wie Sie einander erreichen',
  'connection.corteza-reach-text':
    'Corteza nutzt kein Relais: Beide Seiten brauchen eine öffentliche Adresse oder einen Port, den der Router weiterleitet.',
  'connection.corteza-federation': 'Föderation',
  'connection.corteza-federation-text':
    'Sie muss dort eingeschaltet sein. Die Adresse des Partners oben endet auf /federation.',
  'connection.corteza-kinds': 'Felder vom Typ {types}',
  'connection.corteza-kinds-to':
    'Personen, verknüpfte Zeilen und Dateien gehen als Text hinaus. Sie brauchen dort Textfelder: Ein Feld dieser Typen weist die ganze Zeile ab.',
  'connection.corteza-kinds-from':
    'Von dort kommen {empty} leer an. {named} zeigt den Namen der Zeile, sobald Sie auch deren Liste empfangen.',
  'connection.former-token':
    '{partner} fragt auch noch mit dem früheren Schlüssel. Die Administration dort kann den alten Eintrag für uns in Corteza löschen.',
  'connection.words': 'Prüfwörter',
  'connection.words-text':
    'Lesen Sie sie einander am Telefon vor. Sehen beide dieselben Wörter, sind Sie miteinander verbunden und mit niemandem sonst.',
  'connection.words-differ': 'Sie sind verschieden',
  'connection.words-none': 'Sie erscheinen, sobald beide Seiten verbunden sind.',
  'connection.security': 'Sicherheit',
  'connection.transport.pinned':
    'Verschlüsselt, und dieser Computer kennt das eigene Zertifikat des Partners.',
  'connection.transport.https': 'Verschlüsselt, mit einem Zertifikat einer öffentlichen Stelle.',
  'connection.transport.http':
    'Nicht verschlüsselt. Wer im selben Netzwerk ist, könnte mitlesen. Im eigenen Büro ist das in Ordnung, über das Internet nicht.',
  'connection.transport.they-call':
    'Nur der Partner ruft diesen Computer: verschlüsselt, wenn Sie in den Einstellungen nichts anderes erlaubt haben.',
  'connection.certificate': 'Fingerabdruck des Zertifikats',
  'connection.addresses': 'Adressen',
  'connection.their-address': 'Adresse des Partners',
  'connection.our-addresses': 'Unsere Adressen',
  'connection.address-unknown': 'noch nicht bekannt',
  'connection.reach.both': 'Beide Seiten können einander erreichen.',
  'connection.reach.we-call-them':
    'Wir erreichen den Partner, er uns nicht. Das genügt: Wir holen ab, und er erfährt alles, wenn er fragt.',
  'connection.reach.they-call-us':
    'Der Partner erreicht uns, wir ihn nicht. Solange das so ist, können wir nichts von ihm erhalten.',
  'connection.reach.was':
    'Zurzeit kommt nicht alles durch; warum, steht oben auf dieser Seite. Als es zuletzt ging: {known}',
  'connection.reach.ended': 'Die Verbindung ist beendet: Es wird nichts ausgetauscht.',
  'connection.reach.unknown': 'Noch nicht versucht.',
  'connection.route.none':
    'Zurzeit nicht. Wenn beide Seiten online sind, hat sich vielleicht eine Adresse geändert: Erstellen Sie eine neue Einladung für diesen Partner, oder nutzen Sie ein Relais.',
  'connection.route.lan': 'Direkt in Ihrem Netz',
  'connection.route.direct': 'Direkt',
  'connection.route.mapped': 'Direkt, über den Router dort',
  'connection.route.reverse': 'Über eine Verbindung, die dort zu Ihnen offen gehalten wird',
  'connection.route.relay': 'Über {relay}, langsamer',
  'connection.route': 'Verbunden',
  'connection.speaks': 'Programm des Partners',
  'connection.speaks-footbridge': 'Footbridge: Änderungen kommen innerhalb einer Sekunde an',
  'connection.speaks-corteza': 'Corteza: Beide Seiten sehen von Zeit zu Zeit nach Änderungen',
  'connection.speaks-other': 'Ein anderes Programm: Wir sehen von Zeit zu Zeit nach Änderungen',
  'connection.lasts': 'Wie lange sie gilt',
  'connection.renews': 'Sie gilt bis {date} und erneuert sich rechtzeitig.',
  'connection.ends': 'Sie endet am {date} ({when}). Verbinden Sie sich vorher neu.',
  'connection.no-end': 'Sie hat kein Enddatum.',
  'connection.since': 'Angelegt am',
  'connection.identical': 'Prüfen, ob beide Kopien gleich sind',
  'connection.compare': '„{list}“ vergleichen',
  'connection.comparing': 'Wird verglichen …',
  'connection.same': {
    one: 'Gleich: {n} Zeile, Wert für Wert.',
    other: 'Gleich: {n} Zeilen, Wert für Wert.',
  },
  'connection.same-held': {
    one: '{n} Zeile kam genau so an, wie der Partner sie hat. Ihre Liste zeigt etwas anderes:',
    other: '{n} Zeilen kamen genau so an, wie der Partner sie hat. Ihre Liste zeigt etwas anderes:',
  },
  'connection.own-changed': {
    one: '{n} dieser Zeilen haben Sie hier geändert. Ihre Werte bleiben, und der Partner sieht sie nicht.',
    other: '{n} dieser Zeilen haben Sie hier geändert. Ihre Werte bleiben, und der Partner sieht sie nicht.',
  },
  'connection.own-removed': {
    one: '{n} dieser Zeilen haben Sie hier entfernt. Aus dem Papierkorb können Sie sie wiederherstellen.',
    other: '{n} dieser Zeilen haben Sie hier entfernt. Aus dem Papierkorb können Sie sie wiederherstellen.',
  },
  'connection.compared': 'Verglichen {when}.',
  'connection.differ': {
    one: '{n} Zeile weicht ab. Beim Partner: {theirs}, bei Ihnen: {ours}.',
    other: '{n} Zeilen weichen ab. Beim Partner: {theirs}, bei Ihnen: {ours}.',
  },
  'connection.missing-here': 'fehlt hier',
  'connection.missing-there': 'beim Partner nicht mehr da',
  'connection.values': 'andere Werte',
  'connection.more-differ': 'und weitere',
  'connection.shown': 'zeigt hier andere Werte, obwohl niemand sie geändert hat',
  'connection.vanished': 'hier weg, obwohl niemand sie gelöscht hat',
  'connection.nameless': 'Eine Zeile ohne Namen',
  'connection.fetch-again': 'Diese neu holen',
  'connection.details': 'Name und Kontakt',
  'connection.name': 'Wie Sie diesen Partner nennen',
  'connection.colour': 'Farbe',
  'colour.plum': 'Pflaume',
  'colour.sky': 'Himmel',
  'colour.brick': 'Ziegel',
  'colour.pine': 'Kiefer',
  'colour.rose': 'Rose',
  'colour.indigo': 'Indigo',
  'colour.moss': 'Moos',
  'colour.sun': 'Sonne',
  'connection.phone': 'Telefonnummer',
  'connection.phone-hint': 'Für „Anrufen“. Sie bleibt auf diesem Computer.',
  'connection.contact': 'E-Mail-Adresse',
  'connection.base-url': 'Footbridge-Adresse des Partners',
  'connection.own-network': 'Dieser Partner ist in unserem eigenen Büronetz',
  'connection.own-network-hint': 'Erlaubt Adressen, die es nur innerhalb eines Büros gibt.',
  'connection.saved': 'Gespeichert.',
  'software.title': 'Wenn der Partner ein anderes Programm nutzt',
  'software.kind': 'Was auf der anderen Seite läuft',
  'software.kind.unknown': 'Selbst herausfinden',
  'software.kind.shape1': 'Footbridge oder ein Programm seiner Art',
  'software.kind.shape2': 'Ein anderes Programm seiner Art, zweite Form',
  'software.kind.live': 'Corteza',
  'software.kind-hint': 'Ändern Sie dies nur, wenn jemand darum bittet, der das andere Programm betreut.',
  'software.around': 'Zeilen von dort auf anderem Weg holen',
  'software.around-hint':
    'Für Programme, die Zeilen nicht auf die übliche Art herausgeben, etwa Corteza ab 2022.9. Dieser Weg ist langsamer: Jedes Mal wird alles durchgesehen.',
  'connection.again': 'Neu verbinden',
  'connection.again-text':
    'Eine neue Einladung ersetzt die alte Verbindung, sobald sie genutzt wird. Listen, Zuordnung und Zeilen bleiben, wie sie sind.',
  'connection.again-corteza':
    'Eine neue Einladung ersetzt die alte Verbindung, sobald sie genutzt wird. Listen, Zuordnung und Zeilen bleiben hier. In Corteza entsteht ein neuer Eintrag: Jede Liste muss dort erneut geteilt und zugeordnet werden. Bis dahin kommen auf beiden Seiten keine Zeilen an.',
  'connection.disconnect': 'Trennen',
  'connection.disconnect-text':
    'Beendet die Verbindung sofort: auf dieser Seite und, wenn der Partner erreichbar ist, auch auf seiner.',
  'connection.disconnect-title': 'Verbindung mit {partner} trennen?',
  'connection.effect-shared': {
    one: 'Ihr Partner bekommt nichts mehr aus der {n} Liste, die Sie teilen. Hinausgegangene Zeilen: {sent}; was davon angekommen ist, bleibt dort.',
    other:
      'Ihr Partner bekommt nichts mehr aus den {n} Listen, die Sie teilen. Hinausgegangene Zeilen: {sent}; was davon angekommen ist, bleibt dort.',
  },
  'connection.effect-none': 'Derzeit teilen Sie mit diesem Partner nichts.',
  'connection.effect-unreadable':
    'Diese Listen lassen sich zurzeit nicht lesen: {lists}. Was dort von diesem Partner kam, wird so behalten oder entfernt, wie Sie hier wählen, beim ersten Start, bei dem es sich lesen lässt.',
  'connection.keep-any': 'Behalten, was von diesem Partner kam',
  'connection.remove-any': 'Entfernen, was von diesem Partner kam',
  'connection.keep': {
    one: 'Die {n} Zeile von diesem Partner behalten',
    other: 'Die {n} Zeilen von diesem Partner behalten',
  },
  'connection.remove': {
    one: 'Die {n} Zeile von diesem Partner entfernen',
    other: 'Die {n} Zeilen von diesem Partner entfernen',
  },
  'connection.remove-hint':
    'Sie werden endgültig entfernt, nicht in den Papierkorb gelegt. Nur eine frühere Sicherung enthält sie noch.',
  'connection.ask-removal': {
    one: 'Den Partner bitten, die {n} im Lauf der Zeit gesendete Zeile zu entfernen',
    other: 'Den Partner bitten, die {n} im Lauf der Zeit gesendeten Zeilen zu entfernen',
  },
  'connection.ask-removal-hint': 'Der Partner sieht Ihre Bitte. Ob er sie erfüllt, liegt bei ihm.',
  'connection.disconnected': 'Verbindung mit {partner} getrennt.',
};

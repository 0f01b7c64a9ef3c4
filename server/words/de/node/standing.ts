import type { Translated } from '../../catalogue.ts';
import type { standing as english } from '../../en/node/standing.ts';

/** How things stand and what happened: states, the inbox, the history. */
export const standing: Translated<typeof english> = {
  'state.partner-went-back': {
    one: 'Die Daten von {partner} sind auf einen früheren Stand zurückgefallen: 1 Zeile, die Sie haben, fehlt dort oder ist dort älter. Sehen Sie nach und entscheiden Sie.',
    other:
      'Die Daten von {partner} sind auf einen früheren Stand zurückgefallen: {n} Zeilen, die Sie haben, fehlen dort oder sind dort älter. Sehen Sie nach und entscheiden Sie.',
  },
  'state.we-went-back': {
    one: 'Ihre Daten sind auf einen früheren Stand zurückgefallen: {partner} hat noch 1 Zeile, die hier fehlt oder älter ist. Bitten Sie darum, sie dort als Datei zu sichern, bevor entschieden wird, und importieren Sie die Datei hier.',
    other:
      'Ihre Daten sind auf einen früheren Stand zurückgefallen: {partner} hat noch {n} Zeilen, die hier fehlen oder älter sind. Bitten Sie darum, sie dort als Datei zu sichern, bevor entschieden wird, und importieren Sie die Datei hier.',
  },
  'state.held': {
    one: '{partner} hat 1 Zeile zurückgenommen oder geleert. Sehen Sie nach und entscheiden Sie.',
    other: '{partner} hat {n} Zeilen zurückgenommen oder geleert. Sehen Sie nach und entscheiden Sie.',
  },
  'state.not-there': {
    one: '1 Zeile, die Sie haben, ist bei {partner} nicht mehr da. Entfernen Sie sie, oder behalten Sie sie.',
    other:
      '{n} Zeilen, die Sie haben, sind bei {partner} nicht mehr da. Entfernen Sie sie, oder behalten Sie sie.',
  },
  'state.could-not-apply': {
    one: '1 Zeile von {partner} konnte nicht übernommen werden. Sehen Sie nach, welche und warum.',
    other: '{n} Zeilen von {partner} konnten nicht übernommen werden. Sehen Sie nach, welche und warum.',
  },
  'state.kept': {
    one: 'Sie haben 1 Zeile behalten, die {partner} zurückgenommen oder geleert hat. Damit sind beide Listen verschieden. Vergleichen Sie, um doch den Stand von dort zu holen, oder sagen Sie unter „Übersicht“, dass es so bleibt.',
    other:
      'Sie haben {n} Zeilen behalten, die {partner} zurückgenommen oder geleert hat. Damit sind beide Listen verschieden. Vergleichen Sie, um doch den Stand von dort zu holen, oder sagen Sie unter „Übersicht“, dass es so bleibt.',
  },
  'state.kept-apart': {
    one: 'Sie haben 1 Zeile behalten, die {partner} zurückgenommen oder geleert hat. Damit sind beide Listen verschieden. Entfernen Sie sie hier, oder bitten Sie darum, sie dort neu zu speichern; oder sagen Sie unter „Übersicht“, dass es so bleibt.',
    other:
      'Sie haben {n} Zeilen behalten, die {partner} zurückgenommen oder geleert hat. Damit sind beide Listen verschieden. Entfernen Sie sie hier, oder bitten Sie darum, sie dort neu zu speichern; oder sagen Sie unter „Übersicht“, dass es so bleibt.',
  },
  'state.kept-so': {
    one: 'Sie behalten 1 Zeile, die {partner} gelöscht oder geleert hat.',
    other: 'Sie behalten {n} Zeilen, die {partner} gelöscht oder geleert hat.',
  },
  'state.differ': {
    one: '1 Zeile ist anders als bei {partner}. Vergleichen Sie, um sie neu zu holen.',
    other: '{n} Zeilen sind anders als bei {partner}. Vergleichen Sie, um sie neu zu holen.',
  },
  'state.parked': {
    one: '1 zugeordnete Spalte hat sich geändert. Ordnen Sie sie neu zu.',
    other: '{n} zugeordnete Spalten haben sich geändert. Ordnen Sie sie neu zu.',
  },
  'state.offers': {
    one: '{partner} bietet 1 Liste an. Wählen Sie, wohin sie kommt.',
    other: '{partner} bietet {n} Listen an. Wählen Sie, wohin sie kommen.',
  },
  'state.do-not-arrive': {
    one: '1 Änderung kommt bei {partner} nicht an, obwohl dort danach gefragt wird. Fragen Sie nach, was das Footbridge dort sagt.',
    other:
      '{n} Änderungen kommen bei {partner} nicht an, obwohl dort danach gefragt wird. Fragen Sie nach, was das Footbridge dort sagt.',
  },
  'state.not-taken-in': {
    one: '1 Änderung kommt bei {partner} nicht an, obwohl dort gefragt wird. Bitten Sie darum nachzusehen, ob das Programm dort diese Liste noch annimmt.',
    other:
      '{n} Änderungen kommen bei {partner} nicht an, obwohl dort gefragt wird. Bitten Sie darum nachzusehen, ob das Programm dort diese Listen noch annimmt.',
  },
  'state.on-their-way': {
    one: '1 Änderung ist unterwegs zu {partner}.',
    other: '{n} Änderungen sind unterwegs zu {partner}.',
  },
  'state.wait-for-their-yes': {
    one: '1 Zeile, die Sie zurückgenommen oder geleert haben, wartet bei {partner} auf ein Ja.',
    other: '{n} Zeilen, die Sie zurückgenommen oder geleert haben, warten bei {partner} auf ein Ja.',
  },
  'state.stand-differently': {
    one: '1 Zeile weicht bei {partner} ab: Dort gilt die eigene Fassung, oder sie konnte nicht übernommen werden.',
    other:
      '{n} Zeilen weichen bei {partner} ab: Dort gilt die eigene Fassung, oder sie konnten nicht übernommen werden.',
  },
  'state.parked-there': {
    one: '1 geteilte Spalte hat sich geändert und kommt bei {partner} nicht an. Bitten Sie darum, sie dort neu zuzuordnen.',
    other:
      '{n} geteilte Spalten haben sich geändert und kommen bei {partner} nicht an. Bitten Sie darum, sie dort neu zuzuordnen.',
  },
  'state.nothing-yet':
    '{partner} hat über die neue Verbindung noch nichts geteilt. Bitten Sie darum, die Listen dort noch einmal freizugeben.',
  'state.stopped-there':
    '{partner} übernimmt „{list}“ nicht mehr. Bitten Sie darum, die Liste dort zuzuordnen. Ist sie dort schon zugeordnet, teilen Sie sie erneut.',
  'state.unsent': {
    one: '{partner} bekommt 1 geteilte Spalte nicht. Teilen Sie deren Liste erneut, und bitten Sie dann darum, sie dort zuzuordnen.',
    other:
      '{partner} bekommt {n} geteilte Spalten nicht. Teilen Sie deren Listen erneut, und bitten Sie dann darum, sie dort zuzuordnen.',
  },
  'state.undecided': {
    one: '{partner} hat für 1 Liste noch nicht gewählt, wohin sie kommt.',
    other: '{partner} hat für {n} Listen noch nicht gewählt, wohin sie kommen.',
  },
  'state.not-imported': {
    one: '{partner} übernimmt 1 Liste nicht. Bitten Sie darum, sie dort zuzuordnen. Ist sie dort schon zugeordnet, teilen Sie sie erneut.',
    other:
      '{partner} übernimmt {n} Listen nicht. Bitten Sie darum, sie dort zuzuordnen. Sind sie dort schon zugeordnet, teilen Sie sie erneut.',
  },
  'state.changes-wait': {
    one: '{partner} hat zuletzt um {since} gefragt: 1 Änderung wartet dort auf Abholung.',
    other: '{partner} hat zuletzt um {since} gefragt: {n} Änderungen warten auf Abholung.',
  },
  'state.ends-in-minutes': {
    one: 'Die Verbindung mit {partner} endet in 1 Minute. Verbinden Sie sich neu, um danach weiterzumachen.',
    other:
      'Die Verbindung mit {partner} endet in {n} Minuten. Verbinden Sie sich neu, um danach weiterzumachen.',
  },
  'state.changed-here': {
    one: '1 Zeile von {partner} behält Ihre Änderungen.',
    other: '{n} Zeilen von {partner} behalten Ihre Änderungen.',
  },
  'state.changed-there': {
    one: '{partner} behält bei 1 Zeile die eigene Fassung.',
    other: '{partner} behält bei {n} Zeilen die eigene Fassung.',
  },
  'state.pairing-failed':
    'Das Verbinden hat nicht geklappt. Versuchen Sie es noch einmal oder erstellen Sie eine neue Einladung.',
  'state.not-connected-because': 'Nicht mit {partner} verbunden: {problem}',
  'state.asks-then-words':
    '{partner} bittet um Verbindung. Stimmen Sie zu, wenn Sie damit gerechnet haben, und vergleichen Sie dann die Wörter am Telefon.',
  'state.asks':
    '{partner} bittet um Verbindung. Prüfen Sie, ob Sie damit gerechnet haben, und stimmen Sie dann zu.',
  'state.ended':
    'Die Verbindung mit {partner} ist beendet. Stellen Sie sie mit einer neuen Einladung wieder her, um weiterzumachen.',
  'state.folder-twice-here':
    'Der Datenordner dieses Büros wird auf zwei Computern benutzt, und jeder erhält nur einen Teil dessen, was {partner} sendet. Schließen Sie Footbridge auf einem der beiden. Werden beide gebraucht, verbinden Sie den einen neu, mit einem leeren Datenordner.',
  'state.folder-twice-there':
    '{partner} benutzt anscheinend einen Datenordner auf zwei Computern, und jeder von ihnen erhält einen Teil dessen, was neu ist. Bitten Sie darum, Footbridge auf einem der beiden zu schließen.',
  'state.withdrawn-one':
    '{partner} teilt „{list}“ nicht mehr. Entscheiden Sie, was aus den Zeilen wird, die Sie haben.',
  'state.withdrawn':
    '{partner} teilt {lists} Ihrer Listen nicht mehr. Entscheiden Sie, was aus den Zeilen wird, die Sie haben.',
  'state.they-paused':
    '{partner} hat angehalten, sodass von dort nichts geholt werden kann. Es geht von selbst weiter, sobald es dort weitergeht.',
  'state.not-answered-yet': '{partner} hat noch nicht geantwortet. Es wird von selbst erneut versucht.',
  'state.not-heard-since': 'Von {partner} nichts gehört seit {since}. Es wird von selbst erneut versucht.',
  'state.last-answered': '{partner} hat zuletzt um {since} geantwortet.',
  'state.stands-still':
    'Von {partner} ist seit {seconds} Sekunden nichts gekommen. Es wird gewartet und dann von selbst erneut versucht.',
  'state.not-read-since':
    '{partner} fragt nach Zeilen, liest sie aber seit {since} nicht. Fragen Sie dort, ob der Computer schläft oder beschäftigt ist.',
  'state.send-only':
    'Sie können an {partner} senden, aber nichts erhalten: Dort kann niemand anrufen. Bitten Sie darum, unter Einstellungen › Netzwerk eine Verbindung zu Ihnen offen zu halten.',
  'state.receive-only':
    'Sie können von {partner} erhalten, aber nicht senden: Dieser Computer ist von dort nicht erreichbar. Schalten Sie unter Einstellungen › Netzwerk „Verbindung offen halten“ ein.',
  'state.syncing': 'Änderungen von {partner} werden geholt.',
  'state.looking': '{partner} wird gesucht.',
  'state.waiting-to-be-asked': '{partner} hat noch nicht nach Neuem gefragt.',
  'state.unsure':
    '{partner} liest nichts, da ältere Daten zurückgekommen sind: Sehen Sie nach, was Sie teilen, und lassen Sie dann wieder lesen.',
  'state.may-not-read': '{partner} darf nicht lesen, was Sie teilen. {pause}',
  'state.yet-to-be-heard': 'Es wird geprüft, wie viel {partner} von dem hat, was Sie teilen.',
  'state.waiting-to-confirm': '{partner} hat noch nicht zugestimmt.',
  'state.not-connected-yet': 'Noch nicht mit {partner} verbunden.',
  'state.waiting-for-use': '{partner} hat die Einladung noch nicht genutzt.',
  'state.not-fetched': 'Von {partner} wird nichts geholt; was Sie teilen, darf dort gelesen werden. {pause}',
  'state.paused': 'Von Ihnen angehalten.',
  'state.paused-until': 'Von Ihnen angehalten bis {until}.',
  'state.never-asked': '{partner} hat nach nichts gefragt, seit Footbridge hier gestartet ist.',
  'state.last-asked': '{partner} hat zuletzt um {since} gefragt.',
  'state.last-asked-has-all': '{partner} hat zuletzt um {since} gefragt und hat alles bis dahin.',
  'state.ends-in-hours':
    'Die Verbindung mit {partner} endet in {hours} Stunden. Verbinden Sie sich neu, um danach weiterzumachen.',
  'state.ends-in-days':
    'Die Verbindung mit {partner} endet in {days} Tagen. Verbinden Sie sich neu, um danach weiterzumachen.',
  'state.all-both-ways': 'Alles ist angekommen, und {partner} hat alles, was Sie dort teilen.',
  'state.all-arrived': 'Alles ist angekommen.',
  'state.has-all': '{partner} hat alles, was Sie dort teilen.',
  'state.connected': 'Mit {partner} verbunden. Noch wird in keiner Richtung etwas geteilt.',
  'state.data-missing':
    'Von Ihren Daten fehlt vielleicht etwas. Sehen Sie in der Übersicht nach, was auf Sie wartet.',
  'state.no-partner': 'Noch keine Partner.',
  'state.all-idle': 'Verbunden. Noch wird in keiner Richtung etwas geteilt.',
  'state.all-up-to-date': 'Alle Partner sind auf dem neuesten Stand.',
  'state.of-partner': '{partner}: {reason}',

  'inbox.remove-rows': {
    one: '{partner} hat die Verbindung beendet und bittet Sie, die Zeile von dort zu entfernen.',
    other: '{partner} hat die Verbindung beendet und bittet Sie, die {n} Zeilen von dort zu entfernen.',
  },
  'inbox.doubles': {
    one: '1 Zeile, die {partner} schickt, war schon vorher in „{list}“, mit denselben Werten in den zugeordneten Spalten. Führen Sie beide zusammen: Kein Wert geht verloren.',
    other:
      '{n} Zeilen, die {partner} schickt, waren schon vorher in „{list}“, mit denselben Werten in den zugeordneten Spalten. Führen Sie sie zusammen: Kein Wert geht verloren.',
  },
  'inbox.kept': {
    one: '{partner} hat 1 Zeile aus „{list}“ zurückgenommen oder geleert, und Sie haben sie behalten. Übernehmen Sie den Stand von dort, oder lassen Sie es so: Dann wird nicht mehr gefragt.',
    other:
      '{partner} hat {n} Zeilen aus „{list}“ zurückgenommen oder geleert, und Sie haben sie behalten. Übernehmen Sie den Stand von dort, oder lassen Sie es so: Dann wird nicht mehr gefragt.',
  },
  'inbox.did-not-fit': {
    one: '1 Zeile von {partner} passte nicht in die Liste „{list}“. Sie bleibt mit ihrem Grund erhalten und wird erneut versucht.',
    other:
      '{n} Zeilen von {partner} passten nicht in die Liste „{list}“. Jede bleibt mit ihrem Grund erhalten und wird erneut versucht.',
  },
  'inbox.not-there': {
    one: '1 Zeile in „{list}“ ist bei {partner} nicht mehr da, ohne dass von dort gesagt wurde, sie sei entfernt. Hier ist sie, wie sie war. Entfernen Sie sie, oder behalten Sie sie.',
    other:
      '{n} Zeilen in „{list}“ sind bei {partner} nicht mehr da, ohne dass von dort gesagt wurde, sie seien entfernt. Hier sind sie, wie sie waren. Entfernen Sie sie, oder behalten Sie sie.',
  },
  'inbox.partner-went-back': {
    one: 'Die Daten von {partner} sind auf einen früheren Stand zurückgefallen: 1 Zeile, die Sie in „{list}“ haben, fehlt dort oder ist dort älter. Hier ist sie, wie sie war. Behalten Sie sie, oder übernehmen Sie den Stand von {partner}.',
    other:
      'Die Daten von {partner} sind auf einen früheren Stand zurückgefallen: {n} Zeilen, die Sie in „{list}“ haben, fehlen dort oder sind dort älter. Hier sind sie, wie sie waren. Behalten Sie sie, oder übernehmen Sie den Stand von {partner}.',
  },
  'inbox.same-office':
    '{partner} und {other} geben beide an, die Footbridge desselben Büros zu sein. Eine davon gibt sich vielleicht für die andere aus, oder ein Büro wurde zweimal verbunden. Solange beide verbunden sind, hat keine das letzte Wort über Zeilen, die auch die andere schickt. Rufen Sie beide unter Nummern an, die Sie kennen, und trennen Sie die falsche.',
  'inbox.offer-columns': 'Die Spalten der Liste: {columns}.',
  'inbox.list-withdrawn':
    'Von {partner} kommt für diese Liste nichts Neues mehr. Behalten Sie die Zeilen als eigene, oder wählen Sie „Ansehen“, um sie in den Papierkorb zu legen.',
  'inbox.list-withdrawn-waiting': {
    one: 'Von {partner} kommt für diese Liste nichts Neues mehr. 1 Zeile, die dort vorher zurückgenommen oder geleert wurde, wartet noch auf Ihr Wort: Sehen Sie sie an, oder behalten Sie alle Zeilen als eigene.',
    other:
      'Von {partner} kommt für diese Liste nichts Neues mehr. {n} Zeilen, die dort vorher zurückgenommen oder geleert wurden, warten noch auf Ihr Wort: Sehen Sie sie an, oder behalten Sie alle Zeilen als eigene.',
  },
  'inbox.columns-parked':
    'Spalten von „{list}“ haben sich geändert. Diese warten auf eine neue Zuordnung: {columns}. Die anderen laufen weiter.',
  'inbox.condition-broken':
    'Keine Zeile von „{list}“ wird mehr mit {partner} geteilt: Welche Zeilen geteilt werden, richtet sich nach Spalten, die es nicht mehr gibt oder in denen seither anderes steht: {columns}. Was dort ist, wird zurückgenommen; sind es viele Zeilen, wird dort zuerst gefragt. Wählen Sie neu, welche Zeilen {partner} sieht.',
  'inbox.columns-retyped':
    'Mit der Art dieser Spalten hat sich geändert, was darin steht: {columns}. Sehen Sie nach, was {partner} jetzt davon sehen würde, und wählen Sie sie neu.',
  'inbox.would-empty':
    'Was {partner} schickt, würde Werte in {n} von {of} Zeilen von „{list}“ leeren. Diese Zeilen sind, wie sie waren, und warten auf Ihr Ja.',
  'inbox.would-empty-more':
    'Was {partner} schickt, würde Werte in {n} weiteren von {of} Zeilen von „{list}“ leeren, nach {emptied} am letzten Tag. Diese Zeilen sind, wie sie waren, und warten auf Ihr Ja.',
  'inbox.would-remove-more':
    'Was {partner} schickt, würde {n} weitere von {of} Zeilen aus „{list}“ entfernen. {gone} gingen am letzten Tag schon in den Papierkorb; diese sind noch da und warten auf Ihr Ja.',
  'inbox.would-remove':
    'Was {partner} schickt, würde {n} von {of} Zeilen aus „{list}“ entfernen. Sie sind noch da und warten auf Ihr Ja.',
  'inbox.would-empty-too': {
    one: 'In {n} weiteren Zeile gingen Werte verloren; auch sie wartet auf Ihr Ja.',
    other: 'In {n} weiteren Zeilen gingen Werte verloren; auch sie warten auf Ihr Ja.',
  },
  'inbox.would-empty-too-more': {
    one: 'In {n} weiteren Zeile gingen Werte verloren, nach {emptied} am letzten Tag; auch sie wartet auf Ihr Ja.',
    other:
      'In {n} weiteren Zeilen gingen Werte verloren, nach {emptied} am letzten Tag; auch sie warten auf Ihr Ja.',
  },
  'inbox.ended-by-time':
    'Die Verbindung mit {partner} ist beendet: Ihre Zeit war um. Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'inbox.ends-in':
    'Die Verbindung mit {partner} endet in {span} und kann sich nicht selbst erneuern. Bitten Sie um eine neue Einladung.',
  'inbox.used-invite': '{partner} hat Ihre Einladung genutzt.',
  'inbox.used-invite-nearby':
    '{partner} hat Ihre Einladung genutzt. Die Anfrage kommt von {address}, aus Ihrem eigenen Netz.',
  'inbox.used-invite-from': '{partner} hat Ihre Einladung genutzt. Die Anfrage kommt von {address}.',
  'inbox.not-encrypted': 'Nicht verschlüsselt: im eigenen Büro in Ordnung, über das Internet nicht.',
  'inbox.file-empties': {
    one: 'In „{file}“ hat 1 Zeile davon Werte verloren. Sehen Sie nach, und sagen Sie, ob sie sie auch hier verlieren soll.',
    other:
      'In „{file}“ haben {n} Zeilen davon Werte verloren. Sehen Sie nach, und sagen Sie, ob sie sie auch hier verlieren sollen.',
  },
  'inbox.file-waits': {
    one: 'In „{file}“ gibt es 1 Zeile davon nicht mehr. Sehen Sie nach, und sagen Sie, ob sie auch hier gehen soll.',
    other:
      'In „{file}“ gibt es {n} Zeilen davon nicht mehr. Sehen Sie nach, und sagen Sie, ob sie auch hier gehen sollen.',
  },
  'inbox.about-list': '„{list}“: {what}',
  'inbox.about-settings':
    'Einstellungen, Partner und Freigaben: {what} Prüfen Sie bei jedem Partner, was Sie freigeben.',
  'inbox.import-cut':
    'Nur ein Teil einer Datei kam in „{list}“, bis Zeile {line}: Der Import wurde abgebrochen. {next}',
  'inbox.import-cut-of':
    'Nur ein Teil der Datei {file} kam in „{list}“, bis Zeile {line}: Der Import wurde abgebrochen. {next}',
  'inbox.import-cut-keyed': 'Importieren Sie sie noch einmal: Keine Zeile kommt doppelt.',
  'inbox.import-cut-unkeyed':
    'Was schon da ist, käme doppelt, wenn Sie alles noch einmal importieren: Nehmen Sie diese Zeilen zuerst aus der Datei, bis auf die Spaltennamen.',
  'inbox.ledger-lost':
    'Ein Teil der Übersicht, was diesen Computer verlassen hat, fehlt: Ihre Dateien waren beschädigt, oder eine ältere Kopie war an ihre Stelle getreten. Wenn Sie die neueren Dateien haben, schließen Sie Footbridge und legen Sie sie zurück. Sonst ist nichts zu tun: Ihre Listen und was Sie freigeben sind, wie sie waren.',
  'inbox.about-ledger': 'Die Übersicht dessen, was diesen Computer verlassen hat: {what}',

  'history.connected-again': 'Wieder mit {partner} verbunden.',
  'history.keeps-open':
    'Eine Verbindung zu {partner} wird offen gehalten, damit dort ankommt, was Sie teilen. Von einem Administrator Ihres Büros erlaubt: {since}.',
  'history.uses-relay':
    'Sie erreichen {partner} über das Relais {relay}. Von einem Administrator Ihres Büros erlaubt: {since}.',
  'history.port-open':
    '{partner} kann diesen Computer über Port {port} Ihres Routers erreichen. Von einem Administrator Ihres Büros erlaubt: {since}.',
  'history.held':
    'Zeilen, die zurückgenommen oder geleert würden, warten auf Ihr Ja. Entscheiden Sie unter „Wir erhalten“.',
  'history.kept': {
    one: 'Hier entschieden: 1 Zeile bleibt, wie sie hier ist.',
    other: 'Hier entschieden: {n} Zeilen bleiben, wie sie hier sind.',
  },
  'history.let-happen': {
    one: 'Hier entschieden: 1 Zeile wird, wie sie dort ist.',
    other: 'Hier entschieden: {n} Zeilen werden, wie sie dort sind.',
  },
  'history.settled': {
    one: 'Hier entschieden: 1 behaltene Zeile bleibt anders als dort.',
    other: 'Hier entschieden: {n} behaltene Zeilen bleiben anders als dort.',
  },
  'history.new': '{count} neu',
  'history.changed': '{count} geändert',
  'history.removed': '{count} entfernt',
  'history.failed': '{count} nicht übernommen',
  'history.cut': '{counts}, dann unterbrochen',
  'history.offered': 'Bietet die Liste „{list}“ an.',
  'history.offered-again': 'Bietet die Liste „{list}“ wieder an.',
  'history.list-changed': 'Hat die Liste „{list}“ geändert.',
  'history.withdrawn': 'Teilt die Liste „{list}“ nicht mehr.',

  'access.turned-away': {
    one: '{who} {tried}. Es gab nichts heraus. Wenn Sie nicht wissen, wer das ist, fragen Sie Ihre Partner, ob sie es waren.',
    other:
      '{who} {tried}, {n}-mal. Es gab nichts heraus. Wenn Sie nicht wissen, wer das ist, fragen Sie Ihre Partner, ob sie es waren.',
  },
  'access.wrong-token': 'hat einen Schlüssel geschickt, der hier nicht oder nicht mehr gilt',
  'access.wrong-invite': 'hat es mit einer Einladung versucht, die es nicht gibt',
  'access.old-invite': 'hat es mit einer Einladung versucht, die benutzt, zurückgezogen oder abgelaufen ist',
  'access.management': 'hat versucht, Einstellungen dieses Computers aus der Ferne zu ändern',
  'access.plain': 'hat versucht, ohne Verschlüsselung zu sprechen',
  'access.flood': 'hat mehr Anfragen geschickt, als angenommen werden',
  'access.token-over':
    'Der Schlüssel von {partner} ist nach der Uhr dieses Computers abgelaufen, {partner} wurde deshalb abgewiesen. Schlüssel werden lange vorher erneuert, es sei denn, ein Computer ist monatelang aus: Sonst geht die Uhr hier oder dort falsch, oder ging falsch. Prüfen Sie Datum und Uhrzeit auf beiden Computern; sobald beide stimmen, geht es von selbst weiter. Stimmen sie schon, verbinden Sie sich neu.',
  'access.from-many': 'Jemand an vielen Adressen',
  'access.from-here': 'Ein Programm auf diesem Computer',
  'access.from': 'Ein Computer mit der Adresse {address}',
  'access.unlisted':
    'Dieser Datenordner weiß nichts von diesem Zugang, er ließe sich also nicht zurücknehmen: Er stammt aus einer älteren Version, oder der Ordner ist eine ältere Kopie. Legen Sie auf der Befehlszeile einen neuen an.',

  'served.compared': {
    one: '1 Zeile über ihren Fingerabdruck verglichen',
    other: '{n} Zeilen über ihre Fingerabdrücke verglichen',
  },
  'served.sent': { one: '1 Zeile gesendet', other: '{n} Zeilen gesendet' },

  'clocks.invite-not-counted':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {span}, sodass die Einladung dort nicht gilt. Stellen Sie die falsche richtig, und versuchen Sie es dann noch einmal.',
  'clocks.answer-not-taken':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {span}, sodass er unsere Antwort nicht annimmt. Stellen Sie die falsche richtig, und versuchen Sie es dann noch einmal.',
  'clocks.not-accepted':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {span}, sodass er uns nicht annimmt. Stellen Sie die falsche richtig; dann geht es von selbst weiter.',
  'clocks.ours-differs':
    'Die Uhr dieses Computers weicht von denen aller Ihrer Partner ab, mit einem Unterschied von {span}: Hier ist es {ours}, dort {theirs}. Prüfen Sie Datum und Uhrzeit.',
  'clocks.differ':
    'Zwischen den beiden Uhren liegt ein Unterschied von {span}: Auf diesem Computer ist es {ours}, bei {partner} {theirs}. Prüfen Sie, welche falsch geht.',

  'span.minutes': { one: 'einer Minute', other: '{n} Minuten' },
  'span.hours': '{n} Stunden',
  'span.days': '{n} Tagen',

  'older-data.unshared':
    'Ältere Daten sind zurückgekommen, in denen „{list}“ noch mit {partner} geteilt war. Hier war sie es nicht, und sie bleibt ungeteilt. Teilen Sie sie wieder, wenn Sie möchten.',
  'older-data.columns-hidden':
    'Ältere Daten sind zurückgekommen, in denen {partner} mehr von „{list}“ sah. Was Sie seither herausgenommen hatten, bleibt verborgen. Sehen Sie nach, was geteilt ist.',
  'older-data.disconnected':
    'Ältere Daten sind zurückgekommen, in denen {partner} noch verbunden war. Die Verbindung bleibt beendet. Verbinden Sie sich mit einer neuen Einladung wieder, wenn Sie möchten.',
  'older-data.removed':
    'Ältere Daten sind zurückgekommen, mit dem Partner {partner}, der entfernt worden war. Er bleibt entfernt und sieht nichts. Verbinden Sie sich mit einer neuen Einladung, wenn Sie ihn zurückhaben möchten.',
  'older-data.paused':
    'Ältere Daten sind zurückgekommen, aus der Zeit, bevor {partner} angehalten wurde. Das Anhalten gilt weiter. Wählen Sie bei diesem Partner „Fortsetzen“, um weiterzumachen.',
  'older-data.signed-out':
    'Ältere Daten sind zurückgekommen. Fenster, die hier nicht angemeldet waren, bleiben abgemeldet. Was hier in den Einstellungen geschlossen war, bleibt geschlossen. Die Adresse für Partner, und wie lange aufbewahrt wird, was hinausging, sind so, wie sie hier eingestellt waren. Sehen Sie Ihre Einstellungen durch.',
  'older-data.unsure':
    'Ältere Daten sind zurückgekommen, und die Liste dessen, was Sie zurückgenommen hatten, ist nicht so neu, wie sie war. Deshalb kann {partner} darin mehr sehen, als Sie möchten, oder Sie hatten diese Verbindung beendet. Von dort wird nichts gelesen, bis Sie nachgesehen haben: Sehen Sie nach, was Sie mit {partner} teilen, und wählen Sie dann „Wieder lesen lassen“.',
  'older-data.file':
    'Ältere Daten sind zurückgekommen, in denen „{list}“ wie in einer Datei geführt oder in eine kopiert wurde. Hier war das nicht so oder anders, deshalb ruht es: Nichts wird gelesen oder geschrieben. Wählen Sie die Datei bei der Liste neu, wenn Sie möchten.',
  'older-data.scripts':
    'Die Liste der Zugänge, die auf der Befehlszeile angelegt wurden, ist älter, als sie war, oder fehlt. Zurückgenommene bleiben zurückgenommen. Was danach angelegt wurde, öffnet nichts: Legen Sie es dort neu an.',
  'older-data.lists':
    'Ältere Daten sind zurückgekommen, und mit ihnen Ihre Listen: Was seither eingetragen oder geändert wurde, fehlt darin. Sehen Sie Ihre Listen durch. Wenn Sie den neueren Ordner „store“ der Daten dieses Computers haben, schließen Sie Footbridge, legen Sie ihn ganz zurück und starten Sie neu. Was Partner seither von Ihnen bekommen haben, haben sie noch: Fragen Sie sie nach dem, was Ihnen fehlt.',
  'older-data.list-anew':
    'Die Liste dessen, was Sie zurückgenommen, widerrufen oder angehalten hatten, fehlte, war beschädigt oder älter, als sie sein sollte. Sie wurde neu begonnen. Wenn Sie eine Sicherung von vor jetzt zurückholen, sehen Sie dann nach, was Sie teilen.',
  'older-data.connection-ended':
    'Sie haben diese Verbindung beendet, oder der Partner; ältere Daten, die zurückgekommen sind, öffnen sie nicht wieder. Verbinden Sie sich mit einer neuen Einladung wieder, um weiterzumachen.',
  'older-data.half-paired':
    'Ältere Daten sind zurückgekommen, aus der Zeit, bevor diese Verbindung fertig war. Verbinden Sie sich mit einer neuen Einladung wieder.',

  'problem.tried-again': '{problem} Es wird von selbst erneut versucht.',
  'problem.unexpected':
    'In Footbridge selbst ist etwas schiefgegangen. Es versucht es von selbst erneut; bleibt es dabei, speichern Sie in den Einstellungen eine Support-Datei und bitten Sie um Hilfe.',

  'sentence.ended': '{text}.',
  'sentence.joined': '{before}{between}{after}',
};

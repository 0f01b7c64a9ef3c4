/** How things stand and what happened: states, the inbox, the history, this computer. */
export const standing: Readonly<Record<string, string>> = {
  'The disk of this computer is full: nothing can be saved, received or sent until there is room. Make room on it.':
    'Der Datenträger dieses Computers ist voll: Bis Platz ist, lässt sich nichts speichern, empfangen oder senden. Schaffen Sie Platz.',
  'The data folder of this computer cannot be written: nothing can be saved, received or sent. Check that you may change its files and that no other program holds them.':
    'Der Datenordner dieses Computers lässt sich nicht beschreiben: Nichts lässt sich speichern, empfangen oder senden. Prüfen Sie, ob Sie seine Dateien ändern dürfen und kein anderes Programm sie festhält.',
  'The disk of this computer reported an error: nothing can be saved, received or sent. Check that it is connected and in order.':
    'Der Datenträger dieses Computers hat einen Fehler gemeldet: Nichts lässt sich speichern, empfangen oder senden. Prüfen Sie, ob er angeschlossen und in Ordnung ist.',
  'There is no partner yet.': 'Es gibt noch keinen Partner.',
  'Everything has arrived.': 'Alles ist angekommen.',
  'Everything has arrived, and {0} has everything that you share with them.':
    'Alles ist angekommen, und {0} hat alles, was Sie dort teilen.',
  '{0} has everything that you share with them.': '{0} hat alles, was Sie dort teilen.',
  'Connected with {0}. No list goes either way yet.':
    'Mit {0} verbunden. Noch geht keine Liste hin oder her.',
  'All partners are up to date.': 'Alle Partner sind auf dem neuesten Stand.',
  '{0} has not answered yet. It is tried again by itself.':
    '{0} hat noch nicht geantwortet. Es wird von selbst erneut versucht.',
  'Not heard from {0} since {1}. It is tried again by itself.':
    'Von {0} nichts gehört seit {1}. Es wird von selbst erneut versucht.',
  'Nothing has come from {0} for {1} seconds. It is waited for, then tried again by itself.':
    'Von {0} ist seit {1} Sekunden nichts gekommen. Es wird gewartet und dann von selbst erneut versucht.',
  '{0} asks for rows but has not read them since {1}. Ask them whether their computer is asleep or busy.':
    '{0} fragt nach Zeilen, liest sie aber seit {1} nicht. Fragen Sie dort, ob der Computer schläft oder beschäftigt ist.',
  'Looking for {0}.': '{0} wird gesucht.',
  'Waiting for {0} to ask for what is new.': '{0} hat noch nicht nach Neuem gefragt.',
  '{0} has not asked for anything since Footbridge started here.':
    '{0} hat nach nichts gefragt, seit Footbridge hier gestartet ist.',
  '{0} last asked at {1}.': '{0} hat zuletzt um {1} gefragt.',
  '{0} last asked at {1} and has everything up to then.':
    '{0} hat zuletzt um {1} gefragt und hat alles bis dahin.',
  '{0} last asked at {1}: 1 change waits for them.':
    '{0} hat zuletzt um {1} gefragt: 1 Änderung wartet dort auf Abholung.',
  '{0} last asked at {1}: {2} changes wait for them.':
    '{0} hat zuletzt um {1} gefragt: {2} Änderungen warten auf Abholung.',
  'It is yet to be heard how much {0} has of what you share.':
    'Noch ist nicht bekannt, wie viel {0} von dem hat, was Sie teilen.',
  '1 change is on its way to {0}.': '1 Änderung ist unterwegs zu {0}.',
  '1 change does not arrive at {0}, though they ask for it. Ask them what their Footbridge says.':
    '1 Änderung kommt bei {0} nicht an, obwohl dort danach gefragt wird. Fragen Sie nach, was das Footbridge dort sagt.',
  '{0} changes do not arrive at {1}, though they ask for them. Ask them what their Footbridge says.':
    '{0} Änderungen kommen bei {1} nicht an, obwohl dort danach gefragt wird. Fragen Sie nach, was das Footbridge dort sagt.',
  '1 change does not arrive at {0}, though they ask. Ask them to look whether their program still takes this list in.':
    '1 Änderung kommt bei {0} nicht an, obwohl dort gefragt wird. Bitten Sie darum nachzusehen, ob das Programm dort diese Liste noch annimmt.',
  '{0} changes do not arrive at {1}, though they ask. Ask them to look whether their program still takes these lists in.':
    '{0} Änderungen kommen bei {1} nicht an, obwohl dort gefragt wird. Bitten Sie darum nachzusehen, ob das Programm dort diese Listen noch annimmt.',
  '{0} changes are on their way to {1}.': '{0} Änderungen sind unterwegs zu {1}.',
  '1 row that you removed or emptied waits for a yes at {0}.':
    '1 Zeile, die Sie entfernt oder geleert haben, wartet bei {0} auf ein Ja.',
  '{0} rows that you removed or emptied wait for a yes at {1}.':
    '{0} Zeilen, die Sie entfernt oder geleert haben, warten bei {1} auf ein Ja.',
  '1 row stands differently at {0}: it was kept there or did not fit.':
    '1 Zeile steht bei {0} anders: Sie wurde dort behalten oder passte nicht.',
  '{0} rows stand differently at {1}: they were kept there or did not fit.':
    '{0} Zeilen stehen bei {1} anders: Sie wurden dort behalten oder passten nicht.',
  '{0} has not chosen yet where to put 1 list.': '{0} hat für 1 Liste noch nicht gewählt, wohin sie kommt.',
  '{0} has not chosen yet where to put {1} lists.':
    '{0} hat für {1} Listen noch nicht gewählt, wohin sie kommen.',
  '{0} no longer shares “{1}”. Decide what becomes of the rows that you have.':
    '{0} teilt „{1}“ nicht mehr. Entscheiden Sie, was aus den Zeilen wird, die Sie haben.',
  '{0} no longer shares {1} of your lists. Decide what becomes of the rows that you have.':
    '{0} teilt {1} Ihrer Listen nicht mehr. Entscheiden Sie, was aus den Zeilen wird, die Sie haben.',
  'You kept 1 row that {0} removed or emptied, so the two of you differ. Compare to fetch theirs after all.':
    'Sie haben 1 Zeile behalten, die {0} entfernt oder geleert hat. So unterscheiden Sie sich. Vergleichen Sie, um doch den Stand von dort zu holen.',
  'You kept {0} rows that {1} removed or emptied, so the two of you differ. Compare to fetch theirs after all.':
    'Sie haben {0} Zeilen behalten, die {1} entfernt oder geleert hat. So unterscheiden Sie sich. Vergleichen Sie, um doch den Stand von dort zu holen.',
  '1 row from {0} is changed or removed here by you.':
    '1 Zeile von {0} haben Sie hier geändert oder entfernt.',
  '{0} rows from {1} are changed or removed here by you.':
    '{0} Zeilen von {1} haben Sie hier geändert oder entfernt.',
  '1 row is changed or removed at {0} by them.': '1 Zeile wurde bei {0} geändert oder entfernt.',
  '{0} rows are changed or removed at {1} by them.': '{0} Zeilen wurden bei {1} geändert oder entfernt.',
  '1 row differs from what {0} has. Compare to fetch it again.':
    '1 Zeile ist anders als bei {0}. Vergleichen Sie, um sie neu zu holen.',
  '{0} rows differ from what {1} has. Compare to fetch them again.':
    '{0} Zeilen sind anders als bei {1}. Vergleichen Sie, um sie neu zu holen.',
  'Paused by you until {0}.': 'Von Ihnen angehalten bis {0}.',
  'The connection with {0} ends in {1} hours. Pair again to go on after that.':
    'Die Verbindung mit {0} endet in {1} Stunden. Verbinden Sie sich neu, um danach weiterzumachen.',
  'The connection with {0} ends in {1} days. Pair again to go on after that.':
    'Die Verbindung mit {0} endet in {1} Tagen. Verbinden Sie sich neu, um danach weiterzumachen.',
  'Getting changes from {0}.': 'Änderungen von {0} werden geholt.',
  'Paused by you.': 'Von Ihnen angehalten.',
  'Waiting for {0} to use the invite.': '{0} hat die Einladung noch nicht genutzt.',
  'Waiting for {0} to confirm.': '{0} hat noch nicht zugestimmt.',
  'Not connected with {0} yet.': 'Noch nicht mit {0} verbunden.',
  'Not connected with {0}: {1}': 'Nicht mit {0} verbunden: {1}',
  '{0} asks to connect. Check that you expected them, then approve.':
    '{0} bittet um Verbindung. Prüfen Sie, ob Sie damit gerechnet haben, und stimmen Sie dann zu.',
  '{0} asks to connect. Approve if you expected them, then compare the words by telephone.':
    '{0} bittet um Verbindung. Stimmen Sie zu, wenn Sie damit gerechnet haben, und vergleichen Sie dann die Wörter am Telefon.',
  'Pairing failed. Try again or make a new invite.':
    'Das Verbinden hat nicht geklappt. Versuchen Sie es noch einmal oder erstellen Sie eine neue Einladung.',
  'The connection with {0} has ended. Pair again with a new invite to go on.':
    'Die Verbindung mit {0} ist beendet. Verbinden Sie sich mit einer neuen Einladung neu, um weiterzumachen.',
  'The connection with {0} ends in 1 minute. Pair again to go on after that.':
    'Die Verbindung mit {0} endet in 1 Minute. Verbinden Sie sich neu, um danach weiterzumachen.',
  'The connection with {0} ends in {1} minutes. Pair again to go on after that.':
    'Die Verbindung mit {0} endet in {1} Minuten. Verbinden Sie sich neu, um danach weiterzumachen.',
  'The data folder of this office is in use on two computers: {0} is called by both in turn, and each gets a part of what is new. Close Footbridge on one of them. If both are needed, pair that one anew, with an empty data folder.':
    'Der Datenordner dieses Büros wird auf zwei Computern benutzt: {0} wird abwechselnd von beiden gerufen, und jeder erhält einen Teil dessen, was neu ist. Schließen Sie Footbridge auf einem der beiden. Werden beide gebraucht, verbinden Sie den einen neu, mit einem leeren Datenordner.',
  '{0} seems to use one data folder on two computers, and each of them gets a part of what is new. Ask them to close Footbridge on one of the two.':
    '{0} benutzt anscheinend einen Datenordner auf zwei Computern, und jeder von ihnen erhält einen Teil dessen, was neu ist. Bitten Sie darum, Footbridge auf einem der beiden zu schließen.',
  'The data of {0} went back to an earlier state: 1 row that you have is gone or older there. Look at it and decide.':
    'Die Daten von {0} sind auf einen früheren Stand zurückgefallen: 1 Zeile, die Sie haben, fehlt dort oder ist dort älter. Sehen Sie nach und entscheiden Sie.',
  'The data of {0} went back to an earlier state: {1} rows that you have are gone or older there. Look at them and decide.':
    'Die Daten von {0} sind auf einen früheren Stand zurückgefallen: {1} Zeilen, die Sie haben, fehlen dort oder sind dort älter. Sehen Sie nach und entscheiden Sie.',
  'Your data went back to an earlier state: {0} still has 1 row that is gone or older here. Ask them to save it as a file before they decide, and import that here.':
    'Ihre Daten sind auf einen früheren Stand zurückgefallen: {0} hat noch 1 Zeile, die hier fehlt oder älter ist. Bitten Sie darum, sie dort als Datei zu sichern, bevor entschieden wird, und importieren Sie die Datei hier.',
  'Your data went back to an earlier state: {0} still has {1} rows that are gone or older here. Ask them to save these as a file before they decide, and import that here.':
    'Ihre Daten sind auf einen früheren Stand zurückgefallen: {0} hat noch {1} Zeilen, die hier fehlen oder älter sind. Bitten Sie darum, sie dort als Datei zu sichern, bevor entschieden wird, und importieren Sie die Datei hier.',
  '1 row that you have is no longer there at {0}. Remove it or keep it.':
    '1 Zeile, die Sie haben, ist bei {0} nicht mehr da. Entfernen oder behalten Sie sie.',
  '{0} rows that you have are no longer there at {1}. Remove them or keep them.':
    '{0} Zeilen, die Sie haben, sind bei {1} nicht mehr da. Entfernen oder behalten Sie sie.',
  '{0} removed or emptied 1 row. Look at it and decide.':
    '{0} hat 1 Zeile entfernt oder geleert. Sehen Sie nach und entscheiden Sie.',
  '{0} removed or emptied {1} rows. Look at them and decide.':
    '{0} hat {1} Zeilen entfernt oder geleert. Sehen Sie nach und entscheiden Sie.',
  '1 row from {0} could not be taken in. See which and why.':
    '1 Zeile von {0} konnte nicht übernommen werden. Sehen Sie nach, welche und warum.',
  '{0} rows from {1} could not be taken in. See which and why.':
    '{0} Zeilen von {1} konnten nicht übernommen werden. Sehen Sie nach, welche und warum.',
  '1 matched column changed. Match it again.':
    '1 zugeordnete Spalte hat sich geändert. Ordnen Sie sie neu zu.',
  '{0} matched columns changed. Match them again.':
    '{0} zugeordnete Spalten haben sich geändert. Ordnen Sie sie neu zu.',
  '{0} offers 1 list. Choose where to put it.': '{0} bietet 1 Liste an. Wählen Sie, wohin sie kommt.',
  '{0} offers {1} lists. Choose where to put them.':
    '{0} bietet {1} Listen an. Wählen Sie, wohin sie kommen.',

  '{0} used your invite.': '{0} hat Ihre Einladung genutzt.',
  '{0} used your invite. They call from {1}, on your own network.':
    '{0} hat Ihre Einladung genutzt. Die Anfrage kommt von {1}, aus Ihrem eigenen Netz.',
  '{0} used your invite. They call from {1}.': '{0} hat Ihre Einladung genutzt. Die Anfrage kommt von {1}.',
  'Not encrypted: fine within your own office, not over the internet.':
    'Nicht verschlüsselt: im eigenen Büro in Ordnung, über das Internet nicht.',
  '{0} ended the connection and asks you to remove the row that came from them.':
    '{0} hat die Verbindung beendet und bittet Sie, die Zeile von dort zu entfernen.',
  '{0} ended the connection and asks you to remove the {1} rows that came from them.':
    '{0} hat die Verbindung beendet und bittet Sie, die {1} Zeilen von dort zu entfernen.',
  'The connection to {0} ends in {1} and cannot renew itself. Ask them for a new invite.':
    'Die Verbindung mit {0} endet in {1} und kann sich nicht selbst erneuern. Bitten Sie um eine neue Einladung.',
  'one minute': 'einer Minute',
  'This computer’s clock differs by {0} from those of all your partners: it says {1}, and they say {2}. Check its date and time.':
    'Die Uhr dieses Computers weicht von denen aller Ihrer Partner ab, mit einem Unterschied von {0}: Hier ist es {1}, dort {2}. Prüfen Sie Datum und Uhrzeit.',
  'The two clocks differ by {0}: this computer says {1}, and {2} says {3}. Check which of them is wrong.':
    'Zwischen den beiden Uhren liegt ein Unterschied von {0}: Auf diesem Computer ist es {1}, bei {2} {3}. Prüfen Sie, welche falsch geht.',
  '{0} minutes': '{0} Minuten',
  '{0} hours': '{0} Stunden',
  '{0} days': '{0} Tagen',
  'The connection to {0} has ended: its time was up. Connect again with a new invite.':
    'Die Verbindung mit {0} ist beendet: Ihre Zeit war um. Verbinden Sie sich mit einer neuen Einladung neu.',
  'Nothing new comes from {0} for this list. Keep the rows as your own, or remove them from the list.':
    'Von {0} kommt für diese Liste nichts Neues mehr. Behalten Sie die Zeilen als eigene, oder entfernen Sie sie aus der Liste.',
  'The list was removed or matched otherwise while its rows were coming in. Look at what you receive.':
    'Die Liste wurde entfernt oder anders zugeordnet, während ihre Zeilen kamen. Sehen Sie nach, was Sie erhalten.',
  'Its columns: {0}.': 'Die Spalten der Liste: {0}.',
  'Columns of “{0}” changed, so these wait to be matched again: {1}. The other columns go on.':
    'Spalten von „{0}“ haben sich geändert. Diese warten auf eine neue Zuordnung: {1}. Die anderen laufen weiter.',
  'What these columns hold changed with their kind: {0}. Look at what {1} would see of them now, and choose them again.':
    'Mit der Art dieser Spalten hat sich geändert, was darin steht: {0}. Sehen Sie nach, was {1} jetzt davon sehen würde, und wählen Sie sie neu.',
  '1 row from {0} did not fit the list “{1}”. It is kept with its reason and tried again.':
    '1 Zeile von {0} passte nicht in die Liste „{1}“. Sie bleibt mit ihrem Grund erhalten und wird erneut versucht.',
  '{0} rows from {1} did not fit the list “{2}”. Each is kept with its reason and tried again.':
    '{0} Zeilen von {1} passten nicht in die Liste „{2}“. Jede bleibt mit ihrem Grund erhalten und wird erneut versucht.',
  'The data of {0} went back to an earlier state: 1 row that you have in “{1}” is gone or older there. It is as it was here. Keep it, or take over what {2} has.':
    'Die Daten von {0} sind auf einen früheren Stand zurückgefallen: 1 Zeile, die Sie in „{1}“ haben, fehlt dort oder ist dort älter. Hier ist sie, wie sie war. Behalten Sie sie, oder übernehmen Sie den Stand von {2}.',
  'The data of {0} went back to an earlier state: {1} rows that you have in “{2}” are gone or older there. They are as they were here. Keep them, or take over what {3} has.':
    'Die Daten von {0} sind auf einen früheren Stand zurückgefallen: {1} Zeilen, die Sie in „{2}“ haben, fehlen dort oder sind dort älter. Hier sind sie, wie sie waren. Behalten Sie sie, oder übernehmen Sie den Stand von {3}.',
  '1 row in “{0}” is no longer there at {1}, which did not say that it was removed. Here it is as it was. Remove it, or keep it.':
    '1 Zeile in „{0}“ ist bei {1} nicht mehr da, ohne dass von dort gesagt wurde, sie sei entfernt. Hier ist sie, wie sie war. Entfernen Sie sie, oder behalten Sie sie.',
  '{0} rows in “{1}” are no longer there at {2}, which did not say that they were removed. Here they are as they were. Remove them, or keep them.':
    '{0} Zeilen in „{1}“ sind bei {2} nicht mehr da, ohne dass von dort gesagt wurde, sie seien entfernt. Hier sind sie, wie sie waren. Entfernen Sie sie, oder behalten Sie sie.',
  '1 row that {0} sends was in “{1}” before, with the same values. Remove the one of before if it is the same.':
    '1 Zeile, die {0} schickt, war schon vorher in „{1}“, mit denselben Werten. Entfernen Sie die frühere, wenn es dieselbe ist.',
  '{0} rows that {1} sends were in “{2}” before, with the same values. Remove those of before if they are the same.':
    '{0} Zeilen, die {1} schickt, waren schon vorher in „{2}“, mit denselben Werten. Entfernen Sie die früheren, wenn es dieselben sind.',
  'What {0} sends would remove {1} of {2} rows in “{3}”. They are still there and wait for your yes.':
    'Was {0} schickt, würde {1} von {2} Zeilen aus „{3}“ entfernen. Sie sind noch da und warten auf Ihr Ja.',
  'What {0} sends would remove {1} more of {2} rows in “{3}”, after {4} in the last day. Those lie in the bin; these are still there and wait for your yes.':
    'Was {0} schickt, würde {1} weitere von {2} Zeilen aus „{3}“ entfernen, nach {4} am letzten Tag. Jene liegen im Papierkorb; diese sind noch da und warten auf Ihr Ja.',
  'What {0} sends would empty values in {1} of {2} rows in “{3}”. These rows are as they were and wait for your yes.':
    'Was {0} schickt, würde Werte in {1} von {2} Zeilen von „{3}“ leeren. Diese Zeilen sind, wie sie waren, und warten auf Ihr Ja.',

  '{0} {1}. It got nothing. If you do not know who that is, ask your partners whether it was them.':
    '{0} {1}. Es gab nichts heraus. Wenn Sie nicht wissen, wer das ist, fragen Sie Ihre Partner, ob sie es waren.',
  '{0} {1}, {2} times. It got nothing. If you do not know who that is, ask your partners whether it was them.':
    '{0} {1}, {2}-mal. Es gab nichts heraus. Wenn Sie nicht wissen, wer das ist, fragen Sie Ihre Partner, ob sie es waren.',
  'Somebody at many addresses': 'Jemand an vielen Adressen',
  'A program on this computer': 'Ein Programm auf diesem Computer',
  'A computer at {0}': 'Ein Computer mit der Adresse {0}',
  'sent a key that is not valid here, or not any more':
    'hat einen Schlüssel geschickt, der hier nicht oder nicht mehr gilt',
  'tried an invite that does not exist': 'hat es mit einer Einladung versucht, die es nicht gibt',
  'tried an invite that was used, withdrawn or has expired':
    'hat es mit einer Einladung versucht, die benutzt, zurückgezogen oder abgelaufen ist',
  'tried to change settings of this computer from afar':
    'hat versucht, Einstellungen dieses Computers aus der Ferne zu ändern',
  'tried to talk without encryption': 'hat versucht, ohne Verschlüsselung zu sprechen',
  'sent more requests than are taken': 'hat mehr Anfragen geschickt, als angenommen werden',

  '1 row sent': '1 Zeile gesendet',
  '{0} rows sent': '{0} Zeilen gesendet',
  '1 row compared by its fingerprint': '1 Zeile über ihren Fingerabdruck verglichen',
  '{0} rows compared by their fingerprints': '{0} Zeilen über ihre Fingerabdrücke verglichen',
  '{0} new': '{0} neu',
  '{0} changed': '{0} geändert',
  '{0} removed': '{0} entfernt',
  '{0} could not be taken in': '{0} nicht übernommen',
  'Connected with {0} again.': 'Wieder mit {0} verbunden.',
  'Rows that would be removed or emptied wait for your yes. Decide under “We receive”.':
    'Zeilen, die entfernt oder geleert würden, warten auf Ihr Ja. Entscheiden Sie unter „Wir erhalten“.',
  'Offers the list “{0}”.': 'Bietet die Liste „{0}“ an.',
  'Offers the list “{0}” again.': 'Bietet die Liste „{0}“ wieder an.',
  'Changed the list “{0}”.': 'Hat die Liste „{0}“ geändert.',
  'No longer shares the list “{0}”.': 'Teilt die Liste „{0}“ nicht mehr.',
};

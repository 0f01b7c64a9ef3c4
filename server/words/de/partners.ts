/** What is said about partners: connecting, calling, sharing, receiving. */
export const partners: Readonly<Record<string, string>> = {
  'There is no partner with the id {0}.': 'Es gibt keinen Partner mit der Nummer {0}.',
  'Two partners go by the id {0}. Use your own id of one.':
    'Zwei Partner haben die Nummer {0}. Nehmen Sie die eigene Nummer von einem.',
  'This partner was not removed.': 'Dieser Partner wurde nicht entfernt.',
  'There are {0} partners already. Remove one first.':
    'Es gibt schon {0} Partner. Entfernen Sie zuerst einen.',

  '“{0}” is not an address of a node. Give it as https://office.example/federation.':
    '„{0}“ ist keine Adresse eines Partners. Schreiben Sie sie wie https://office.example/federation.',
  'This invite is one of yours. Send it to your partner; it is taken in at the other office.':
    'Diese Einladung ist von Ihnen. Schicken Sie sie Ihrem Partner; eingefügt wird sie im anderen Büro.',
  'This is not a whole invite: {0}. Copy the invite again, from its first to its last character.':
    'Das ist keine vollständige Einladung: {0}. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.',
  'it is too long': 'sie ist zu lang',
  'it is not an address': 'sie ist keine Adresse',
  'it must begin with https://, http:// or corteza://':
    'sie muss mit https://, http:// oder corteza:// beginnen',
  'its node id is missing': 'ihre Nummer fehlt',
  'its secret must be 32 letters and digits': 'ihr geheimer Teil muss 32 Buchstaben und Ziffern haben',
  'There is no invite to use. Paste one from the partner first.':
    'Es gibt keine Einladung, die sich nutzen ließe. Fügen Sie zuerst eine vom Partner ein.',
  'The partner is being asked right now. Wait for the answer.':
    'Der Partner wird gerade gefragt. Warten Sie auf die Antwort.',
  'Confirmed. The partner’s computer cannot be called from here; it will fetch the answer by itself.':
    'Zugestimmt. Der Computer des Partners ist von hier nicht erreichbar; er holt die Antwort von selbst ab.',
  'This step does not fit now: the partner is {0}.':
    'Dieser Schritt passt gerade nicht: Der Partner ist {0}.',
  'not asked to pair yet': 'noch nicht gefragt worden',
  'waiting for the other side': 'noch am Zug',
  paired: 'schon verbunden',
  'not connected': 'nicht verbunden',
  '{0} is not connected. Pair first.': '{0} ist nicht verbunden. Verbinden Sie sich zuerst.',
  'This token is not valid here, or not any more.': 'Dieser Schlüssel gilt hier nicht oder nicht mehr.',
  'There is no token for this partner. Pair again.':
    'Für diesen Partner gibt es keinen Schlüssel. Verbinden Sie sich neu.',
  'The partner ended the connection.': 'Der Partner hat die Verbindung beendet.',
  'The partner did not approve the request. If this surprises you, ask them.':
    'Der Partner hat der Anfrage nicht zugestimmt. Wenn Sie das überrascht, fragen Sie nach.',
  'The connection has ended: the partner no longer accepts us. Pair again with a new invite.':
    'Die Verbindung ist beendet: Der Partner nimmt uns nicht mehr an. Verbinden Sie sich mit einer neuen Einladung neu.',
  'The connection was ended. The other office asks you to remove the rows that came from it.':
    'Die Verbindung wurde beendet. Das andere Büro bittet Sie, die Zeilen von dort zu entfernen.',
  'The connection has ended.': 'Die Verbindung ist beendet.',
  'The connection has ended: its time was up.': 'Die Verbindung ist beendet: Ihre Zeit war um.',

  '{0} is not an address.': '{0} ist keine Adresse.',
  '{0} is not a web address.': '{0} ist keine Webadresse.',
  '{0} is a machine’s own information service, not a partner.':
    '{0} ist der Auskunftsdienst eines Rechners, kein Partner.',
  '{0} is on a private network. If this partner is on your own network, say so on its Connection tab.':
    '{0} liegt in einem privaten Netz. Wenn dieser Partner in Ihrem eigenen Netz ist, kreuzen Sie das unter „Verbindung“ an.',
  '{0} is this computer itself, not a partner.': '{0} ist dieser Computer selbst, kein Partner.',
  '{0} is not an address that a partner can have.': '{0} kann nicht die Adresse eines Partners sein.',
  'A partner’s address starts with https:// or http://, not {0}':
    'Die Adresse eines Partners beginnt mit https:// oder http://, nicht mit {0}',
  'A partner’s address carries no user name or password.':
    'Die Adresse eines Partners enthält weder Benutzernamen noch Passwort.',
  '{0} has a part after # that cannot be used.': '{0} hat einen Teil nach #, der sich nicht verwenden lässt.',
  'This partner’s invite promised encryption, so its address must start with https://':
    'Die Einladung dieses Partners versprach Verschlüsselung; seine Adresse muss darum mit https:// beginnen.',
  'This address is this computer’s own, not a partner’s.':
    'Diese Adresse ist die dieses Computers, nicht die eines Partners.',
  'The partner’s certificate is not the one that its invite named. Somebody may be in between, or the partner set up anew; ask them by telephone, then pair again.':
    'Das Zertifikat des Partners ist nicht das aus seiner Einladung. Vielleicht sitzt jemand dazwischen, oder der Partner hat neu eingerichtet; fragen Sie am Telefon nach und verbinden Sie sich dann neu.',

  'The partner could not be reached.': 'Der Partner war nicht erreichbar.',
  'The partner cannot be reached.': 'Der Partner ist nicht erreichbar.',
  'The partner’s address does not exist, or this computer is not online.':
    'Die Adresse des Partners gibt es nicht, oder dieser Computer ist nicht online.',
  'The partner’s address cannot be looked up; this computer may not be online.':
    'Die Adresse des Partners lässt sich nicht auflösen; vielleicht ist dieser Computer nicht online.',
  'The partner’s computer is there but Footbridge does not answer on it.':
    'Der Computer des Partners ist da, aber Footbridge antwortet darauf nicht.',
  'The connection to the partner was cut.': 'Die Verbindung zum Partner wurde unterbrochen.',
  'The partner’s computer does not answer; it may be switched off.':
    'Der Computer des Partners antwortet nicht; vielleicht ist er ausgeschaltet.',
  'The partner took too long to answer.': 'Der Partner hat zu lange nicht geantwortet.',
  'There is no way from here to the partner’s computer.':
    'Von hier führt kein Weg zum Computer des Partners.',
  'This computer is not online.': 'Dieser Computer ist nicht online.',
  'The partner’s address is not an encrypted one; try http:// instead of https://.':
    'Die Adresse des Partners ist nicht verschlüsselt; versuchen Sie http:// statt https://.',
  'The partner’s certificate has expired.': 'Das Zertifikat des Partners ist abgelaufen.',
  'The partner’s certificate is not vouched for by anybody. Ask for a new invite, which carries its fingerprint.':
    'Für das Zertifikat des Partners bürgt niemand. Bitten Sie um eine neue Einladung; sie enthält den Fingerabdruck.',
  'The partner’s certificate comes from an unknown authority.':
    'Das Zertifikat des Partners kommt von einer unbekannten Stelle.',
  'The partner’s certificate is for another address.':
    'Das Zertifikat des Partners gilt für eine andere Adresse.',
  'The partner’s server is still starting.': 'Der Server des Partners startet noch.',
  'The partner asks us to wait.': 'Der Partner bittet um etwas Geduld.',
  'The partner refused: {0}': 'Der Partner hat abgelehnt: {0}',
  'The partner sent something that cannot be right: {0}':
    'Der Partner hat etwas geschickt, das nicht stimmen kann. Für die Fehlersuche: {0}',

  'At most {0} columns can be shared.': 'Mehr als {0} Spalten lassen sich nicht teilen.',
  'The column “{0}” is named twice.': 'Die Spalte „{0}“ ist zweimal genannt.',
  'This partner already sees a list called “{0}”. Give this one another name.':
    'Dieser Partner sieht schon eine Liste namens „{0}“. Geben Sie dieser einen anderen Namen.',
  'Choose at least one column. To stop sharing, remove the list.':
    'Wählen Sie mindestens eine Spalte. Um das Teilen zu beenden, entfernen Sie die Liste.',
  'This list is no longer shared.': 'Diese Liste wird nicht mehr geteilt.',
  'This partner sees “{0}” already, as shared list {1}. Change that one.':
    'Dieser Partner sieht „{0}“ schon, als geteilte Liste {1}. Ändern Sie diese.',
  'A shared list stays with its list. Share the other one as new.':
    'Eine geteilte Liste bleibt bei ihrer Liste. Teilen Sie die andere neu.',
  'No list with the id {0} is shared with this partner.':
    'Mit diesem Partner wird keine Liste mit der Nummer {0} geteilt.',

  'This partner offers no list with the id {0}.': 'Dieser Partner bietet keine Liste mit der Nummer {0} an.',
  'The offer is gone.': 'Das Angebot gibt es nicht mehr.',
  'Say which of your lists receives it (composeModuleID), or make one with the same handle.':
    'Sagen Sie, welche Ihrer Listen sie aufnimmt (composeModuleID), oder legen Sie eine mit demselben Kurznamen an.',
  'This offered list is not matched to that list.':
    'Diese angebotene Liste ist jener Liste nicht zugeordnet.',
  'This list is not matched.': 'Diese Liste ist nicht zugeordnet.',
  'Match at least one column. To stop receiving, remove the matching.':
    'Ordnen Sie mindestens eine Spalte zu. Um nichts mehr zu erhalten, entfernen Sie die Zuordnung.',
  'The column “{0}” would be filled twice.': 'Die Spalte „{0}“ würde zweimal gefüllt.',
  'Your list no longer has the column “{0}”.': 'Ihre Liste hat die Spalte „{0}“ nicht mehr.',
  'The partner no longer offers the column {0}.': 'Der Partner bietet die Spalte {0} nicht mehr an.',
  'The partner changed the column {0} from {1} to {2}.':
    'Der Partner hat die Spalte {0} geändert: von {1} in {2}.',
  'The partner changed how many values the column {0} holds.':
    'Der Partner hat geändert, wie viele Werte die Spalte {0} fasst.',

  'Its “{0}” is not what it should be.': '„{0}“ ist darin nicht, wie es sein sollte.',
  'It says that it belongs to another list.': 'Sie gehört nach eigener Angabe zu einer anderen Liste.',
  'All its values together are larger than 4 MiB.': 'Alle ihre Werte zusammen sind größer als 4 MiB.',
  'It has too many values.': 'Sie hat zu viele Werte.',
  'A column’s name is too long.': 'Der Name einer Spalte ist zu lang.',
  'The value of “{0}” is larger than 1 MiB.': 'Der Wert von „{0}“ ist größer als 1 MiB.',
  '“{0}” must be filled, and came empty.': '„{0}“ muss gefüllt sein und kam leer.',
  'Only two Footbridges can compare their rows.': 'Nur zwei Footbridges können ihre Zeilen vergleichen.',
  'The pull was interrupted.': 'Der Abgleich wurde unterbrochen.',
};

/** What is said about partners: connecting, calling, sharing, receiving. */
export const partners: Readonly<Record<string, string>> = {
  'There is no partner with the number {0}. Look for it under Partners.':
    'Es gibt keinen Partner mit der Nummer {0}. Sehen Sie unter „Partner“ nach.',
  'Two partners have the number {0}. Use your own number of one.':
    'Zwei Partner haben die Nummer {0}. Nehmen Sie die eigene Nummer von einem.',
  'This partner was not removed. Remove it first.':
    'Dieser Partner wurde nicht entfernt. Entfernen Sie ihn zuerst.',
  'There are {0} partners already. Remove one first.':
    'Es gibt schon {0} Partner. Entfernen Sie zuerst einen.',

  '“{0}” is not an address of a partner. Give it as https://office.example/federation.':
    '„{0}“ ist keine Adresse eines Partners. Schreiben Sie sie wie https://office.example/federation.',
  'This invite is one of yours. Send it to your partner; it is taken in at the other office.':
    'Diese Einladung ist von Ihnen. Schicken Sie sie Ihrem Partner; eingefügt wird sie im anderen Büro.',
  'This is not a whole invite: {0}. Copy the invite again, from its first to its last character.':
    'Das ist keine vollständige Einladung: {0}. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.',
  'it is too long': 'sie ist zu lang',
  'it is not an address': 'sie ist keine Adresse',
  'it must begin with https://, http:// or corteza://':
    'sie muss mit https://, http:// oder corteza:// beginnen',
  'its number is missing': 'ihre Nummer fehlt',
  'its end is missing': 'ihr Ende fehlt',
  'These are not the words of this connection any more. Compare those that are shown now.':
    'Das sind nicht mehr die Wörter dieser Verbindung. Vergleichen Sie die, die jetzt zu sehen sind.',
  'its secret part must be 32 letters and digits': 'ihr geheimer Teil muss 32 Buchstaben und Ziffern haben',
  'There is no invite to use. Paste one from the partner first.':
    'Es gibt keine Einladung, die sich nutzen ließe. Fügen Sie zuerst eine vom Partner ein.',
  'The partner is being asked right now. Wait for the answer.':
    'Der Partner wird gerade gefragt. Warten Sie auf die Antwort.',
  'Confirmed. The partner’s computer cannot be called from here; it will fetch the answer by itself.':
    'Zugestimmt. Der Computer des Partners ist von hier nicht erreichbar; er holt die Antwort von selbst ab.',
  'The pairing is not complete yet. Wait until both sides have confirmed it.':
    'Die Verbindung ist noch nicht fertig. Warten Sie, bis beide Seiten zugestimmt haben.',
  'This step does not fit now: the partner is {0}. Look at the partner’s page for what comes next.':
    'Dieser Schritt passt gerade nicht: Der Partner ist {0}. Sehen Sie auf der Seite des Partners nach, was ansteht.',
  'not asked to pair yet': 'noch nicht gefragt worden',
  'waiting for the other side': 'noch am Zug',
  paired: 'schon verbunden',
  'not connected': 'nicht verbunden',
  '{0} is not connected. Pair first.': '{0} ist nicht verbunden. Verbinden Sie sich zuerst.',
  'This token is not valid here, or not any more.': 'Dieser Schlüssel gilt hier nicht oder nicht mehr.',
  'There is no key for this partner. Pair again.':
    'Für diesen Partner gibt es keinen Schlüssel. Verbinden Sie sich neu.',
  'The partner ended the connection. Pair again with a new invite to go on.':
    'Der Partner hat die Verbindung beendet. Verbinden Sie sich mit einer neuen Einladung neu, um weiterzumachen.',
  'The partner did not approve the request. If this surprises you, ask them.':
    'Der Partner hat der Anfrage nicht zugestimmt. Wenn Sie das überrascht, fragen Sie nach.',
  'Footbridge was renewed while you were connecting. Connect again with a new invite.':
    'Footbridge wurde erneuert, während Sie sich verbanden. Verbinden Sie sich mit einer neuen Einladung neu.',
  'An invite was taken in for this partner and never used, and its address was changed by it. To be safe the connection was ended: connect again with a new invite.':
    'Für diesen Partner wurde eine Einladung angenommen und nie benutzt, und sie hat seine Adresse geändert. Zur Sicherheit wurde die Verbindung beendet: Verbinden Sie sich mit einer neuen Einladung neu.',
  'The connection has ended: the partner no longer accepts us. Pair again with a new invite.':
    'Die Verbindung ist beendet: Der Partner nimmt uns nicht mehr an. Verbinden Sie sich mit einer neuen Einladung neu.',
  'The connection was ended. The other office asks you to remove the rows that came from it.':
    'Die Verbindung wurde beendet. Das andere Büro bittet Sie, die Zeilen von dort zu entfernen.',
  'This access was made by an older version of Footbridge and could not be taken back. Make a new one on the command line.':
    'Dieser Zugang stammt aus einer älteren Version von Footbridge und ließe sich nicht zurücknehmen. Legen Sie auf der Befehlszeile einen neuen an.',
  'The connection has ended. Pair again with a new invite.':
    'Die Verbindung ist beendet. Verbinden Sie sich mit einer neuen Einladung neu.',
  'The connection has ended: its time was up. Pair again with a new invite.':
    'Die Verbindung ist beendet: Ihre Zeit war um. Verbinden Sie sich mit einer neuen Einladung neu.',

  '{0} is not an address. Check how it is written.': '{0} ist keine Adresse. Prüfen Sie die Schreibweise.',
  '{0} is not a web address. Check how it is written.':
    '{0} ist keine Webadresse. Prüfen Sie die Schreibweise.',
  '{0} is a machine’s own information service, not a partner. Ask them for their right address.':
    '{0} ist der Auskunftsdienst eines Rechners, kein Partner. Bitten Sie um die richtige Adresse.',
  '{0} is on a private network. If this partner is on your own network, tick that on its Connection tab.':
    '{0} liegt in einem privaten Netz. Wenn dieser Partner in Ihrem eigenen Netz ist, kreuzen Sie das unter „Verbindung“ an.',
  '{0} is this computer itself, not a partner. Ask them for their right address.':
    '{0} ist dieser Computer selbst, kein Partner. Bitten Sie um die richtige Adresse.',
  '{0} is not an address that a partner can have. Ask them for their right address.':
    '{0} kann nicht die Adresse eines Partners sein. Bitten Sie um die richtige Adresse.',
  'A partner’s address does not start with {0}. Write it with https:// or http:// in front.':
    'Die Adresse eines Partners beginnt nicht mit {0}. Schreiben Sie sie mit https:// oder http:// davor.',
  'A partner’s address carries no user name or password. Remove them from it.':
    'Die Adresse eines Partners enthält weder Benutzernamen noch Passwort. Entfernen Sie beides daraus.',
  '{0} has a part after # that cannot be used. Remove that part.':
    '{0} hat einen Teil nach #, der sich nicht verwenden lässt. Entfernen Sie diesen Teil.',
  'This partner’s invite promised encryption. Write its address with https:// in front.':
    'Die Einladung dieses Partners versprach Verschlüsselung. Schreiben Sie seine Adresse mit https:// davor.',
  'This address is this computer’s own, not a partner’s. Ask them for their right address.':
    'Diese Adresse ist die dieses Computers, nicht die eines Partners. Bitten Sie um die richtige Adresse.',
  'The partner’s certificate is not the one that its invite named. Somebody may be in between, or the partner set up anew; ask them by telephone, then pair again.':
    'Das Zertifikat des Partners ist nicht das aus seiner Einladung. Vielleicht sitzt jemand dazwischen, oder der Partner hat neu eingerichtet; fragen Sie am Telefon nach und verbinden Sie sich dann neu.',

  'The partner could not be reached. Try again later, or ask them whether their computer is on.':
    'Der Partner war nicht erreichbar. Versuchen Sie es später noch einmal, oder fragen Sie nach, ob dort der Computer an ist.',
  'The partner cannot be reached. Ask them whether their computer is on.':
    'Der Partner ist nicht erreichbar. Fragen Sie nach, ob dort der Computer an ist.',
  'The partner’s address does not exist, or this computer is not online. Check that you are online, then ask them for their address.':
    'Die Adresse des Partners gibt es nicht, oder dieser Computer ist nicht online. Prüfen Sie, ob Sie online sind; fragen Sie dann nach der Adresse.',
  'The partner’s address cannot be looked up. Check that this computer is online.':
    'Die Adresse des Partners lässt sich nicht auflösen. Prüfen Sie, ob dieser Computer online ist.',
  'The partner’s computer is there but Footbridge does not answer on it. Ask them to start it.':
    'Der Computer des Partners ist da, aber Footbridge antwortet darauf nicht. Bitten Sie darum, es zu starten.',
  'The connection to the partner was cut. Check that both of you are online.':
    'Die Verbindung zum Partner wurde unterbrochen. Prüfen Sie, ob beide Seiten online sind.',
  'The partner’s computer does not answer. Ask them whether it is switched on.':
    'Der Computer des Partners antwortet nicht. Fragen Sie nach, ob er eingeschaltet ist.',
  'The partner took too long to answer. Ask them whether their computer is busy or asleep.':
    'Der Partner hat zu lange nicht geantwortet. Fragen Sie nach, ob der Computer dort beschäftigt ist oder schläft.',
  'There is no way from here to the partner’s computer. Check that both of you are online.':
    'Von hier führt kein Weg zum Computer des Partners. Prüfen Sie, ob beide Seiten online sind.',
  'This computer is not online. Check its network connection.':
    'Dieser Computer ist nicht online. Prüfen Sie seine Netzwerkverbindung.',
  'The partner’s address is not an encrypted one; try http:// instead of https://.':
    'Die Adresse des Partners ist nicht verschlüsselt; versuchen Sie http:// statt https://.',
  'The partner’s certificate has expired. Ask them to renew it.':
    'Das Zertifikat des Partners ist abgelaufen. Bitten Sie darum, es zu erneuern.',
  'The partner’s certificate is not vouched for by anybody. Ask for a new invite, which carries its fingerprint.':
    'Für das Zertifikat des Partners bürgt niemand. Bitten Sie um eine neue Einladung; sie enthält den Fingerabdruck.',
  'The partner’s certificate comes from an unknown authority. Ask for a new invite, which carries its fingerprint.':
    'Das Zertifikat des Partners kommt von einer unbekannten Stelle. Bitten Sie um eine neue Einladung; sie enthält den Fingerabdruck.',
  'The partner’s certificate is for another address. Ask them for their right address.':
    'Das Zertifikat des Partners gilt für eine andere Adresse. Bitten Sie um die richtige Adresse.',
  'The partner’s program is still starting. Wait a moment.':
    'Das Programm des Partners startet noch. Warten Sie einen Augenblick.',
  'The partner asks us to wait. Give it a moment.':
    'Der Partner bittet um etwas Geduld. Warten Sie einen Augenblick.',
  'Something else answers in the partner’s place: the login page of a network, a filter on the way, or another device at its address. Open any web page to see whether your network wants a login, and ask the partner for its right address.':
    'An der Stelle des Partners antwortet etwas anderes: die Anmeldeseite eines Netzes, ein Filter unterwegs oder ein anderes Gerät unter seiner Adresse. Öffnen Sie eine beliebige Webseite, um zu sehen, ob Ihr Netz eine Anmeldung verlangt, und fragen Sie den Partner nach der richtigen Adresse.',
  'Another program answers at the partner’s address. Ask the partner whether its own is running there, and whether the address is still right.':
    'Unter der Adresse des Partners antwortet ein anderes Programm. Fragen Sie den Partner, ob seines dort läuft und ob die Adresse noch stimmt.',
  'Another Footbridge answers at the partner’s address: another computer has that address now, or the partner set up anew. Ask for its right address, or pair again with a new invite.':
    'Unter der Adresse des Partners antwortet eine andere Footbridge: Ein anderer Computer hat diese Adresse jetzt, oder der Partner hat neu eingerichtet. Fragen Sie nach der richtigen Adresse, oder verbinden Sie sich mit einer neuen Einladung neu.',
  'Another Footbridge gave this key. Check the address.':
    'Dieser Schlüssel stammt von einer anderen Footbridge. Prüfen Sie die Adresse.',
  'The partner cannot be reached just now: its address answers only with status {0}. Ask them whether their program is running.':
    'Der Partner ist gerade nicht zu erreichen: Unter seiner Adresse kommt nur der Status {0} zurück. Fragen Sie nach, ob das Programm dort läuft.',
  '{0} It is tried again by itself.': '{0} Es wird von selbst erneut versucht.',
  'The partner’s clock and this computer’s are {0} apart, so that it does not accept us. Set right the one that is wrong; it goes on by itself.':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {0}, sodass er uns nicht annimmt. Stellen Sie die falsche richtig; dann geht es von selbst weiter.',
  'The partner’s clock and this computer’s are {0} apart, so that the invite does not count there. Set right the one that is wrong, then try again.':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {0}, sodass die Einladung dort nicht gilt. Stellen Sie die falsche richtig, und versuchen Sie es dann noch einmal.',
  'The partner’s clock and this computer’s are {0} apart, so that it does not take our answer. Set right the one that is wrong, then try again.':
    'Zwischen der Uhr des Partners und der dieses Computers liegt ein Unterschied von {0}, sodass er unsere Antwort nicht annimmt. Stellen Sie die falsche richtig, und versuchen Sie es dann noch einmal.',
  'The partner does not accept us just now. It is tried again by itself; if it stays so, pair again with a new invite.':
    'Der Partner lässt uns gerade nicht herein. Es wird von selbst erneut versucht; bleibt es dabei, verbinden Sie sich mit einer neuen Einladung.',
  'The partner has closed its side, as ours did not accept it any more. Ask them to choose “Try again” there, or pair again with a new invite.':
    'Der Partner hat seine Seite geschlossen, weil unsere ihn nicht mehr hereinließ. Bitten Sie ihn, dort „Erneut versuchen“ zu wählen, oder verbinden Sie sich mit einer neuen Einladung.',
  'The connection has ended: the partner no longer accepts us. Try again, or pair again with a new invite.':
    'Die Verbindung ist beendet: Der Partner lässt uns nicht mehr herein. Versuchen Sie es noch einmal, oder verbinden Sie sich mit einer neuen Einladung.',
  'This side of the connection is closed, since yours did not accept it any more. Pair again, or have it tried again here.':
    'Diese Seite der Verbindung ist geschlossen, weil Ihre sie nicht mehr hereinließ. Verbinden Sie sich neu, oder lassen Sie es hier noch einmal versuchen.',
  'The other office ended this connection. Pair again with a new invite to go on.':
    'Das andere Büro hat diese Verbindung beendet. Verbinden Sie sich mit einer neuen Einladung, um weiterzumachen.',
  'Both computers have the data folder of one office: one was copied from the other. Start Footbridge with an empty data folder on one of them, and pair that one.':
    'Beide Computer haben den Datenordner eines und desselben Büros: Der eine wurde vom anderen kopiert. Starten Sie Footbridge auf einem der beiden mit einem leeren Datenordner, und verbinden Sie diesen.',
  'The disk of the partner’s computer is full: nothing can be fetched until there is room. Ask them to make room on it.':
    'Der Datenträger des Computers beim Partner ist voll: Bis dort Platz ist, lässt sich nichts holen. Bitten Sie dort, Platz zu schaffen.',
  'The partner’s computer cannot write its data folder, so that nothing can be fetched. Ask them to look at what their Footbridge says.':
    'Der Computer beim Partner kann seinen Datenordner nicht beschreiben. So lässt sich nichts holen. Bitten Sie dort, nachzusehen, was das Footbridge sagt.',
  'The disk of the partner’s computer reported an error, so that nothing can be fetched. Ask them to look at what their Footbridge says.':
    'Der Datenträger des Computers beim Partner hat einen Fehler gemeldet. So lässt sich nichts holen. Bitten Sie dort, nachzusehen, was das Footbridge sagt.',
  'The partner refused. Ask them about it: {0}': 'Der Partner hat abgelehnt. Fragen Sie dort nach: {0}',
  'The partner sent something that cannot be right. Tell whoever looks after their program: {0}':
    'Der Partner hat etwas geschickt, das nicht stimmen kann. Sagen Sie es denen, die sein Programm betreuen: {0}',

  'At most {0} columns can be shared. Choose fewer.':
    'Mehr als {0} Spalten lassen sich nicht teilen. Wählen Sie weniger.',
  'The column “{0}” is named twice. Remove one of the two.':
    'Die Spalte „{0}“ ist zweimal genannt. Entfernen Sie eine davon.',
  '“{0}” cannot be shown by that column: the other list does not have it any more, or it names nothing. Choose another one.':
    '„{0}“ lässt sich nicht durch diese Spalte zeigen: Die andere Liste hat sie nicht mehr, oder sie benennt nichts. Wählen Sie eine andere.',
  'The connection was renewed too often. It goes on as it is; ask again in an hour.':
    'Die Verbindung wurde zu oft erneuert. Sie geht weiter, wie sie ist; fragen Sie in einer Stunde wieder.',
  'So much was asked for today that it can no longer be written down. Ask for less, or again tomorrow.':
    'Heute wurde so viel gefragt, dass es sich nicht mehr aufschreiben lässt. Fragen Sie nach weniger oder morgen wieder.',
  'This partner already sees a list called “{0}”. Give this one another name.':
    'Dieser Partner sieht schon eine Liste namens „{0}“. Geben Sie dieser einen anderen Namen.',
  'Choose at least one column. To stop sharing, remove the list.':
    'Wählen Sie mindestens eine Spalte. Um das Teilen zu beenden, entfernen Sie die Liste.',
  'This list is no longer shared. Ask for it if you need it.':
    'Diese Liste wird nicht mehr geteilt. Fragen Sie danach, wenn Sie sie brauchen.',
  'This partner sees “{0}” already, as shared list {1}. Change that one.':
    'Dieser Partner sieht „{0}“ schon, als geteilte Liste {1}. Ändern Sie diese.',
  'A shared list stays with its list. Share the other one as new.':
    'Eine geteilte Liste bleibt bei ihrer Liste. Teilen Sie die andere neu.',
  'No list with the number {0} is shared with this partner. Look at what you share.':
    'Mit diesem Partner wird keine Liste mit der Nummer {0} geteilt. Sehen Sie nach, was Sie teilen.',

  'This partner offers no list with the number {0}. Look at what they offer.':
    'Dieser Partner bietet keine Liste mit der Nummer {0} an. Sehen Sie nach, was angeboten wird.',
  'The offer is gone. Ask them to share the list again.':
    'Das Angebot gibt es nicht mehr. Bitten Sie darum, die Liste wieder zu teilen.',
  'Say which of your lists receives it (composeModuleID), or make one with the same handle.':
    'Sagen Sie, welche Ihrer Listen sie aufnimmt (composeModuleID), oder legen Sie eine mit demselben Kurznamen an.',
  'This offered list is not matched to that list. Match it first.':
    'Diese angebotene Liste ist jener Liste nicht zugeordnet. Ordnen Sie sie zuerst zu.',
  'This list is not matched. Match it first.': 'Diese Liste ist nicht zugeordnet. Ordnen Sie sie zuerst zu.',
  'Match at least one column. To stop receiving, remove the matching.':
    'Ordnen Sie mindestens eine Spalte zu. Um nichts mehr zu erhalten, entfernen Sie die Zuordnung.',
  'The column “{0}” would be filled twice. Choose another one for one of the two.':
    'Die Spalte „{0}“ würde zweimal gefüllt. Wählen Sie für eine der beiden eine andere.',
  'Your list no longer has the column “{0}”.': 'Ihre Liste hat die Spalte „{0}“ nicht mehr.',
  'The partner no longer offers the column {0}.': 'Der Partner bietet die Spalte {0} nicht mehr an.',
  'The partner changed the column {0} from {1} to {2}.':
    'Der Partner hat die Spalte {0} geändert: von {1} in {2}.',
  'The partner changed how many values the column {0} holds.':
    'Der Partner hat geändert, wie viele Werte die Spalte {0} fasst.',

  'Its “{0}” is not what it should be.': '„{0}“ ist darin nicht, wie es sein sollte.',
  'It says that it belongs to another list.': 'Sie gehört nach eigener Angabe zu einer anderen Liste.',
  'All its values together are larger than 4 MB.': 'Alle ihre Werte zusammen sind größer als 4 MB.',
  'It has too many values.': 'Sie hat zu viele Werte.',
  'A column’s name is too long.': 'Der Name einer Spalte ist zu lang.',
  'The value of “{0}” is larger than 1 MB.': 'Der Wert von „{0}“ ist größer als 1 MB.',
  '“{0}” must be filled, and came empty.': '„{0}“ muss gefüllt sein und kam leer.',
  'Only two Footbridges can compare their rows. Compare by looking at the lists.':
    'Nur zwei Footbridges können ihre Zeilen vergleichen. Vergleichen Sie die Listen mit eigenen Augen.',
  'Fetching rows was interrupted. Try again.':
    'Das Holen der Zeilen wurde unterbrochen. Versuchen Sie es noch einmal.',
};

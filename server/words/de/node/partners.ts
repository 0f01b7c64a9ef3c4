import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/node/partners.ts';

/** About partners: pairing, invites, the connection, what is shared and matched, and what partners answer. */
export const partners: Translated<typeof english> = {
  'partner.ambiguous': 'Zwei Partner haben die Nummer {number}. Nehmen Sie die eigene Nummer von einem.',
  'partner.unknown': 'Es gibt keinen Partner mit der Nummer {number}. Sehen Sie unter „Partner“ nach.',
  'partner.bad-address':
    '„{text}“ ist keine Adresse eines Partners. Schreiben Sie sie wie https://office.example/federation.',
  'partner.too-many': 'Es gibt schon {most} Partner. Entfernen Sie zuerst einen.',
  'partner.not-removed': 'Dieser Partner wurde nicht entfernt. Entfernen Sie ihn zuerst.',

  'connection.ended-remove':
    'Die Verbindung wurde beendet. Das andere Büro bittet Sie, die Zeilen von dort zu entfernen.',
  'connection.ended-by-them':
    'Das andere Büro hat diese Verbindung beendet. Verbinden Sie sich mit einer neuen Einladung, um weiterzumachen.',
  'connection.another-key': 'Dieser Schlüssel stammt von einer anderen Footbridge. Prüfen Sie die Adresse.',
  'connection.token-not-valid': 'Dieser Schlüssel gilt hier nicht oder nicht mehr.',
  'connection.superseded':
    '{partner} wurde neu verbunden, darum gilt dieser ältere Schlüssel nicht mehr. Löschen Sie in Corteza den alten Eintrag für uns.',
  'connection.no-key': 'Für diesen Partner gibt es keinen Schlüssel. Verbinden Sie sich neu.',
  'connection.time-up':
    'Die Verbindung ist beendet: Ihre Zeit war um. Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'connection.they-ended':
    'Der Partner hat die Verbindung beendet. Stellen Sie sie mit einer neuen Einladung wieder her, um weiterzumachen.',
  'connection.words-differ':
    'Das andere Büro hat diese Verbindung beendet, weil die Prüfwörter nicht gleich waren. Rufen Sie dort an, und verbinden Sie sich mit einer neuen Einladung.',
  'connection.words-differed':
    'Die Prüfwörter waren nicht auf beiden Seiten gleich, darum wurde diese Verbindung sofort beendet: Vielleicht war jemand dazwischen. Bitten Sie den Partner auf einem anderen Weg um eine Einladung, oder erstellen Sie eine neue, und vergleichen Sie die Wörter wieder.',
  'connection.words-differed-there':
    'Der Partner hat gemeldet, dass die Prüfwörter nicht auf beiden Seiten gleich waren, und die Verbindung beendet: Vielleicht war jemand dazwischen. Rufen Sie dort an, verbinden Sie sich mit einer neuen Einladung, und vergleichen Sie die Wörter wieder.',
  'connection.renewed-too-often':
    'Die Verbindung wurde zu oft erneuert. Sie geht weiter, wie sie ist; fragen Sie in einer Stunde wieder.',
  'connection.they-paused':
    'Das andere Büro teilt mit Ihnen gerade nichts. Warten Sie, bis es dort weitergeht; die Verbindung bleibt.',
  'connection.closed-here':
    'Diese Seite der Verbindung ist geschlossen, weil Ihre sie nicht mehr hereinließ. Verbinden Sie sich neu, oder lassen Sie es hier noch einmal versuchen.',

  'pairing.ended':
    'Die Verbindung ist beendet. Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'pairing.same-installation':
    'Beide Computer haben den Datenordner eines und desselben Büros: Der eine wurde vom anderen kopiert. Starten Sie Footbridge auf einem der beiden mit einem leeren Datenordner, und verbinden Sie diesen.',
  'pairing.not-shown':
    'Der andere Computer gibt sich für ein Büro aus, dessen Schlüssel er nicht hat; darum kam die Verbindung nicht zustande. Fragen Sie dort am Telefon, welcher Computer es ist, und verbinden Sie sich mit einer neuen Einladung.',
  'pairing.renewed-meanwhile':
    'Footbridge wurde erneuert, während Sie sich verbanden. Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'pairing.address-changed':
    'Für diesen Partner wurde eine Einladung angenommen und nie benutzt, und sie hat seine Adresse geändert. Zur Sicherheit wurde die Verbindung beendet: Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'pairing.state-pending': 'noch nicht gefragt worden',
  'pairing.state-requested': 'noch am Zug',
  'pairing.state-paired': 'schon verbunden',
  'pairing.state-none': 'nicht verbunden',
  'pairing.out-of-order':
    'Dieser Schritt passt gerade nicht: Der Partner ist {state}. Sehen Sie auf der Seite des Partners nach, was ansteht.',
  'pairing.busy': 'Der Partner wird gerade gefragt. Warten Sie auf die Antwort.',
  'pairing.no-address':
    'Das Programm des Partners hat seine Adresse nicht genannt. Tragen Sie sie auf dem Reiter „Verbindung“ unter „Adresse des Partners“ ein, und stimmen Sie dann zu.',
  'pairing.no-invite':
    'Es gibt keine Einladung, die sich nutzen ließe. Fügen Sie zuerst eine vom Partner ein.',
  'pairing.waits-for-them':
    'Zugestimmt. Der Computer des Partners ist von hier nicht erreichbar; er holt die Antwort von selbst ab.',
  'pairing.other-words':
    'Das sind nicht mehr die Wörter dieser Verbindung. Vergleichen Sie die, die jetzt zu sehen sind.',
  'pairing.not-complete':
    'Die Verbindung ist noch nicht fertig. Warten Sie, bis beide Seiten zugestimmt haben.',
  'pairing.not-waiting':
    'Der Partner wartet nicht mehr auf diese Verbindung: Er hat nicht zugestimmt, oder er hat es, und die Daten hier sind auf einen Stand von davor zurückgefallen. Bitten Sie ihn um eine neue Einladung.',
  'pairing.not-approved':
    'Der Partner hat der Anfrage nicht zugestimmt. Wenn Sie das überrascht, fragen Sie nach.',

  'invite.own':
    'Diese Einladung ist von Ihnen. Schicken Sie sie Ihrem Partner; eingefügt wird sie im anderen Büro.',
  'invite.too-long': 'sie ist zu lang',
  'invite.no-address': 'sie ist keine Adresse',
  'invite.wrong-scheme': 'sie muss mit https://, http:// oder corteza:// beginnen',
  'invite.no-number': 'ihr Anfang fehlt',
  'invite.bad-secret': 'ihr geheimer Teil muss 32 Buchstaben und Ziffern haben',
  'invite.no-end': 'ihr Ende fehlt',
  'invite.not-whole':
    'Das ist keine vollständige Einladung: {reason}. Kopieren Sie sie noch einmal, vom ersten bis zum letzten Zeichen.',
  'invite.none':
    'Darin steht keine Einladung. Eine Einladung ist das, was Footbridge bei Ihrem Partner zum Kopieren zeigt: Bitten Sie ihn darum.',
  'invite.other-link':
    'Das ist ein Link zu {host} und keine Einladung. Eine Einladung ist das, was Footbridge bei Ihrem Partner zum Kopieren zeigt: Bitten Sie ihn darum.',

  'address.none': '{text} ist keine Adresse. Prüfen Sie die Schreibweise.',
  'address.information-service':
    '{address} ist der Auskunftsdienst eines Rechners, kein Partner. Bitten Sie um die richtige Adresse.',
  'address.private':
    '{address} liegt in einem privaten Netz. Wenn dieser Partner in Ihrem eigenen Netz ist, kreuzen Sie das unter „Verbindung“ an.',
  'address.this-computer':
    '{address} ist dieser Computer selbst, kein Partner. Bitten Sie um die richtige Adresse.',
  'address.not-a-partners':
    '{address} kann nicht die Adresse eines Partners sein. Bitten Sie um die richtige Adresse.',
  'address.no-web-address': '{text} ist keine Webadresse. Prüfen Sie die Schreibweise.',
  'address.wrong-scheme':
    'Die Adresse eines Partners beginnt nicht mit {scheme}. Schreiben Sie sie mit https:// oder http:// davor.',
  'address.credentials':
    'Die Adresse eines Partners enthält weder Benutzernamen noch Passwort. Entfernen Sie beides daraus.',
  'address.fragment':
    '{text} hat einen Teil nach #, der sich nicht verwenden lässt. Entfernen Sie diesen Teil.',

  'peer.not-reached':
    'Der Partner war nicht erreichbar. Versuchen Sie es später noch einmal, oder fragen Sie nach, ob dort der Computer an ist.',
  'peer.too-slow':
    'Der Partner hat zu lange nicht geantwortet. Fragen Sie nach, ob der Computer dort beschäftigt ist oder schläft.',
  'peer.bad-status':
    'Der Partner ist gerade nicht zu erreichen: Unter seiner Adresse kommt nur der Status {status} zurück. Fragen Sie nach, ob das Programm dort läuft.',
  'peer.something-else':
    'An der Stelle des Partners antwortet etwas anderes: die Anmeldeseite eines Netzes, ein Filter unterwegs oder ein anderes Gerät unter seiner Adresse. Öffnen Sie eine beliebige Webseite, um zu sehen, ob Ihr Netz eine Anmeldung verlangt, und fragen Sie den Partner nach der richtigen Adresse.',
  'peer.records-broken':
    'Laut dem Programm beim Partner gibt es diese Liste nicht. Sagt es das bei jeder Liste, erlauben Sie den anderen Weg auf dem Reiter „Verbindung“. Sonst bitten Sie darum, sie neu zu teilen.',
  'peer.no-federation':
    'Das Programm des Partners antwortet, aber die Föderation ist nicht unter dieser Adresse: abgeschaltet oder umgezogen. Fragen Sie den Partner danach, und nach der neuen Adresse.',
  'peer.list-deleted': 'Diese Liste wurde dort gelöscht. Fragen Sie den Partner, ob das Absicht war.',
  'peer.another-program':
    'Unter der Adresse des Partners antwortet ein anderes Programm. Fragen Sie den Partner, ob seines dort läuft und ob die Adresse noch stimmt.',
  'peer.another-footbridge':
    'Unter der Adresse des Partners antwortet eine andere Footbridge: Ein anderer Computer hat diese Adresse jetzt, oder der Partner hat neu eingerichtet. Fragen Sie nach der richtigen Adresse, oder verbinden Sie sich mit einer neuen Einladung neu.',
  'peer.invite-unknown': 'Der Computer des Partners kennt diese Einladung nicht. Bitten Sie um eine neue.',
  'peer.invite-used': 'Diese Einladung wurde schon benutzt. Bitten Sie den Partner um eine neue.',
  'peer.link-replaced':
    'Dieser Link gilt nicht mehr: Jedes Mal, wenn der Eintrag für Sie in Corteza geöffnet wird, bekommt er einen neuen. Bitten Sie die Administration dort um den jetzigen Link, und darum, den Eintrag nicht noch einmal zu öffnen.',
  'peer.entry-gone':
    'Im Corteza dort gibt es keinen Eintrag mehr für Ihr Büro. Bitten Sie die Administration dort, einen anzulegen und seinen Link zu schicken.',
  'peer.invite-expired':
    'Diese Einladung ist abgelaufen: Sie galt 24 Stunden. Bitten Sie den Partner um eine neue.',
  'peer.invite-withdrawn':
    'Diese Einladung gilt nicht mehr: Der Partner hat eine neuere erstellt oder sie zurückgezogen. Bitten Sie um eine neue.',
  'peer.not-accepted':
    'Der Partner lässt uns gerade nicht herein. Es wird von selbst erneut versucht; bleibt es dabei, verbinden Sie sich mit einer neuen Einladung.',
  'peer.closed-its-side':
    'Der Partner hat seine Seite geschlossen, weil unsere ihn nicht mehr hereinließ. Bitten Sie ihn, dort „Erneut versuchen“ zu wählen, oder verbinden Sie sich mit einer neuen Einladung.',
  'peer.paused':
    'Der Partner hat angehalten: Von dort kann gerade nichts geholt werden. Es geht von selbst weiter, sobald es dort weitergeht.',
  'peer.no-longer-accepted':
    'Die Verbindung ist beendet: Der Partner nimmt uns nicht mehr an. Stellen Sie die Verbindung mit einer neuen Einladung wieder her.',
  'peer.disk-full':
    'Der Datenträger des Computers beim Partner ist voll: Bis dort Platz ist, lässt sich nichts holen. Bitten Sie dort, Platz zu schaffen.',
  'peer.not-shown':
    'Das andere Büro konnte nicht feststellen, welches Büro Ihr Computer ist: Die Einladung wurde unterwegs oder von Hand geändert, jemand sitzt dazwischen, oder Ihrem Datenordner fehlt der Schlüssel zu seiner Nummer. Versuchen Sie es noch einmal mit einer neuen Einladung, genau so, wie sie kommt.',
  'peer.cannot-write':
    'Der Computer beim Partner kann seinen Datenordner nicht beschreiben. So lässt sich nichts holen. Bitten Sie dort, nachzusehen, was das Footbridge sagt.',
  'peer.disk-error':
    'Der Datenträger des Computers beim Partner hat einen Fehler gemeldet. So lässt sich nichts holen. Bitten Sie dort, nachzusehen, was das Footbridge sagt.',
  'peer.refused':
    'Der Computer des Partners hat das nicht angenommen. Fragen Sie dort, was das heißt: {answer}',
  'peer.cannot-be-right':
    'Der Partner hat etwas geschickt, das nicht stimmen kann. Sagen Sie es denen, die sein Programm betreuen: {reason}',
  'peer.starting': 'Das Programm des Partners startet noch. Warten Sie einen Augenblick.',
  'peer.asks-to-wait': 'Der Partner bittet um etwas Geduld. Warten Sie einen Augenblick.',
  'peer.other-certificate':
    'Der Computer, der antwortet, ist nicht der aus der Einladung. Vielleicht sitzt jemand dazwischen, oder der Partner hat neu eingerichtet; fragen Sie am Telefon nach und verbinden Sie sich dann neu.',
  'peer.promised-encryption':
    'Die Einladung dieses Partners versprach Verschlüsselung. Schreiben Sie seine Adresse mit https:// davor.',
  'peer.own-address':
    'Diese Adresse ist die dieses Computers, nicht die eines Partners. Bitten Sie um die richtige Adresse.',
  'peer.no-such-host':
    'Die Adresse des Partners gibt es nicht, oder dieser Computer ist nicht online. Prüfen Sie, ob Sie online sind; fragen Sie dann nach der Adresse.',
  'peer.no-lookup':
    'Die Adresse des Partners lässt sich nicht auflösen. Prüfen Sie, ob dieser Computer online ist.',
  'peer.nothing-listens':
    'Der Computer des Partners ist da, aber sein Programm antwortet nicht. Bitten Sie darum, es zu starten.',
  'peer.cut': 'Die Verbindung zum Partner wurde unterbrochen. Prüfen Sie, ob beide Seiten online sind.',
  'peer.silent': 'Der Computer des Partners antwortet nicht. Fragen Sie nach, ob er eingeschaltet ist.',
  'peer.no-way':
    'Von hier führt kein Weg zum Computer des Partners. Prüfen Sie, ob beide Seiten online sind.',
  'peer.not-connected':
    'Der Partner ist nicht mit diesem Computer verbunden, und Sie können dort nicht anrufen. Prüfen Sie, ob Sie online sind, und fragen Sie dann, ob Footbridge dort läuft.',
  'peer.not-at-relay':
    'Der Partner ist gerade nicht online. Fragen Sie, ob Footbridge dort läuft und online ist.',
  'peer.relay-silent':
    'Der Computer, der Sie mit dem Partner verbindet, antwortet nicht. Prüfen Sie, ob Sie online sind, und fragen Sie dann die Person, die sich um ihn kümmert.',
  'peer.relay-refuses':
    'Der Computer, der Sie mit dem Partner verbindet, weist die Verbindung ab. Fragen Sie die Person, die sich um ihn kümmert.',
  'peer.offline': 'Dieser Computer ist nicht online. Prüfen Sie seine Netzwerkverbindung.',
  'peer.not-encrypted':
    'Die Adresse des Partners ist nicht verschlüsselt; versuchen Sie http:// statt https://.',
  'peer.certificate-expired':
    'Der Ausweis, den der Computer des Partners zeigt, ist abgelaufen. Bitten Sie darum, ihn zu erneuern.',
  'peer.certificate-self-signed':
    'Für den Ausweis, den der Computer des Partners zeigt, bürgt niemand. Bitten Sie um eine neue Einladung; mit ihr lässt er sich prüfen.',
  'peer.certificate-unknown':
    'Der Ausweis, den der Computer des Partners zeigt, kommt von einer unbekannten Stelle. Bitten Sie um eine neue Einladung; mit ihr lässt er sich prüfen.',
  'peer.certificate-other-address':
    'Der Ausweis, den der Computer des Partners zeigt, gilt für eine andere Adresse. Bitten Sie um die richtige Adresse.',
  'peer.unreachable': 'Der Partner ist nicht erreichbar. Fragen Sie nach, ob dort der Computer an ist.',

  'share.too-many-columns': 'Mehr als {most} Spalten lassen sich nicht teilen. Wählen Sie weniger.',
  'share.column-twice': 'Die Spalte „{column}“ ist zweimal genannt. Entfernen Sie eine davon.',
  'share.no-such-column': 'In der Liste gibt es keine Spalte „{column}“. Wählen Sie unter den vorhandenen.',
  'share.bad-title':
    '„{column}“ lässt sich nicht durch diese Spalte zeigen: Die andere Liste hat sie nicht mehr, oder sie benennt nichts. Wählen Sie eine andere.',
  'share.name-taken':
    'Dieser Partner sieht schon eine Liste namens „{list}“. Geben Sie dieser einen anderen Namen.',
  'share.no-column': 'Wählen Sie mindestens eine Spalte. Um das Teilen zu beenden, entfernen Sie die Liste.',
  'share.withdrawn': 'Diese Liste wird nicht mehr geteilt. Fragen Sie danach, wenn Sie sie brauchen.',
  'share.twice': 'Dieser Partner sieht „{list}“ schon, als geteilte Liste {number}. Ändern Sie diese.',
  'share.stays': 'Eine geteilte Liste bleibt bei ihrer Liste. Teilen Sie die andere neu.',
  'condition.no-such-test': '„{column}“ lässt sich so nicht vergleichen. Wählen Sie einen anderen Vergleich.',
  'condition.no-value':
    'In der Bedingung fehlt ein Wert für „{column}“. Schreiben Sie einen, oder wählen Sie „ist leer“.',
  'share.unknown':
    'Mit diesem Partner wird keine Liste mit der Nummer {number} geteilt. Sehen Sie nach, was Sie teilen.',

  'ledger.full':
    'Heute wurde so viel gefragt, dass es sich nicht mehr aufschreiben lässt. Fragen Sie nach weniger oder morgen wieder.',

  'offer.unknown':
    'Dieser Partner bietet keine Liste mit der Nummer {number} an. Sehen Sie nach, was angeboten wird.',
  'offer.gone': 'Das Angebot gibt es nicht mehr. Bitten Sie darum, die Liste wieder zu teilen.',

  'match.which-list':
    'Sagen Sie, welche Ihrer Listen sie aufnimmt (composeModuleID), oder legen Sie eine mit demselben Kurznamen an.',
  'match.mixed':
    'In derselben Liste sind auch Zeilen aus einer anderen Liste dieses Partners. Behalten Sie die Zeilen, und löschen Sie in Ihrer Liste, was Sie nicht brauchen.',
  'match.none': 'Diese angebotene Liste ist jener Liste nicht zugeordnet. Ordnen Sie sie zuerst zu.',
  'match.no-column':
    'Ordnen Sie mindestens eine Spalte zu. Um nichts mehr zu erhalten, entfernen Sie die Zuordnung.',
  'match.filled-twice':
    'Die Spalte „{column}“ würde zweimal gefüllt. Wählen Sie für eine der beiden eine andere.',
  'match.column-gone': 'Ihre Liste hat die Spalte „{column}“ nicht mehr.',
  'match.not-offered': 'Der Partner bietet die Spalte {column} nicht mehr an.',
  'match.kind-changed': 'Der Partner hat die Spalte {column} geändert: von {before} in {after}.',
  'match.another-column':
    'Beim Partner trägt jetzt eine andere Spalte den Namen {column}. Ordnen Sie sie neu zu, wenn ihre Werte hier ankommen sollen.',
  'match.number-of-values-changed': 'Der Partner hat geändert, wie viele Werte die Spalte {column} fasst.',

  'compare.only-footbridges':
    'Nur zwei Footbridges können ihre Zeilen vergleichen. Vergleichen Sie die Listen mit eigenen Augen.',
  'brake.changed': {
    one: 'Was wartet, hat sich geändert: Es ist jetzt 1 Zeile. Noch wurde nichts entfernt. Sehen Sie sie hier an und sagen Sie noch einmal, was Sie möchten.',
    other:
      'Was wartet, hat sich geändert: Es sind jetzt {n} Zeilen. Noch wurde nichts entfernt. Sehen Sie sie hier an und sagen Sie noch einmal, was Sie möchten.',
  },
  'brake.columns':
    'Die Spalten dieser Liste oder ihre Zuordnung haben sich geändert, nachdem diese Zeilen kamen. Nichts wurde geändert. Der Partner schickt sie noch einmal; entscheiden Sie dann.',
  'compare.not-matched': 'Diese Liste ist nicht zugeordnet. Ordnen Sie sie zuerst zu.',

  'pull.interrupted': 'Das Holen der Zeilen wurde unterbrochen. Versuchen Sie es noch einmal.',
  'pull.not-connected': '{partner} ist nicht verbunden. Verbinden Sie sich zuerst.',
  'pull.no-longer-accepted':
    'Die Verbindung ist beendet: Der Partner lässt uns nicht mehr herein. Versuchen Sie es noch einmal, oder verbinden Sie sich mit einer neuen Einladung.',
  'pull.list-changed':
    'Die Liste wurde entfernt oder anders zugeordnet, während ihre Zeilen kamen. Sehen Sie nach, was Sie erhalten.',

  'received.wrong-part': '„{part}“ ist darin nicht, wie es sein sollte.',
  'received.other-list': 'Sie gehört nach eigener Angabe zu einer anderen Liste.',
  'received.too-many-values': 'Sie hat zu viele Werte.',
  'received.long-name': 'Der Name einer Spalte ist zu lang.',
  'received.long-value': 'Der Wert von „{column}“ ist größer als 1 MB.',
  'received.too-large': 'Alle ihre Werte zusammen sind größer als 4 MB.',

  'listen.taken':
    'Port {port} wird von einem anderen Programm verwendet. Es wurde nichts geändert: Partner werden bedient wie zuvor. Wählen Sie in den Einstellungen einen anderen Port.',
  'listen.forbidden':
    'Port {port} darf nur das System öffnen. Es wurde nichts geändert: Partner werden bedient wie zuvor. Wählen Sie in den Einstellungen einen Port über 1023.',
  'listen.failed':
    'Dieser Computer konnte Port {port} nicht öffnen. Es wurde nichts geändert: Partner werden bedient wie zuvor. Versuchen Sie es in den Einstellungen noch einmal, oder wählen Sie einen anderen Port.',
  'listen.nowhere':
    'Port {port} konnte nicht geöffnet werden, und den bisherigen hat ein anderes Programm belegt. Partner erreichen dieses Büro nicht: Wählen Sie in den Einstellungen einen anderen Port, oder starten Sie Footbridge neu, sobald er frei ist.',
  'certificate.replaced':
    'Das Zertifikat, an dem Partner diesen Computer erkennen, war beschädigt, und ein neues wurde erstellt. Bis dahin lehnen Partner die Verbindung ab: Verbinden Sie sich mit jedem neu, mit einer neuen Einladung.',
};

import type { Translated } from '../../catalogue.ts';
import type { computer as english } from '../../en/node/computer.ts';

/** About this computer: its address, its disk, its data folder, Footbridge itself. */
export const computer: Translated<typeof english> = {
  'reach.open': 'Partner im Netzwerk dürfen diesen Computer erreichen.',
  'reach.only-here':
    'Nur dieser Computer kann Footbridge erreichen. Erlauben Sie es Partnern im Netzwerk in den Einstellungen; Einladungen nutzen können Sie auch so.',
  'reach.unknown-name':
    'Der Name {host} ist in diesem Netzwerk nicht bekannt. Berichtigen Sie die Adresse in den Einstellungen.',
  'reach.known-as': 'Der Name {host} führt zu {address}.',
  'reach.no-own-address':
    '{address} kann keine Adresse dieses Computers sein. Berichtigen Sie die Adresse in den Einstellungen.',
  'reach.answers': '{host} antwortet.',
  'reach.something-else':
    'Unter {host} antwortet etwas anderes (Status {status}). Prüfen Sie Adresse und Port.',
  'reach.answers-encrypted': '{host} antwortet, und die Verbindung ist verschlüsselt.',
  'reach.bad-certificate':
    '{host} antwortet mit einem Zertifikat, das Partner nicht prüfen können. Fragen Sie, wer Ihr Netzwerk betreut, ob dort ein anderes Programm antwortet oder eines dazwischen.',
  'reach.port-open': 'Ihr Router lässt Partner unter {address}, Port {port}, herein.',
  'reach.carrier-nat':
    'Ihr Internetanbieter betreibt vor Ihrem Router einen eigenen; deshalb können Partner diesen Computer nicht erreichen. Nutzen Sie ein Relais, oder lassen Sie sich einladen.',
  'reach.port-refused':
    'Ihr Router öffnet keinen Port. Erlauben Sie in seinen Einstellungen UPnP oder PCP, oder nutzen Sie ein Relais.',
  'reach.no-port':
    'Kein Router hier öffnet auf Anfrage einen Port. Erlauben Sie in seinen Einstellungen UPnP oder PCP, oder nutzen Sie ein Relais.',
  'reach.relay-open': 'Partner erreichen Sie über {relay}.',
  'reach.relay-key':
    '{relay} nimmt den Schlüssel in der eingefügten Adresse nicht an. Bitten Sie den Betreiber des Relais um die Adresse, und fügen Sie sie neu ein.',
  'reach.relay-copy':
    'Ein anderer Computer mit einer Kopie dieses Büros ist an Ihrer Stelle mit {relay} verbunden. Schließen Sie Footbridge dort.',
  'reach.relay-other':
    'An der Stelle von {relay} antwortet etwas anderes. Wenn dieses Netzwerk eine Anmeldung verlangt, melden Sie sich an. Fragen Sie sonst den Betreiber des Relais nach der Adresse.',
  'reach.relay-away':
    'Footbridge ist gerade nicht mit {relay} verbunden. Prüfen Sie, ob Sie online sind, und fragen Sie dann den Betreiber des Relais.',
  'reach.silent':
    '{host} antwortet nicht. Vielleicht ist eine Firewall im Weg; erlauben Sie Footbridge darin. Manche Router lassen einen Computer sich nicht selbst von außen rufen; bitten Sie dann einen Partner um einen Versuch.',

  'disk.error':
    'Der Datenträger hat einen Fehler gemeldet. Prüfen Sie, ob er angeschlossen und in Ordnung ist, und versuchen Sie es noch einmal.',
  'disk.full-here':
    'Der Datenträger dieses Computers ist voll: Bis Platz ist, lässt sich nichts speichern, empfangen oder senden. Schaffen Sie Platz.',
  'disk.not-writable-here':
    'Der Datenordner dieses Computers lässt sich nicht beschreiben: Nichts lässt sich speichern, empfangen oder senden. Prüfen Sie, ob Sie seine Dateien ändern dürfen und kein anderes Programm sie festhält.',
  'disk.error-here':
    'Der Datenträger dieses Computers hat einen Fehler gemeldet: Nichts lässt sich speichern, empfangen oder senden. Prüfen Sie, ob er angeschlossen und in Ordnung ist.',
  'disk.no-room-for-file':
    'Auf dem Datenträger ist nicht genug Platz für diese Datei. Schaffen Sie Platz und versuchen Sie es erneut.',
  'disk.full':
    'Der Datenträger ist voll. Schaffen Sie Platz; von dem, was gespeichert war, geht nichts verloren.',
  'disk.not-writable':
    'Der Datenordner lässt sich nicht beschreiben. Prüfen Sie, ob Sie seine Dateien ändern dürfen und kein anderes Programm sie festhält.',
  'folder.foreign':
    '{folder} gehört anderen Programmen, deshalb hat Footbridge darin nichts verändert. Wählen Sie einen leeren oder neuen Ordner, zum Beispiel {own}.',
  'disk.no-room-for-backup':
    'Auf dem Datenträger ist nicht genug Platz für die tägliche Sicherung. Schaffen Sie Platz.',

  'store.not-closed': 'Footbridge wurde das letzte Mal nicht ordentlich beendet.',
  'store.parts-made-anew': 'Das Verzeichnis der Datenteile war beschädigt und wurde neu erstellt.',
  'store.restore-finished':
    'Eine Sicherung an die Stelle der Daten zu setzen, war unterbrochen worden und wurde bei diesem Start zu Ende gebracht. Änderungen nach dieser Sicherung fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.data-vanished':
    'Die Daten waren verschwunden; die neueste Sicherung ist an ihre Stelle getreten. Änderungen danach fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.previous-copy':
    'Die vorige Kopie und das Tagebuch aller Änderungen seither sind an die Stelle einer beschädigten Datei getreten. Es fehlt nichts.',
  'store.cut-nothing-missing':
    'Der Computer oder das Programm blieb stehen, während eine Änderung gespeichert wurde. Sie war nicht vollständig und wurde weggelassen; alles vorher Gespeicherte ist da.',
  'store.backup-changes-missing':
    'Die neueste Sicherung ist an die Stelle beschädigter Dateien getreten. Änderungen danach fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.cut':
    'Der Computer oder das Programm blieb stehen, während eine Änderung gespeichert wurde. Sie war nicht vollständig und wurde weggelassen. Sehen Sie Ihre Listen durch, falls noch mehr fehlt.',
  'store.backup-nothing-missing':
    'Die neueste Sicherung ist an die Stelle beschädigter Dateien getreten. Sie enthält alles, was gespeichert war.',
  'store.backup-missing':
    'Die neueste Sicherung ist an die Stelle von Dateien getreten, die beschädigt waren oder älter als das Gespeicherte. Die neuesten Änderungen fehlen, insgesamt {n}. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.aside-nothing-missing':
    'Eine beschädigte Datei wurde beiseitegelegt. Alles, was gespeichert war, ist da.',
  'store.aside-missing':
    'Dateien waren beschädigt, oder eine ältere Kopie war an ihre Stelle getreten, und sie wurden beiseitegelegt. Die neuesten gespeicherten Änderungen fehlen, insgesamt {n}. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.older-files':
    'Einige Dateien im Datenordner sind älter als andere: Offenbar wurde eine Kopie davon zurückgespielt. Änderungen aus der Zwischenzeit fehlen vielleicht. Sehen Sie Ihre Listen durch, und prüfen Sie bei jedem Partner, was Sie freigeben.',
  'store.progress-missing':
    'Eine Datei, die sagt, wie weit Ihre Daten gekommen waren, fehlt oder ist beschädigt. Alle anderen Dateien wurden genommen, wie sie sind. Sehen Sie Ihre Listen durch, falls einige davon älter sind, als sie sein sollten.',
  'store.aside-cut':
    'Eine beschädigte Datei wurde beiseitegelegt. Was vor dem Schaden steht, blieb erhalten; die letzten Änderungen fehlen vielleicht. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'store.taken-over':
    'Die Daten einer älteren Version von Footbridge wurden übernommen. Die alten Dateien bleiben vorerst.',
  'list.unreadable':
    'Die Datei dieser Liste ist beschädigt, daher lassen sich ihre Zeilen nicht laden. Öffnen Sie die Liste, um zu retten, was noch lesbar ist. Andere Listen sind nicht betroffen.',
  'list.salvaged-name': '{list} (gerettet)',
  'list.nothing-salvaged':
    'Aus den Dateien dieser Liste lassen sich keine Zeilen retten. Stellen Sie stattdessen eine Sicherung wieder her.',
  'store.renamed':
    'Die neueste Datei mit ihren Zeilen liegt nicht unter ihrem Namen da, aber „{found}“ liegt daneben und gehört dazu: Ein Cloud-Laufwerk oder jemand muss sie umbenannt haben. Bis sie ihren Namen wiederhat, kann nichts davon gelesen werden; alles andere geht weiter. Schließen Sie Footbridge, öffnen Sie im Datenordner den Ordner „store“ und benennen Sie „{found}“ in „{name}“ um; trägt schon etwas diesen Namen, verschieben Sie das vorher an einen anderen Ort. Um ohne sie weiterzumachen, verschieben Sie „{found}“ an einen anderen Ort. Starten Sie dann neu.',
  'store.unreadable':
    'Ihre Datei ist beschädigt oder fehlt, und in diesem Datenordner gibt es keine Sicherung davon. Alle anderen Listen funktionieren. Wenn Sie eine gute Kopie haben: Schließen Sie Footbridge, legen Sie die Kopie zurück oder stellen Sie eine Sicherung wieder her, und starten Sie neu. Retten Sie sonst die Zeilen, die noch lesbar sind.',
  'store.unreadable-of':
    'Ihre Datei mit {n} gespeicherten Änderungen ist beschädigt oder fehlt, und in diesem Datenordner gibt es keine Sicherung davon. Alle anderen Listen funktionieren. Wenn Sie eine gute Kopie haben: Schließen Sie Footbridge, legen Sie die Kopie zurück oder stellen Sie eine Sicherung wieder her, und starten Sie neu. Retten Sie sonst die Zeilen, die noch lesbar sind.',
  'secrets.lost':
    'Womit dieser Partner angesprochen wird, lässt sich nicht mehr öffnen: Der Schlüssel dieses Datenordners fehlt, ist beschädigt oder ein anderer als vorher. Verbinden Sie sich neu: Machen Sie diesem Partner eine neue Einladung, oder bitten Sie ihn um eine.',
  'secrets.lost-partner':
    '{partner} ist nicht mehr erreichbar: Der Schlüssel, der dafür gebraucht wird, fehlt, ist beschädigt oder ein anderer als vorher. Verbinden Sie sich neu; Listen, Spalten und Zeilen bleiben, wie sie sind.',
  'store.stray':
    'Der Ordner „{folder}“ liegt zwischen den Daten dieses Büros, obwohl Footbridge ihn nicht angelegt hat; vielleicht hat jemand eine Kopie gemacht. Er wurde nicht angerührt. Verschieben Sie ihn an einen anderen Ort.',
  'store.missing':
    'Die Daten dieses Büros fehlen: Der Ordner „store“ in {folder} ist fort oder leer, obwohl Footbridge dort benutzt wurde, und es gibt keine gute Sicherung davon. Legen Sie diesen Ordner zurück, oder eine Sicherung von anderswo. Um mit einem leeren Büro neu zu beginnen, wählen Sie einen anderen Datenordner.',
  'store.list-recovered': {
    one: 'Wie diese Liste eingerichtet war, ging verloren, aber ihre Zeile war da. Sie wurde darum herum neu angelegt. Sehen Sie ihre Spalten durch und geben Sie ihr ihren Namen; sie ist mit niemandem geteilt.',
    other:
      'Wie diese Liste eingerichtet war, ging verloren, aber ihre {n} Zeilen waren da. Sie wurde darum herum neu angelegt. Sehen Sie ihre Spalten durch und geben Sie ihr ihren Namen; sie ist mit niemandem geteilt.',
  },
  'store.newer-version':
    'Der Datenordner stammt von einer neueren Version von Footbridge. Installieren Sie diese oder eine spätere.',
  'store.database-away':
    'Was dieses Büro gespeichert hat, ist gerade nicht zu erreichen. Nichts ist verloren; es wird weiter versucht, bis es gelingt. Wenn es so bleibt, fragen Sie die Person, die sich um die Computer dieses Büros kümmert.',
  'store.left':
    'Dieses Büro ist nach {to} umgezogen und wird dort benutzt. Öffnen Sie es dort; was hier liegt, ist so, wie es beim Umzug war.',
  'store.leaving':
    'Dieses Büro ist auf dem Weg nach {to} und dort noch nicht vollständig. Fragen Sie die Person, die es umzieht: Sie muss „footbridge move“ noch einmal aufrufen; bis dahin kann es niemand benutzen.',
  'store.arriving':
    'Ein Büro ist auf dem Weg von {from} hierher und hier noch nicht vollständig. Fragen Sie die Person, die es umzieht: Sie muss „footbridge move“ noch einmal aufrufen; bis dahin kann es niemand benutzen.',

  'backup.too-large': 'Eine Sicherung darf höchstens {most} MB groß sein. Wählen Sie eine andere Datei.',
  'backup.gone':
    'Diese Sicherung wurde schon heruntergeladen oder hat zu lange gewartet. Speichern Sie sie noch einmal.',
  'backup.not-whole': 'Die Datei ist nicht vollständig angekommen. Versuchen Sie es erneut.',
  'backup.changed': 'Die Sicherungsdatei hat sich beim Lesen geändert. Versuchen Sie es noch einmal.',
  'backup.damaged': 'Diese Sicherungsdatei ist beschädigt oder nicht vollständig. Wählen Sie eine andere.',
  'backup.unusable':
    'Mit dem, was in dieser Sicherungsdatei steht, kann Footbridge nicht arbeiten. Alles bleibt, wie es war. Wählen Sie eine andere. (Grund: {reason})',
  'backup.foreign': 'Diese Datei ist keine Sicherung von Footbridge. Wählen Sie eine andere.',

  'memory.full':
    'Die Zeilen aller Listen belegen den Speicher, den Footbridge auf diesem Computer nutzen darf. Entfernen Sie Listen oder Zeilen, die Sie nicht brauchen, oder halten Sie den Partner an, der so viele schickt.',

  'node.closing': 'Footbridge wird gerade beendet. Starten Sie es neu, und versuchen Sie es noch einmal.',
  'node.unexpected':
    'In Footbridge ist etwas schiefgegangen. Versuchen Sie es noch einmal; bleibt es dabei, speichern Sie in den Einstellungen eine Support-Datei und bitten Sie um Hilfe.',

  'window.own-link': 'Öffnen Sie das Fenster über seinen eigenen Link.',

  'request.another-list':
    'Gerade wird eine andere Liste abgeholt, und ihre Zeilen sind noch nicht bestätigt. Fragen Sie in einer Minute noch einmal.',
  'request.stalled':
    'Die Übertragung ist stehen geblieben. Prüfen Sie die Verbindung und senden Sie die Datei dann erneut.',
  'request.too-large': 'Das ist größer, als Footbridge annimmt. Teilen Sie es auf, oder kürzen Sie es.',
};

/** What is said about this computer: its address, its disk, Footbridge itself. */
export const computer: Readonly<Record<string, string>> = {
  'Partners on the network may reach this computer.': 'Partner im Netzwerk dürfen diesen Computer erreichen.',
  'Only this computer can reach Footbridge. Allow partners on the network in the settings; without it you can still accept invites.':
    'Nur dieser Computer kann Footbridge erreichen. Erlauben Sie es Partnern im Netzwerk in den Einstellungen; Einladungen nutzen können Sie auch so.',
  'The name {0} is not known on this network. Correct the address in the settings.':
    'Der Name {0} ist in diesem Netzwerk nicht bekannt. Berichtigen Sie die Adresse in den Einstellungen.',
  '{0} is no address that this computer can have. Correct the address in the settings.':
    '{0} kann keine Adresse dieses Computers sein. Berichtigen Sie die Adresse in den Einstellungen.',
  '{0} is known as {1}.': '{0} ist bekannt als {1}.',
  '{0} answers.': '{0} antwortet.',
  '{0} answers, and the connection is encrypted.': '{0} antwortet, und die Verbindung ist verschlüsselt.',
  'Something else answers at {0} (status {1}). Check the address and port.':
    'Unter {0} antwortet etwas anderes (Status {1}). Prüfen Sie Adresse und Port.',
  '{0} answers with a certificate that partners cannot check. Ask whoever looks after your network whether another program answers there, or one in between.':
    '{0} antwortet mit einem Zertifikat, das Partner nicht prüfen können. Fragen Sie, wer Ihr Netzwerk betreut, ob dort ein anderes Programm antwortet oder eines dazwischen.',
  '{0} does not answer. A firewall may be in the way; allow Footbridge in it. Some routers do not let a computer call itself from outside; then ask a partner to try.':
    '{0} antwortet nicht. Vielleicht ist eine Firewall im Weg; erlauben Sie Footbridge darin. Manche Router lassen einen Computer sich nicht selbst von außen rufen; bitten Sie dann einen Partner um einen Versuch.',
  'The certificate that partners know this computer by was damaged, and a new one was made. Partners refuse the connection until then: pair again with each of them, with a new invite.':
    'Das Zertifikat, an dem Partner diesen Computer erkennen, war beschädigt, und ein neues wurde erstellt. Bis dahin lehnen Partner die Verbindung ab: Verbinden Sie sich mit jedem neu, mit einer neuen Einladung.',

  'A backup may have at most {0} MB. Choose another file.':
    'Eine Sicherung darf höchstens {0} MB groß sein. Wählen Sie eine andere Datei.',
  'The file did not arrive whole. Try again.':
    'Die Datei ist nicht vollständig angekommen. Versuchen Sie es erneut.',
  'Open the window by its own link.': 'Öffnen Sie das Fenster über seinen eigenen Link.',
  'There is not enough room on the disk for this file. Make room, then try again.':
    'Auf dem Datenträger ist nicht genug Platz für diese Datei. Schaffen Sie Platz und versuchen Sie es erneut.',
  'This is larger than Footbridge takes. Split it, or shorten it.':
    'Das ist größer, als Footbridge annimmt. Teilen Sie es auf, oder kürzen Sie es.',
  'Footbridge is closing. Start it again, then try again.':
    'Footbridge wird gerade beendet. Starten Sie es neu, und versuchen Sie es noch einmal.',
  'Something went wrong in Footbridge. Try again; if it stays so, save a support file in the settings and ask for help.':
    'In Footbridge ist etwas schiefgegangen. Versuchen Sie es noch einmal; bleibt es dabei, speichern Sie in den Einstellungen eine Support-Datei und bitten Sie um Hilfe.',
  'Something went wrong in Footbridge itself. It tries again by itself; if it stays so, save a support file in the settings and ask for help.':
    'In Footbridge selbst ist etwas schiefgegangen. Es versucht es von selbst erneut; bleibt es dabei, speichern Sie in den Einstellungen eine Support-Datei und bitten Sie um Hilfe.',

  'Footbridge was not closed properly the last time.':
    'Footbridge wurde das letzte Mal nicht ordentlich beendet.',
  'The list of the parts of the store was damaged and was made anew.':
    'Das Verzeichnis der Datenteile war beschädigt und wurde neu erstellt.',
  'Putting a backup in the place of the data had been interrupted, and was finished at this start. Changes made after that backup are missing. Look through your lists, and enter again what is missing.':
    'Eine Sicherung an die Stelle der Daten zu setzen, war unterbrochen worden und wurde bei diesem Start zu Ende gebracht. Änderungen nach dieser Sicherung fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'The data had vanished, and the newest backup took its place. Changes made after that backup are missing. Look through your lists, and enter again what is missing.':
    'Die Daten waren verschwunden; die neueste Sicherung ist an ihre Stelle getreten. Änderungen danach fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'The previous copy and the diary of all changes since took the place of a damaged file. Nothing is missing.':
    'Die vorige Kopie und das Tagebuch aller Änderungen seither sind an die Stelle einer beschädigten Datei getreten. Es fehlt nichts.',
  'The computer or the program stopped while a change was being saved. That change was not complete and was left out; everything that had been saved before is there.':
    'Der Computer oder das Programm blieb stehen, während eine Änderung gespeichert wurde. Sie war nicht vollständig und wurde weggelassen; alles vorher Gespeicherte ist da.',
  'The newest backup took the place of damaged files. Changes made after that backup are missing. Look through your lists, and enter again what is missing.':
    'Die neueste Sicherung ist an die Stelle beschädigter Dateien getreten. Änderungen danach fehlen. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'The computer or the program stopped while a change was being saved. That change was not complete and was left out. Look through your lists, in case more is missing.':
    'Der Computer oder das Programm blieb stehen, während eine Änderung gespeichert wurde. Sie war nicht vollständig und wurde weggelassen. Sehen Sie Ihre Listen durch, falls noch mehr fehlt.',
  'The newest backup took the place of damaged files. It holds everything that had been saved.':
    'Die neueste Sicherung ist an die Stelle beschädigter Dateien getreten. Sie enthält alles, was gespeichert war.',
  'The newest backup took the place of files that were damaged or older than what had been saved. The newest changes are missing, {0} in all. Look through your lists, and enter again what is missing.':
    'Die neueste Sicherung ist an die Stelle von Dateien getreten, die beschädigt waren oder älter als das Gespeicherte. Die neuesten Änderungen fehlen, insgesamt {0}. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'A damaged file was put aside. Everything that had been saved is there.':
    'Eine beschädigte Datei wurde beiseitegelegt. Alles, was gespeichert war, ist da.',
  'Files were damaged, or an older copy had taken their place, and they were put aside. The newest changes that had been saved are missing, {0} in all. Look through your lists, and enter again what is missing.':
    'Dateien waren beschädigt, oder eine ältere Kopie war an ihre Stelle getreten, und sie wurden beiseitegelegt. Die neuesten gespeicherten Änderungen fehlen, insgesamt {0}. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'Some files in the data folder are older than others: a copy of them must have been put back. Changes made in between may be missing. Look through your lists, and check with each partner what you share.':
    'Einige Dateien im Datenordner sind älter als andere: Offenbar wurde eine Kopie davon zurückgespielt. Änderungen aus der Zwischenzeit fehlen vielleicht. Sehen Sie Ihre Listen durch, und prüfen Sie bei jedem Partner, was Sie freigeben.',
  'A file that says how far your data had come is missing or damaged. All other files were taken as they are. Look through your lists, in case some of them are older than they should be.':
    'Eine Datei, die sagt, wie weit Ihre Daten gekommen waren, fehlt oder ist beschädigt. Alle anderen Dateien wurden genommen, wie sie sind. Sehen Sie Ihre Listen durch, falls einige davon älter sind, als sie sein sollten.',
  'Settings, partners and shares: {0} Check with each partner what you share.':
    'Einstellungen, Partner und Freigaben: {0} Prüfen Sie bei jedem Partner, was Sie freigeben.',
  'The overview of what has left this computer: {0}':
    'Die Übersicht dessen, was diesen Computer verlassen hat: {0}',
  'A damaged file was put aside. What stands in front of the damage was kept; the last changes may be missing. Look through your lists, and enter again what is missing.':
    'Eine beschädigte Datei wurde beiseitegelegt. Was vor dem Schaden steht, blieb erhalten; die letzten Änderungen fehlen vielleicht. Sehen Sie Ihre Listen durch, und tragen Sie nach, was fehlt.',
  'The data of an older version of Footbridge was taken over. The old files stay for now.':
    'Die Daten einer älteren Version von Footbridge wurden übernommen. Die alten Dateien bleiben vorerst.',
  'The rows in all lists take up the memory that Footbridge may use on this computer. Remove lists or rows that you do not need, or pause the partner that sends so many.':
    'Die Zeilen aller Listen belegen den Speicher, den Footbridge auf diesem Computer nutzen darf. Entfernen Sie Listen oder Zeilen, die Sie nicht brauchen, oder halten Sie den Partner an, der so viele schickt.',
  'The disk is full. Make room on it; nothing that was saved is lost.':
    'Der Datenträger ist voll. Schaffen Sie Platz; von dem, was gespeichert war, geht nichts verloren.',
  'The data folder cannot be written. Check that you may change its files and that no other program holds them.':
    'Der Datenordner lässt sich nicht beschreiben. Prüfen Sie, ob Sie seine Dateien ändern dürfen und kein anderes Programm sie festhält.',
  'There is not enough room on the disk for the daily backup. Make room on it.':
    'Auf dem Datenträger ist nicht genug Platz für die tägliche Sicherung. Schaffen Sie Platz.',
  'The disk reported an error. Check that it is connected and in order, then try again.':
    'Der Datenträger hat einen Fehler gemeldet. Prüfen Sie, ob er angeschlossen und in Ordnung ist, und versuchen Sie es noch einmal.',
  'This backup file is damaged or not complete. Choose another one.':
    'Diese Sicherungsdatei ist beschädigt oder nicht vollständig. Wählen Sie eine andere.',
  'This file is not a backup of Footbridge. Choose another one.':
    'Diese Datei ist keine Sicherung von Footbridge. Wählen Sie eine andere.',
  'The data folder was written by a newer version of Footbridge. Install that version or a later one.':
    'Der Datenordner stammt von einer neueren Version von Footbridge. Installieren Sie diese oder eine spätere.',
};

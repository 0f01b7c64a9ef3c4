import type { Translated } from '../../catalogue.ts';
import type { settings as english } from '../../en/window/settings.ts';

/** Settings. */
export const settings: Translated<typeof english> = {
  'settings.title': 'Einstellungen',
  'settings.index': 'Auf dieser Seite',
  'settings.office': 'Dieses Büro',
  'settings.name': 'Name des Büros',
  'settings.name-hint': 'Partner sehen ihn, wenn Sie sie einladen.',
  'settings.first-run': 'Erste Schritte wieder zeigen',
  'settings.network': 'Netzwerk',
  'settings.reachable': 'Partner im Netzwerk können diesen Computer erreichen',
  'settings.reachable-hint':
    'Nötig, wenn ein Partner Ihre Einladung nutzt. Partner bekommen nur, was Sie mit ihnen teilen; alle anderen werden abgewiesen. Ohne diese Einstellung gelten Ihre Einladungen nur für Partner auf genau diesem Computer.',
  'settings.given-open':
    'Partner im Netzwerk können diesen Computer erreichen: So wurde Footbridge gestartet, mit -\u2060-\u2060host.',
  'settings.given-closed':
    'Nur dieser Computer erreicht Footbridge, denn es wurde mit -\u2060-\u2060host gestartet. Starten Sie es ohne, dann können Sie Partner hier zulassen.',
  'settings.nearby': 'Dieses Büro anderen in der Nähe zeigen',
  'settings.nearby-hint':
    'Mit seinem Namen, jedem in Ihrem Netz, und nur, solange die Seite „Büro verbinden“ offen ist.',
  'settings.reverse': 'Verbindung zu Partnern offen halten, die Sie nicht anrufen können',
  'settings.reverse-hint': 'Darüber holen diese ab, was Sie teilen. Niemand sonst kann das.',
  'settings.map-port': 'Den Router bitten, Partner durchzulassen',
  'settings.map-port-hint':
    'Das geht mit vielen Routern zu Hause und in kleinen Büros. Nur Ihre Partner kommen durch, alle anderen werden abgewiesen.',
  'settings.relay': 'Relais',
  'settings.relay-hint':
    'Fügen Sie seine Adresse ein, wenn Partner an anderen Orten Sie nicht erreichen. Ein Relais sieht, wer sich wann verbindet, nie was Sie teilen.',
  'settings.partner-relays': 'Relais nutzen, die Partner nennen',
  'settings.partner-relays-hint':
    'Nur wo es keinen anderen Weg gibt. Ein Relais sieht, wer sich wann verbindet, nie was Sie teilen.',
  'settings.carry': 'Verbindungen für meine Partner vermitteln',
  'settings.carry-hint':
    'Partner, die niemand anrufen kann, werden über diesen Computer erreichbar. Deren Partner erfahren seine Adresse. Er kann nicht lesen, was sie senden.',
  'settings.addresses': 'Partner erreichen diesen Computer unter',
  'settings.check': 'Erreichbarkeit prüfen',
  'settings.checking': 'Wird geprüft …',
  'settings.address-and-port': 'Adresse und Port',
  'settings.public-url': 'Adresse in Einladungen',
  'settings.public-url-hint':
    'Bleibt das Feld leer, gilt die Adresse im Büronetz. Füllen Sie es aus, wenn Partner Sie über das Internet erreichen.',
  'settings.port': 'Port',
  'settings.port-hint':
    'Ändern Sie ihn nur, wenn ein anderes Programm ihn benutzt. Partner erfahren ihn durch eine neue Einladung.',
  'settings.plain': 'Unverschlüsselte Aufrufe aus dem Netz annehmen',
  'settings.plain-hint':
    'Nur für Partner, deren Programm unser Zertifikat nicht prüfen kann. Wer unterwegs mithört, liest alles mit und kann sich als dieser Partner ausgeben. Footbridge-Partner brauchen das nie.',
  'settings.interval': 'Nach Änderungen suchen alle',
  'settings.seconds': { one: '{n} Sekunde', other: '{n} Sekunden' },
  'settings.minutes': { one: '{n} Minute', other: '{n} Minuten' },
  'settings.app': 'Diese App',
  'settings.theme': 'Farben',
  'settings.theme.system': 'Wie das System',
  'settings.theme.light': 'Hell',
  'settings.theme.dark': 'Dunkel',
  'settings.language': 'Sprache',
  'settings.language.system': 'Wie das System',
  'settings.language.en': 'English',
  'settings.language.de': 'Deutsch',
  'settings.language.fr': 'Français',
  'settings.language.es': 'Español',
  'settings.start-at-login': 'Beim Anmelden starten',
  'settings.close-to-tray': 'Weiterlaufen, wenn das Fenster geschlossen ist',
  'settings.close-to-tray-hint':
    'Zeilen kommen weiter an. Sie beenden Footbridge über das Menü seines Symbols in der Taskleiste.',
  'settings.updates': 'Nach neuen Versionen sehen',
  'settings.updates-now': 'Jetzt nachsehen',
  'settings.updates-install': 'Neu starten und aktualisieren',
  'settings.desktop-only': 'Wirkt in der Desktop-App; dies ist ein Browser.',
  'settings.notify': 'Meldungen',
  'settings.notify.arrived': 'Melden, wenn Zeilen eingetroffen sind',
  'settings.notify.needsYou': 'Melden, wenn etwas auf mich wartet',
  'settings.notify.problems': 'Melden, wenn es ein Problem gibt',
  'settings.sessions': 'Angemeldete Fenster',
  'settings.sessions-hint':
    'Browser, die durch einen Link hereinkamen, bleiben 30 Tage angemeldet. Melden Sie ab, was Sie nicht kennen.',
  'settings.session-own': 'dieses Fenster',
  'settings.session-unknown': 'Ein Browser',
  'settings.session-times': 'angemeldet {begun}, zuletzt benutzt {used}',
  'settings.sign-out': 'Abmelden',
  'settings.sign-out-others': 'Alle anderen abmelden',
  'settings.data': 'Ihre Daten',
  'settings.last-backup': 'Letzte Sicherung: {when}',
  'settings.no-backup': 'Es wurde noch keine Sicherung gemacht.',
  'settings.backup': 'Sicherung speichern',
  'settings.restore': 'Sicherung einspielen',
  'settings.restore-title': 'Alles durch die Sicherung ersetzen?',
  'settings.restore-text':
    'Alle Listen, Partner und Einstellungen werden wieder so, wie sie in „{file}“ waren. Was seitdem dazukam oder geändert wurde, geht verloren. Danach startet Footbridge neu.',
  'settings.restored': 'Eingespielt. Footbridge startet jetzt neu.',
  'settings.ledger': 'Sendeprotokoll herunterladen (CSV)',
  'settings.support': 'Support-Datei speichern',
  'settings.support-hint':
    'Für jemanden, der Ihnen hilft: Einstellungen und was geschehen ist, ohne Passwörter, Schlüssel oder Ihre Zeilen.',
  'settings.days': { one: '{n} Tag', other: '{n} Tage' },
  'settings.years': { one: '{n} Jahr', other: '{n} Jahre' },
  'settings.keep-ledger': 'Sendeprotokoll aufbewahren für',
  'settings.keep-ledger-hint': {
    one: 'Es gibt {n} Eintrag, {size}. Ältere gehen in ganzen Monaten.',
    other: 'Es gibt {n} Einträge, {size}. Ältere gehen in ganzen Monaten.',
  },
  'settings.keep-history': 'Aufheben, was geschehen ist, für',
  'settings.keep-history-hint': {
    one: 'Es gibt {n} Eintrag, {size}. Höchstens 10.000 werden aufgehoben.',
    other: 'Es gibt {n} Einträge, {size}. Höchstens 10.000 werden aufgehoben.',
  },
  'settings.keep-bin': 'Gelöschte Zeilen im Papierkorb aufheben für',
  'settings.keep-bin-hint': {
    one: 'In den Papierkörben Ihrer Listen liegt {n} Zeile. Nach dieser Zeit lässt sie sich nicht mehr zurückholen.',
    other:
      'In den Papierkörben Ihrer Listen liegen {n} Zeilen. Nach dieser Zeit lassen sie sich nicht mehr zurückholen.',
  },
  'settings.stored': 'Was diese App speichert',
  'settings.stored-where': 'Wo',
  'settings.stored-size': 'Wie viel',
  'settings.stored-what': 'Was',
  'settings.stored-what-text':
    'Ihre Listen, was Sie erhalten haben, Ihre Partner, was diesen Computer verlassen hat, Einstellungen und Notizen, was geschehen ist. Alles bleibt in diesem Ordner auf diesem Computer.',
  'settings.secrets': 'Schlüssel zu Partnern',
  'settings.secrets.system': 'liegen im gesicherten Speicher dieses Systems.',
  'settings.secrets.given': 'sind mit dem Geheimnis versiegelt, das Footbridge bei jedem Start bekommt.',
  'settings.secrets.file': 'liegen in einer Datei, die nur Ihr Benutzerkonto auf diesem Computer lesen kann.',
  'settings.remove': 'Alles entfernen',
  'settings.remove-text':
    'Trennen Sie die Verbindung mit Ihren Partnern, beenden Sie Footbridge und löschen Sie diesen Ordner.',
  'settings.about': 'Über Footbridge',
  'settings.version': 'Footbridge {version}',
  'settings.license': 'Freie Software unter der MIT-Lizenz. Keine Cloud, kein Konto.',
};

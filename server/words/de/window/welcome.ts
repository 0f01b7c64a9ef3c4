import type { Translated } from '../../catalogue.ts';
import type { welcome as english } from '../../en/window/welcome.ts';

/** The first run. */
export const welcome: Translated<typeof english> = {
  'welcome.title': 'Willkommen bei Footbridge',
  'welcome.text': 'Teilen Sie ausgewählte Spalten Ihrer Listen mit einem anderen Büro. Keine Cloud.',
  'welcome.steps': 'Erste Schritte',
  'welcome.step': 'Schritt {n} von {all}',
  'welcome.step.office': 'Ihr Büro',
  'welcome.step.partner': 'Ein Partner',
  'welcome.office': 'Wie heißt Ihr Büro?',
  'welcome.office-hint': 'Partner sehen diesen Namen.',
  'welcome.office-placeholder': 'Zum Beispiel: Büro Hafenstraße',
  'welcome.later': 'Später',
  'welcome.finish': 'Fertig',
  'welcome.close': 'Erste Schritte schließen',

  'tour.offer': 'Neu hier? Fünf Dinge, eine halbe Minute.',
  'tour.start': 'Zeigen',
  'tour.no': 'Nein, danke',
  'tour.label': 'Rundgang',
  'tour.place': '{n} von {all}',
  'tour.next': 'Weiter',
  'tour.done': 'Fertig',
  'tour.end': 'Rundgang beenden',
  'tour.bridge': 'Das Bild zeigt, wie es steht',
  'tour.bridge-text':
    'Eine Brücke zu jedem Partner. Zeilen gehen darüber, solange sie unterwegs sind; eine Lücke heißt, dass keine Antwort kommt.',
  'tour.partners': 'Ihre Partner',
  'tour.partners-text': 'Hier wählen Sie Liste für Liste und Spalte für Spalte, was jeder von ihnen sieht.',
  'tour.lists': 'Ihre Listen',
  'tour.lists-text':
    'Ihre eigenen Tabellen, und was angekommen ist. Ein kleines Zeichen sagt, von wem eine Zeile kam.',
  'tour.standing': 'Läuft alles?',
  'tour.standing-text':
    'Das steht hier auf jeder Seite. Das Fragezeichen neben einem Wort sagt, was das Wort bedeutet.',
  'tour.help': 'Hilfe',
  'tour.help-text': 'Die Tasten, was ein Partner sehen kann, und dieser Rundgang noch einmal.',
};

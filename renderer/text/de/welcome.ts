import type { Translated } from '../../../server/words/catalogue.ts';
import type { welcome as english } from '../en/welcome.ts';

/** The first run. */
export const welcome: Translated<typeof english> = {
  'welcome.title': 'Willkommen bei Footbridge',
  'welcome.text': 'Teilen Sie ausgewählte Spalten Ihrer Listen mit einem anderen Büro. Keine Cloud.',
  'welcome.steps': 'Erste Schritte',
  'welcome.step': 'Schritt {n} von {all}',
  'welcome.step.office': 'Ihr Büro',
  'welcome.step.lists': 'Eine Liste',
  'welcome.step.partner': 'Ein Partner',
  'welcome.office': 'Wie heißt Ihr Büro?',
  'welcome.office-hint': 'Partner sehen diesen Namen.',
  'welcome.office-placeholder': 'Zum Beispiel: Büro Hafenstraße',
  'welcome.lists': 'Eine Liste für den Anfang',
  'welcome.lists-hint': 'Nur nötig, um selbst etwas zu teilen.',
  'welcome.lists-made': {
    one: '„{list}“ ist da, mit {n} Zeile.',
    other: '„{list}“ ist da, mit {n} Zeilen.',
  },
  'welcome.partner': 'Mit einem Partner verbinden',
  'welcome.partner-hint': 'Einer lädt ein, der andere fügt die Einladung ein.',
  'welcome.partner-asked': 'Ihr Partner wurde gefragt. Sobald er zustimmt, sind Sie verbunden.',
  'welcome.later': 'Später',
  'welcome.finish': 'Fertig',
  'welcome.close': 'Erste Schritte schließen',
};

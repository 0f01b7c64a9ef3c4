import type { InLanguage } from '../en/index.ts';
import type { welcome as english } from '../en/welcome.ts';

/** The first run. */
export const welcome: InLanguage<typeof english> = {
  'welcome.title': 'Willkommen bei Footbridge',
  'welcome.text':
    'Teilen Sie ausgewählte Spalten ausgewählter Listen mit einem anderen Büro. Keine Cloud, nichts zu verwalten.',
  'welcome.steps': 'Erste Schritte',
  'welcome.step': 'Schritt {n} von {all}',
  'welcome.step.office': 'Ihr Büro',
  'welcome.step.network': 'Erreichbar sein',
  'welcome.step.lists': 'Eine Liste',
  'welcome.step.partner': 'Ein Partner',
  'welcome.office': 'Wie heißt Ihr Büro?',
  'welcome.office-hint': 'Partner sehen diesen Namen. Sie können ihn später ändern.',
  'welcome.office-placeholder': 'Zum Beispiel: Büro Hafenstraße',
  'welcome.network': 'Dürfen Partner diesen Computer über das Netzwerk erreichen?',
  'welcome.network-hint':
    'Einer der beiden Computer muss für den anderen erreichbar sein: der, dessen Einladung genutzt wird. Partner bekommen nur, was Sie mit ihnen teilen; alle anderen werden abgewiesen.',
  'welcome.network-yes': 'Ja, Partner dürfen diesen Computer erreichen',
  'welcome.network-no': 'Nein, nur ich gehe auf Partner zu',
  'welcome.network-no-hint': 'Sie können Einladungen von anderen nutzen. Das lässt sich jederzeit ändern.',
  'welcome.lists': 'Mit welcher Liste möchten Sie anfangen?',
  'welcome.lists-hint':
    'Sie brauchen nur eine, wenn Sie etwas teilen möchten. Was Partner mit Ihnen teilen, kommt von selbst.',
  'welcome.lists-made': {
    one: '„{list}“ ist da, mit {n} Zeile.',
    other: '„{list}“ ist da, mit {n} Zeilen.',
  },
  'welcome.partner': 'Verbinden Sie sich mit Ihrem ersten Partner',
  'welcome.partner-hint': 'Einer lädt ein, der andere fügt die Einladung ein.',
  'welcome.partner-asked': 'Ihr Partner wurde gefragt. Sobald er zustimmt, sind Sie verbunden.',
  'welcome.later': 'Später',
  'welcome.finish': 'Fertig',
  'welcome.close': 'Erste Schritte schließen',
};

import { loadTranslate } from '../../../renderer/text/catalogue.ts';

/** The window's texts by language, loaded as the window does. */
export const translators = {
  en: await loadTranslate('en'),
  de: await loadTranslate('de'),
  es: await loadTranslate('es'),
  fr: await loadTranslate('fr'),
};

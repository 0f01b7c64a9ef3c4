import type { SettingsAnswer } from '../../server/contract/app/settings.ts';
import { chooseLanguage, createTranslate, type Language } from '../text/catalogue.ts';
import { createFormat } from '../text/format.ts';

/** The window's language, with its texts and formats; that of the page until settings come. */
export class I18n {
  #language = $state<Language>(chooseLanguage('system', [document.documentElement.lang]));
  readonly t = $derived(createTranslate(this.#language));
  readonly format = $derived(createFormat(this.#language));

  get language(): Language {
    return this.#language;
  }

  /**
   * Applies language and theme of the settings to the page, and stores them for the next start. Returns whether the
   * language changed.
   */
  follow({ settings: { theme, language } }: SettingsAnswer): boolean {
    const before = this.#language;
    this.#language = chooseLanguage(language, navigator.languages);
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.lang = this.#language;
    localStorage.setItem('footbridge.theme', theme);
    localStorage.setItem('footbridge.language', this.#language);
    return this.#language !== before;
  }
}

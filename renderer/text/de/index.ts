import type { Translated } from '../../../server/words/catalogue.ts';
import type { English } from '../en/index.ts';
import { common } from './common.ts';
import { home } from './home.ts';
import { lists } from './lists.ts';
import { partner } from './partner.ts';
import { partners } from './partners.ts';
import { settings } from './settings.ts';
import { welcome } from './welcome.ts';

/** Every text of the window in German. */
export const de: Translated<English> = {
  ...common,
  ...home,
  ...partners,
  ...partner,
  ...lists,
  ...settings,
  ...welcome,
};

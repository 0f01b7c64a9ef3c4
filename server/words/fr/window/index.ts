import type { Translated } from '../../catalogue.ts';
import type { English } from '../../en/window/index.ts';
import { common } from './common.ts';
import { connection } from './connection.ts';
import { files } from './files.ts';
import { help } from './help.ts';
import { home } from './home.ts';
import { lists } from './lists.ts';
import { pairing } from './pairing.ts';
import { partner } from './partner.ts';
import { partners } from './partners.ts';
import { receive } from './receive.ts';
import { settings } from './settings.ts';
import { share } from './share.ts';
import { welcome } from './welcome.ts';

/** Every text of the window in French. */
export const fr: Translated<English> = {
  ...common,
  ...files,
  ...help,
  ...home,
  ...partners,
  ...partner,
  ...pairing,
  ...share,
  ...receive,
  ...connection,
  ...lists,
  ...settings,
  ...welcome,
};

import type { RestoredAnswer } from '../../../server/contract/app/lists.ts';
import type { App } from '../../state/app.svelte.ts';
import { to } from '../../state/route.ts';

/** Says that a list or column is restored. Where partners saw it, offers to look at the share and to save it again. */
export function sayRestored(app: App, { name, list, sharedBefore }: RestoredAnswer): void {
  const [first] = sharedBefore;
  if (!first) {
    app.notices.say(app.t('bin.restored', { name }));
    return;
  }
  const partners = app.format.list(sharedBefore.map(({ partner }) => partner));
  app.notices.say(app.t('bin.restored-shared', { name, partners }), {
    label: app.t('bin.share-again'),
    run: () => app.go(to.shareAgain(first.nodeID, list.moduleID)),
  });
}

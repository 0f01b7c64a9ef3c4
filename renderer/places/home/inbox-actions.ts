import type { InboxItem } from '../../../server/contract/app/overview.ts';
import type { App } from '../../state/app.svelte.ts';
import { to } from '../../state/route.ts';

/** One of the one or two things that can be done about an inbox item: a way to somewhere, or a deed. */
export type InboxAction = { readonly label: string } & (
  { readonly href: string } | { readonly run: () => Promise<unknown> }
);

/** What can be done about an item, the recommended first. */
export function inboxActions(app: App, item: InboxItem): readonly InboxAction[] {
  const { t, partners } = app;
  const node = item.nodeID ?? '0';
  const offer = item.sharedModuleID ?? '0';
  const putAside = (label: string): InboxAction => ({ label, run: () => app.office.dismiss(item.itemID) });

  switch (item.kind) {
    case 'pair-request':
      return [
        {
          label: t('inbox.approve'),
          async run() {
            await partners.approve(node);
            await app.reloadOverview();
            const made = app.overview?.partners.find(({ nodeID }) => nodeID === node);
            app.notices.say(t('inbox.approved', { partner: item.partner ?? '' }));
            app.go(made?.wordsToCompare ? to.words(node) : to.partner(node));
          },
        },
        { label: t('inbox.decline'), run: () => partners.decline(node) },
      ];
    case 'list-offered':
      return [
        {
          label: t('inbox.make-list'),
          async run() {
            await partners.makeList(node, offer);
            app.go(to.received(node));
          },
        },
        { label: t('inbox.match'), href: to.match(node, offer) },
        { label: t('inbox.not-now'), run: () => partners.dismissOffer(node, offer) },
      ];
    case 'list-withdrawn':
      return [
        { label: t('receive.keep-rows'), run: () => partners.unmatch(node, offer) },
        { label: t('inbox.look'), href: to.received(node) },
      ];
    case 'columns-changed':
      return [
        { label: t('inbox.look-matching'), href: to.match(node, offer) },
        putAside(t('inbox.understood')),
      ];
    case 'brake':
    case 'went-back':
    case 'not-there':
      return [{ label: t('inbox.brake-look'), href: to.received(node) }];
    case 'doubles':
      return [
        ...(item.moduleID === undefined ? [] : [{ label: t('inbox.look'), href: to.list(item.moduleID) }]),
        putAside(t('inbox.understood')),
      ];
    case 'connection-ending':
      return [
        { label: t('inbox.look'), href: to.partner(node, 'connection') },
        putAside(t('inbox.understood')),
      ];
    case 'connection-ended':
      return [
        { label: t('inbox.pair-again'), href: to.partner(node, 'connection') },
        putAside(t('inbox.understood')),
      ];
    case 'could-not-apply':
      return [
        { label: t('inbox.show-failed'), href: to.received(node) },
        { label: t('inbox.retry'), run: () => partners.retryFailed(node) },
      ];
    case 'kept':
      return [
        { label: t('inbox.stays-so'), run: () => partners.settle(node, offer) },
        { label: t('inbox.look'), href: to.received(node) },
      ];
    case 'columns-unshared':
    case 'condition-broken':
      return [{ label: t('inbox.look'), href: to.partner(node) }, putAside(t('inbox.understood'))];
    case 'same-office':
    case 'remove-request':
      return [
        { label: t('inbox.look'), href: to.partner(node, 'connection') },
        putAside(t('inbox.understood')),
      ];
    case 'shares-unsure':
      return [{ label: t('inbox.look'), href: to.partner(node) }];
    case 'kept-withdrawn':
      return [
        ...(item.nodeID === undefined ? [] : [{ label: t('inbox.look'), href: to.partner(node) }]),
        ...(item.moduleID === undefined
          ? []
          : [{ label: t('inbox.look'), href: to.listFiles(item.moduleID) }]),
        putAside(t('inbox.understood')),
      ];
    case 'file-waits':
      return [{ label: t('inbox.brake-look'), href: to.listFiles(item.moduleID ?? '0') }];
    case 'file-problem':
      return [
        { label: t('inbox.look'), href: to.listFiles(item.moduleID ?? '0') },
        putAside(t('inbox.understood')),
      ];
    case 'clock':
    case 'stranger':
    case 'store-notice':
      return [putAside(t('inbox.understood'))];
  }
}

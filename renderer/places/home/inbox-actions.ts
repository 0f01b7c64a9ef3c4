import type { InboxItem } from '../../../server/contract/app/overview.ts';
import type { App } from '../../state/app.svelte.ts';
import { to } from '../../state/route.ts';
import type { Key, Translate } from '../../text/catalogue.ts';

/** A link or operation; operations throw `NodeError`. */
type InboxAction = { readonly label: string } & (
  { readonly href: string } | { readonly run: () => Promise<unknown> }
);

interface About {
  readonly app: App;
  readonly item: InboxItem;
  readonly node: string;
  readonly offer: string;
}

/** Returns an item's actions, the recommended one first; the caller reports what they throw. */
export function inboxActions(app: App, item: InboxItem): readonly InboxAction[] {
  return ACTIONS[item.kind]({ app, item, node: item.nodeID ?? '0', offer: item.sharedModuleID ?? '0' });
}

type Action = (about: About) => InboxAction;
type Actions = (about: About) => readonly InboxAction[];

/** Returns the action that approves a pairing or renewed connection, then opens the words to compare or the partner. */
const approveAction: Action = ({ app, item, node }) => ({
  label: app.t('inbox.approve'),
  /** Approves, says so, and opens the words to compare, or without any the partner's page. Throws NodeError. */
  async run() {
    // A renewed connection is another record's.
    const { nodeID } = await app.partners.approve(node);
    await app.reloadOverview();
    const made = app.overview?.partners.find((each) => each.nodeID === nodeID);
    app.notices.say(app.t('inbox.approved', { partner: made?.name ?? item.partner ?? '' }));
    app.go(made?.wordsToCompare ? to.words(nodeID) : to.partner(nodeID));
  },
});
/** Returns the action that makes a list for a partner's offer, and opens what is received from the partner. */
const createListAction: Action = ({ app, node, offer }) => ({
  label: app.t('inbox.make-list'),
  /** Makes the list and opens the partner's received ones. Throws NodeError. */
  async run() {
    await app.partners.makeList(node, offer);
    app.go(to.received(node));
  },
});
/** Returns the action that dismisses the item. */
const dismissAction: Action = ({ app, item }) => ({
  label: app.t('inbox.understood'),
  run: () => app.office.dismiss(item.itemID),
});
/** Creates a link as an action, labelled with `label`. */
const linkAction =
  (href: (about: About) => string, label: Key = 'inbox.look'): Action =>
  (about) => ({ label: about.app.t(label), href: href(about) });
const receivedHref = ({ node }: About): string => to.received(node);
const partnerHref = ({ node }: About): string => to.partner(node);
const shareHref = ({ node, item }: About): string => to.shareAgain(node, item.moduleID ?? 'new');
/** Returns the address of the page about the connection. */
const connection = ({ node }: About): string => to.partner(node, 'connection');
const matchHref = ({ node, offer }: About): string => to.match(node, offer);
const filesHref = ({ item }: About): string => to.listFiles(item.moduleID ?? '0');

/** Returns the link to the matching of an offer, which begins with the list that received the same one before. */
const matchOfferAction: Action = ({ app, item, node, offer }) => ({
  label:
    item.formerList === undefined ? app.t('inbox.match') : app.t('receive.go-on', { list: item.formerList }),
  href: to.match(node, offer),
});

/** Returns a function that offers these actions in this order. */
const combineActions =
  (...actions: readonly Action[]): Actions =>
  (about) =>
    actions.map((action) => action(about));
const linkOrDismiss = (href: (about: About) => string): Actions =>
  combineActions(linkAction(href), dismissAction);
const salvageHref = ({ item }: About): string => to.salvage(item.moduleID ?? '0');
const duplicatesHref = ({ item, offer }: About): string => to.twice(item.moduleID ?? '0', offer);

const ACTIONS: Readonly<Record<InboxItem['kind'], Actions>> = {
  'pair-request': (about) => [
    ...(about.item.isRefused ? [] : [approveAction(about)]),
    { label: about.app.t('inbox.decline'), run: () => about.app.partners.decline(about.node) },
  ],
  'list-offered': (about) => [
    ...(about.item.formerList === undefined ? [createListAction(about)] : []),
    matchOfferAction(about),
    {
      label: about.app.t('inbox.not-now'),
      run: () => about.app.partners.dismissOffer(about.node, about.offer),
    },
  ],
  'list-withdrawn': combineActions(
    ({ app, node, offer }) => ({
      label: app.t('receive.keep-rows'),
      run: () => app.partners.unmatch(node, offer),
    }),
    linkAction(receivedHref),
  ),
  'columns-changed': combineActions(linkAction(matchHref, 'inbox.look-matching'), dismissAction),
  brake: combineActions(linkAction(receivedHref, 'inbox.brake-look')),
  'went-back': combineActions(linkAction(receivedHref, 'inbox.brake-look')),
  'not-there': combineActions(linkAction(receivedHref, 'inbox.brake-look')),
  doubles: (about) =>
    about.item.moduleID === undefined ? [dismissAction(about)] : linkOrDismiss(duplicatesHref)(about),
  'connection-ending': linkOrDismiss(connection),
  'connection-ended': combineActions(linkAction(connection, 'inbox.pair-again'), dismissAction),
  'could-not-apply': combineActions(linkAction(receivedHref, 'inbox.show-failed'), ({ app, node }) => ({
    label: app.t('inbox.retry'),
    run: () => app.partners.retryFailed(node),
  })),
  kept: combineActions(
    ({ app, node, offer }) => ({
      label: app.t('inbox.stays-so'),
      run: () => app.partners.settle(node, offer),
    }),
    linkAction(receivedHref),
  ),
  'columns-unshared': linkOrDismiss(partnerHref),
  'condition-broken': linkOrDismiss(shareHref),
  'same-office': linkOrDismiss(connection),
  'remove-request': combineActions(
    linkAction(receivedHref),
    linkAction(connection, 'inbox.pair-again'),
    dismissAction,
  ),
  'shares-unsure': combineActions(linkAction(partnerHref)),
  'kept-withdrawn': (about) => [
    ...(about.item.nodeID === undefined ? [] : [linkAction(partnerHref)(about)]),
    ...(about.item.moduleID === undefined ? [] : [linkAction(filesHref)(about)]),
    dismissAction(about),
  ],
  'file-waits': combineActions(linkAction(filesHref, 'inbox.brake-look')),
  'file-problem': linkOrDismiss(filesHref),
  clock: combineActions(dismissAction),
  stranger: combineActions(dismissAction),
  'store-notice': (about) =>
    about.item.moduleID === undefined
      ? [dismissAction(about)]
      : [linkAction(salvageHref, 'inbox.recover-rows')(about), dismissAction(about)],
};

export const inboxTitle = (t: Translate, { kind, partner = '', listName = '' }: InboxItem): string =>
  t(`inbox.${kind}`, { partner, list: listName });

export const headingOf = (itemID: string): string => `item-${itemID}`;

/** Scrolls to the item's card and focuses its heading; nothing if it isn't on the page. */
export function showItem(itemID: string): void {
  const heading = document.getElementById(headingOf(itemID));
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}

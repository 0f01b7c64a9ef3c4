/** The partners' list, and adding one. */
export const partners = {
  'partners.title': 'Partners',
  'partners.add': 'Add a partner',
  'partners.empty-title': 'No partners yet',
  'partners.empty-text':
    'A partner is another office that shares lists with you, or you with them. It takes about two minutes.',
  'partners.table': 'Partners and how they are',
  'partners.column-name': 'Partner',
  'partners.column-state': 'State',
  'partners.column-last': 'Last checked',
  'partners.column-share': 'We share',
  'partners.column-receive': 'We receive',
  'partners.never': 'never yet',
  'partners.next': 'next {when}',
  'partners.none': 'nothing',

  'add.title': 'Add a partner',
  'add.invite-title': 'I invite them',
  'add.invite-text': 'Make an invite and send it to your partner. It works once, for 24 hours.',
  'add.name': 'What do you call this partner?',
  'add.name-placeholder': 'For example: Berlin office',
  'add.contact': 'Their e-mail address (if you like)',
  'add.make': 'Make the invite',
  'add.invite': 'Invite for {partner}',
  'add.invite-ready':
    'Send this invite to {partner}, by e-mail or chat. They paste it into their Footbridge.',
  'add.invite-once':
    'It is shown only this once, and it ends {when}. If it gets lost, make a new one on the partner’s page.',
  'add.mail': 'Send by e-mail',
  'add.mail-subject': 'Connect our offices with Footbridge',
  'add.mail-body':
    'Hello,\n\nplease open Footbridge, choose “Add a partner” and paste this invite. It works once and for 24 hours:\n\n{invite}\n\nKind regards,\n{office}',
  'add.to-partner': 'Done, go to {partner}',
  'add.closed-network':
    'Partners on the network cannot reach this computer yet, so an invite would lead nowhere.',
  'add.open-network': 'Let partners reach this computer',
  'add.opened-network': 'Partners on the network can reach this computer now.',

  'add.paste-title': 'They invited me',
  'add.paste-text': 'Paste the invite that your partner sent you.',
  'add.paste': 'Invite',
  'add.paste-placeholder': 'Paste it here',
  'add.check': 'Check the invite',
  'add.found': 'This invite is from {partner}',
  'add.address': 'Address: {address}',
  'add.secure': 'The connection is encrypted.',
  'add.insecure':
    'The connection is not encrypted: whoever shares the network could read along. Fine within your own office, not over the internet.',
  'add.own-network': 'This partner is on our own office network',
  'add.own-network-hint':
    'The address belongs to a private network. Tick this only if you know that the partner’s computer stands in your own network.',
  'add.known': 'You are connected with this partner already. Using the invite connects you anew.',
  'add.known-open': 'Open this partner',
  'add.call-them': 'You can call this partner something else',
  'add.connect': 'Connect',
  'add.other-invite': 'Use another invite',
  'add.from-link': 'This invite came with a link. Nothing happens until you check it and connect.',
} as const;

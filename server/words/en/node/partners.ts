/** About partners: pairing, invites, the connection, what is shared and matched, and what partners answer. */
export const partners = {
  'partner.ambiguous': 'Two partners have the number {number}. Use your own number of one.',
  'partner.unknown': 'There is no partner with the number {number}. Look for it under Partners.',
  'partner.bad-address':
    '“{text}” is not an address of a partner. Give it as https://office.example/federation.',
  'partner.too-many': 'There are {most} partners already. Remove one first.',
  'partner.not-removed': 'This partner was not removed. Remove it first.',

  'connection.ended-remove':
    'The connection was ended. The other office asks you to remove the rows that came from it.',
  'connection.ended-by-them':
    'The other office ended this connection. Pair again with a new invite to go on.',
  'connection.another-key': 'Another Footbridge gave this key. Check the address.',
  'connection.token-not-valid': 'This token is not valid here, or not any more.',
  'connection.superseded':
    '{partner} was paired again, so this older key no longer works. Delete the old entry for us in Corteza.',
  'connection.no-key': 'There is no key for this partner. Pair again.',
  'connection.time-up': 'The connection has ended: its time was up. Pair again with a new invite.',
  'connection.they-ended': 'The partner ended the connection. Pair again with a new invite to go on.',
  'connection.words-differ':
    'The other office ended this connection, as the verification words were not the same. Call them, and pair again with a new invite.',
  'connection.words-differed':
    'The verification words were not the same on both sides, so this connection was ended at once: somebody may have been in between. Ask the partner for an invite on another way, or make a new one, and compare the words again.',
  'connection.words-differed-there':
    'The partner said that the verification words were not the same on both sides, and ended the connection: somebody may have been in between. Call them, pair again with a new invite, and compare the words again.',
  'connection.renewed-too-often':
    'The connection was renewed too often. It goes on as it is; ask again in an hour.',
  'connection.they-paused':
    'The other office has paused sharing with you. Wait until they go on; the connection stays.',
  'connection.closed-here':
    'This side of the connection is closed, since yours did not accept it any more. Pair again, or have it tried again here.',

  'pairing.ended': 'The connection has ended. Pair again with a new invite.',
  'pairing.same-installation':
    'Both computers have the data folder of one office: one was copied from the other. Start Footbridge with an empty data folder on one of them, and pair that one.',
  'pairing.not-shown':
    'The other computer says that it is an office whose key it does not have, so the pairing was not completed. Ask the people there by telephone which computer it is, and pair again with a new invite.',
  'pairing.renewed-meanwhile':
    'Footbridge was renewed while you were connecting. Connect again with a new invite.',
  'pairing.address-changed':
    'An invite was taken in for this partner and never used, and its address was changed by it. To be safe the connection was ended: connect again with a new invite.',
  'pairing.state-pending': 'not asked to pair yet',
  'pairing.state-requested': 'waiting for the other side',
  'pairing.state-paired': 'paired',
  'pairing.state-none': 'not connected',
  'pairing.out-of-order':
    'This step does not fit now: the partner is {state}. Look at the partner’s page for what comes next.',
  'pairing.busy': 'The partner is being asked right now. Wait for the answer.',
  'pairing.no-address':
    'The partner’s program didn’t say its address. Enter it as “Their address” on the Connection tab, then approve.',
  'pairing.no-invite': 'There is no invite to use. Paste one from the partner first.',
  'pairing.waits-for-them':
    'Confirmed. The partner’s computer cannot be called from here; it will fetch the answer by itself.',
  'pairing.other-words':
    'These are not the words of this connection any more. Compare those that are shown now.',
  'pairing.not-complete': 'The pairing is not complete yet. Wait until both sides have confirmed it.',
  'pairing.not-waiting':
    'The partner waits for this connection no longer: they did not approve it, or they did, and the data here went back to before that. Ask them for a new invite.',
  'pairing.not-approved': 'The partner did not approve the request. If this surprises you, ask them.',

  'invite.own': 'This invite is one of yours. Send it to your partner; it is taken in at the other office.',
  'invite.too-long': 'it is too long',
  'invite.no-address': 'it is not an address',
  'invite.wrong-scheme': 'it must begin with https://, http:// or corteza://',
  'invite.no-number': 'its beginning is missing',
  'invite.bad-secret': 'its secret part must be 32 letters and digits',
  'invite.no-end': 'its end is missing',
  'invite.not-whole':
    'This is not a whole invite: {reason}. Copy the invite again, from its first to its last character.',
  'invite.none':
    'There is no invite in this. An invite is what your partner’s Footbridge shows to copy: ask them for it.',
  'invite.other-link':
    'This is a link to {host}, not an invite. An invite is what your partner’s Footbridge shows to copy: ask them for it.',

  'address.none': '{text} is not an address. Check how it is written.',
  'address.information-service':
    '{address} is a machine’s own information service, not a partner. Ask them for their right address.',
  'address.private':
    '{address} is on a private network. If this partner is on your own network, tick that on its Connection tab.',
  'address.this-computer':
    '{address} is this computer itself, not a partner. Ask them for their right address.',
  'address.not-a-partners':
    '{address} is not an address that a partner can have. Ask them for their right address.',
  'address.no-web-address': '{text} is not a web address. Check how it is written.',
  'address.wrong-scheme':
    'A partner’s address does not start with {scheme}. Write it with https:// or http:// in front.',
  'address.credentials': 'A partner’s address carries no user name or password. Remove them from it.',
  'address.fragment': '{text} has a part after # that cannot be used. Remove that part.',

  'peer.not-reached': 'The partner can’t be reached. Try again later, or ask whether their computer is on.',
  'peer.too-slow': 'The partner took too long to answer. Ask them whether their computer is busy or asleep.',
  'peer.bad-status':
    'The partner’s address only answers with status {status}. Ask whether their program is running.',
  'peer.something-else':
    'Something else answers in the partner’s place: a network’s login page, a filter on the way, or another device. Open any web page to see whether your network wants a login, and ask the partner for their current address.',
  'peer.records-broken':
    'Their program says this list doesn’t exist. If it says so for every list, allow the other way on the Connection tab. If not, ask them to share this one again.',
  'peer.no-federation':
    'Their program answers, but federation is switched off or moved. Ask the partner which, and for the new address.',
  'peer.list-deleted': 'This list was deleted there. Ask the partner whether that was on purpose.',
  'peer.another-program':
    'Another program answers at the partner’s address. Ask whether theirs is running, and whether the address is still right.',
  'peer.another-footbridge':
    'Another Footbridge answers at the partner’s address: another computer has that address now, or the partner set up again. Ask for their current address, or pair again with a new invite.',
  'peer.invite-unknown': 'The partner’s computer doesn’t know this invite. Ask them for a new one.',
  'peer.invite-used': 'This invite has been used. Ask the partner for a new one.',
  'peer.link-replaced':
    'This link is no longer valid: each time their entry for you is opened in Corteza, it gets a new link. Ask their administrator for the present link, and not to open the entry again.',
  'peer.entry-gone':
    'Their Corteza no longer has an entry for your office. Ask their administrator to add one and to send its link.',
  'peer.invite-expired': 'This invite has expired after 24 hours. Ask the partner for a new one.',
  'peer.invite-withdrawn':
    'This invite is no longer valid: the partner made a newer one, or withdrew it. Ask them for a new one.',
  'peer.not-accepted':
    'The partner doesn’t accept us at the moment. Footbridge will try again; if it stays so, pair again with a new invite.',
  'peer.closed-its-side':
    'The partner closed its side, as ours didn’t accept it any more. Ask them to choose “Try again” there, or pair again with a new invite.',
  'peer.paused': 'The partner has paused sharing. You’ll get changes when they resume.',
  'peer.no-longer-accepted':
    'The connection has ended: the partner no longer accepts us. Pair again with a new invite.',
  'peer.disk-full':
    'The disk of the partner’s computer is full, so nothing can be fetched. Ask them to free some space.',
  'peer.not-shown':
    'The other office couldn’t verify which office your computer is: the invite was changed on its way or by hand, somebody intercepts, or your data folder lacks its installation key. Try once more with a new, unchanged invite.',
  'peer.cannot-write':
    'The partner’s computer can’t write to its data folder, so nothing can be fetched. Ask them what their Footbridge says.',
  'peer.disk-error':
    'The disk of the partner’s computer reported an error, so nothing can be fetched. Ask them what their Footbridge says.',
  'peer.refused': 'Their computer rejected this. Ask them what it means: {answer}',
  'peer.cannot-be-right':
    'The partner sent something invalid. Tell the person who maintains their program: {reason}',
  'peer.starting': 'The partner’s program is still starting. Wait a moment.',
  'peer.asks-to-wait': 'The partner asks us to wait. Give it a moment.',
  'peer.other-certificate':
    'The computer that answers isn’t the one that the invite named. Somebody may intercept, or the partner set up again. Ask them by telephone, then pair again.',
  'peer.promised-encryption':
    'This partner’s invite promised encryption. Put https:// in front of the address.',
  'peer.own-address': 'This is this computer’s own address. Ask the partner for theirs.',
  'peer.no-such-host':
    'The partner’s address doesn’t exist, or this computer is offline. Check your connection, then ask them for their address.',
  'peer.no-lookup': 'The partner’s address can’t be looked up. Check that this computer is online.',
  'peer.nothing-listens':
    'The partner’s computer is on, but its program doesn’t answer. Ask them to start it.',
  'peer.cut': 'The connection to the partner was cut. Check that both of you are online.',
  'peer.silent': 'The partner’s computer doesn’t answer. Ask whether it’s switched on.',
  'peer.no-way': 'Nothing leads from here to the partner’s computer. Check that both of you are online.',
  'peer.not-connected':
    'The partner isn’t connected to this computer, and you can’t call them. Check that you’re online, then ask them whether Footbridge is running.',
  'peer.not-at-relay':
    'The partner isn’t online right now. Ask them whether Footbridge is running and online.',
  'peer.relay-silent':
    'The computer that connects you with the partner doesn’t answer. Check that you’re online, then ask the person who looks after it.',
  'peer.relay-refuses':
    'The computer that connects you with the partner refuses to. Ask the person who looks after it.',
  'peer.offline': 'This computer is offline. Check its network connection.',
  'peer.not-encrypted': 'The partner’s address doesn’t use encryption. Try http:// instead of https://.',
  'peer.certificate-expired': 'The partner’s proof of identity has expired. Ask them to renew it.',
  'peer.certificate-self-signed':
    'Nobody vouches for the partner’s proof of identity. Ask for a new invite, which shows how to check it.',
  'peer.certificate-unknown':
    'The partner’s proof of identity comes from somebody unknown. Ask for a new invite, which shows how to check it.',
  'peer.certificate-other-address':
    'The partner’s proof of identity is for another address. Ask them for their right address.',
  'peer.unreachable': 'The partner can’t be reached. Ask whether their computer is on.',

  'share.too-many-columns': 'At most {most} columns can be shared. Choose fewer.',
  'share.column-twice': 'The column “{column}” is named twice. Remove one of the two.',
  'share.no-such-column': 'There is no column “{column}” in the list. Choose among those that it has.',
  'share.bad-title':
    '“{column}” cannot be shown by that column: the other list does not have it any more, or it names nothing. Choose another one.',
  'share.name-taken': 'This partner already sees a list called “{list}”. Give this one another name.',
  'share.no-column': 'Choose at least one column. To stop sharing, remove the list.',
  'share.withdrawn': 'This list is no longer shared. Ask for it if you need it.',
  'share.twice': 'This partner sees “{list}” already, as shared list {number}. Change that one.',
  'share.stays': 'A shared list stays with its list. Share the other one as new.',
  'condition.no-such-test': '“{column}” cannot be compared like that. Choose another comparison.',
  'condition.no-value': 'The condition lacks a value for “{column}”. Write one, or choose “is empty”.',
  'share.unknown': 'No list with the number {number} is shared with this partner. Look at what you share.',

  'ledger.full':
    'So much was asked for today that it can no longer be written down. Ask for less, or again tomorrow.',

  'offer.unknown': 'This partner offers no list with the number {number}. Look at what they offer.',
  'offer.gone': 'The offer is gone. Ask them to share the list again.',

  'match.which-list':
    'Say which of your lists receives it (composeModuleID), or make one with the same handle.',
  'match.mixed':
    'Rows from another list of this partner are in the same list of yours. Keep the rows, and delete in your list what you don’t need.',
  'match.none': 'This offered list is not matched to that list. Match it first.',
  'match.no-column': 'Match at least one column. To stop receiving, remove the matching.',
  'match.filled-twice': 'The column “{column}” would be filled twice. Choose another one for one of the two.',
  'match.column-gone': 'Your list no longer has the column “{column}”.',
  'match.not-offered': 'The partner no longer offers the column {column}.',
  'match.kind-changed': 'The partner changed the column {column} from {before} to {after}.',
  'match.another-column':
    'The partner now has another column under the name {column}. Match it anew if its values may come here.',
  'match.number-of-values-changed': 'The partner changed how many values the column {column} holds.',

  'compare.only-footbridges': 'Only two Footbridges can compare their rows. Compare by looking at the lists.',
  'brake.changed': {
    one: 'What waits has changed: it is 1 row now. Nothing was removed yet. Look at it here and say once more what you want.',
    other:
      'What waits has changed: it is {n} rows now. Nothing was removed yet. Look at them here and say once more what you want.',
  },
  'brake.columns':
    'The columns of this list, or how they are matched, changed after these rows came. Nothing was changed. The partner sends them once more; decide then.',
  'compare.not-matched': 'This list is not matched. Match it first.',

  'pull.interrupted': 'Fetching rows was interrupted. Try again.',
  'pull.not-connected': '{partner} is not connected. Pair first.',
  'pull.no-longer-accepted':
    'The connection has ended: the partner no longer accepts us. Try again, or pair again with a new invite.',
  'pull.list-changed':
    'The list was removed or matched otherwise while its rows were coming in. Look at what you receive.',

  'received.wrong-part': 'Its “{part}” is not what it should be.',
  'received.other-list': 'It says that it belongs to another list.',
  'received.too-many-values': 'It has too many values.',
  'received.long-name': 'A column’s name is too long.',
  'received.long-value': 'The value of “{column}” is larger than 1 MB.',
  'received.too-large': 'All its values together are larger than 4 MB.',

  'listen.taken':
    'Port {port} is in use by another program. Nothing was changed: partners are served as before. Choose another port in Settings.',
  'listen.forbidden':
    'Only the system may open port {port}. Nothing was changed: partners are served as before. Choose a port above 1023 in Settings.',
  'listen.failed':
    'This computer could not open port {port}. Nothing was changed: partners are served as before. Try it again in Settings, or choose another port.',
  'listen.nowhere':
    'Port {port} could not be opened, and another program took the one before. Partners cannot reach this office: choose another port in Settings, or start Footbridge anew once it is free.',
  'certificate.replaced':
    'The certificate that partners know this computer by was damaged, and a new one was made. Partners refuse the connection until then: pair again with each of them, with a new invite.',
} as const;

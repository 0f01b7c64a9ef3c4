/** How things stand and what happened: states, the inbox, the history. */
export const standing = {
  'state.partner-went-back': {
    one: '{partner}’s data went back to an earlier state: 1 row that you have is missing or older there. Review it.',
    other:
      '{partner}’s data went back to an earlier state: {n} rows that you have are missing or older there. Review them.',
  },
  'state.we-went-back': {
    one: 'Your data went back to an earlier state: {partner} still has 1 row that is missing or older here. Before they decide, ask them to save it as a file, and import that here.',
    other:
      'Your data went back to an earlier state: {partner} still has {n} rows that are missing or older here. Before they decide, ask them to save these as a file, and import that here.',
  },
  'state.held': {
    one: '{partner} removed or emptied 1 row. Review the change.',
    other: '{partner} removed or emptied {n} rows. Review the changes.',
  },
  'state.not-there': {
    one: '1 row that you have is no longer at {partner}. Remove it or keep it.',
    other: '{n} rows that you have are no longer at {partner}. Remove them or keep them.',
  },
  'state.could-not-apply': {
    one: '1 row from {partner} couldn’t be imported. See which and why.',
    other: '{n} rows from {partner} couldn’t be imported. See which and why.',
  },
  'state.kept': {
    one: 'You kept 1 row that {partner} removed or emptied, so your lists differ. Compare to fetch theirs, or dismiss this on Home.',
    other:
      'You kept {n} rows that {partner} removed or emptied, so your lists differ. Compare to fetch theirs, or dismiss this on Home.',
  },
  'state.kept-apart': {
    one: 'You kept 1 row that {partner} removed or emptied, so your lists differ. Remove it here, ask them to save it again, or dismiss this on Home.',
    other:
      'You kept {n} rows that {partner} removed or emptied, so your lists differ. Remove them here, ask them to save them again, or dismiss this on Home.',
  },
  'state.kept-so': {
    one: 'You keep 1 row that {partner} removed or emptied.',
    other: 'You keep {n} rows that {partner} removed or emptied.',
  },
  'state.differ': {
    one: '1 row differs from what {partner} has. Compare to fetch it again.',
    other: '{n} rows differ from what {partner} has. Compare to fetch them again.',
  },
  'state.parked': {
    one: '1 matched column changed. Match it again.',
    other: '{n} matched columns changed. Match them again.',
  },
  'state.offers': {
    one: '{partner} offers 1 list. Choose where to put it.',
    other: '{partner} offers {n} lists. Choose where to put them.',
  },
  'state.do-not-arrive': {
    one: '1 change doesn’t arrive at {partner}, though they ask for it. Ask them what their Footbridge says.',
    other:
      '{n} changes don’t arrive at {partner}, though they ask for them. Ask them what their Footbridge says.',
  },
  'state.not-taken-in': {
    one: '1 change doesn’t arrive at {partner}, though they ask for it. Ask them whether their program still imports this list.',
    other:
      '{n} changes don’t arrive at {partner}, though they ask for them. Ask them whether their program still imports these lists.',
  },
  'state.on-their-way': {
    one: '1 change is on its way to {partner}.',
    other: '{n} changes are on their way to {partner}.',
  },
  'state.wait-for-their-yes': {
    one: '1 row that you removed or emptied waits for approval at {partner}.',
    other: '{n} rows that you removed or emptied wait for approval at {partner}.',
  },
  'state.stand-differently': {
    one: '1 row is out of sync at {partner}: they kept their version or couldn’t import it.',
    other: '{n} rows are out of sync at {partner}: they kept their version or couldn’t import them.',
  },
  'state.parked-there': {
    one: '1 column that you share changed and doesn’t arrive at {partner}. Ask them to match it again.',
    other: '{n} columns that you share changed and don’t arrive at {partner}. Ask them to match them again.',
  },
  'state.nothing-yet':
    '{partner} hasn’t shared anything yet over the new connection. Ask them to share the lists again.',
  'state.stopped-there':
    '{partner} no longer imports “{list}”. Ask their administrator to map it. If it is mapped there already, share it again.',
  'state.unsent': {
    one: '{partner} doesn’t get 1 column that you share. Share its list again, then ask their administrator to map it.',
    other:
      '{partner} doesn’t get {n} columns that you share. Share their lists again, then ask their administrator to map them.',
  },
  'state.undecided': {
    one: '{partner} hasn’t chosen yet where to put 1 list.',
    other: '{partner} hasn’t chosen yet where to put {n} lists.',
  },
  'state.not-imported': {
    one: '{partner} doesn’t import 1 list. Ask their administrator to map it. If it is mapped there already, share it again.',
    other:
      '{partner} doesn’t import {n} lists. Ask their administrator to map them. If they are mapped there already, share them again.',
  },
  'state.changes-wait': {
    one: '{partner} last asked at {since}: 1 change waits for them.',
    other: '{partner} last asked at {since}: {n} changes wait for them.',
  },
  'state.ends-in-minutes': {
    one: 'The connection with {partner} ends in 1 minute. Pair again to continue.',
    other: 'The connection with {partner} ends in {n} minutes. Pair again to continue.',
  },
  'state.changed-here': {
    one: '1 row from {partner} keeps your changes.',
    other: '{n} rows from {partner} keep your changes.',
  },
  'state.changed-there': {
    one: '{partner} keeps its own version of 1 row.',
    other: '{partner} keeps its own version of {n} rows.',
  },
  'state.pairing-failed': 'Pairing failed. Try again or make a new invite.',
  'state.not-connected-because': 'Not connected with {partner}: {problem}',
  'state.asks-then-words':
    '{partner} asks to connect. Approve if you expected them, then compare the words by telephone.',
  'state.asks': '{partner} asks to connect. Check that you expected them, then approve.',
  'state.ended': 'The connection with {partner} has ended. Pair again with a new invite.',
  'state.folder-twice-here':
    'This office’s data folder is in use on two computers, and each gets a part of what {partner} sends. Close Footbridge on one of them. If you need both, pair that one again with an empty data folder.',
  'state.folder-twice-there':
    '{partner} seems to use one data folder on two computers, and each gets a part of what you send. Ask them to close Footbridge on one of the two.',
  'state.withdrawn-one':
    '{partner} no longer shares “{list}”. Decide what to do with the rows that you have.',
  'state.withdrawn':
    '{partner} no longer shares {lists} of your lists. Decide what to do with the rows that you have.',
  'state.they-paused': '{partner} has paused sharing. You’ll get changes when they resume.',
  'state.not-answered-yet': '{partner} hasn’t answered yet. Trying again.',
  'state.not-heard-since': 'No answer from {partner} since {since}. Trying again.',
  'state.last-answered': '{partner} last answered at {since}.',
  'state.stands-still': 'Nothing has come from {partner} for {seconds} seconds. Footbridge will try again.',
  'state.not-read-since':
    '{partner} asked for rows but hasn’t read them since {since}. Ask whether their computer is asleep or busy.',
  'state.send-only':
    'You can send to {partner} but not receive: nobody can call them. Ask them to keep a connection open to you, under Settings › Network.',
  'state.receive-only':
    'You can receive from {partner} but not send: they can’t call this computer. Open Settings › Network and turn on “Keep a connection open”.',
  'state.syncing': 'Getting changes from {partner}.',
  'state.looking': 'Looking for {partner}.',
  'state.waiting-to-be-asked': 'Waiting for {partner} to ask for changes.',
  'state.unsure':
    '{partner} can’t read anything, because older data came back. Review what you share with them, then let them read again.',
  'state.may-not-read': '{partner} can’t read what you share. {pause}',
  'state.yet-to-be-heard': 'Checking how much {partner} has of what you share.',
  'state.waiting-to-confirm': 'Waiting for {partner} to approve.',
  'state.not-connected-yet': 'Not connected with {partner} yet.',
  'state.waiting-for-use': 'Waiting for {partner} to use the invite.',
  'state.not-fetched': 'Nothing is fetched from {partner}; they can read what you share. {pause}',
  'state.paused': 'Paused by you.',
  'state.paused-until': 'Paused by you until {until}.',
  'state.never-asked': '{partner} hasn’t asked for anything since Footbridge started here.',
  'state.last-asked': '{partner} last asked at {since}.',
  'state.last-asked-has-all': '{partner} last asked at {since} and has everything until then.',
  'state.ends-in-hours': 'The connection with {partner} ends in {hours} hours. Pair again to continue.',
  'state.ends-in-days': 'The connection with {partner} ends in {days} days. Pair again to continue.',
  'state.all-both-ways': 'Everything has arrived, and {partner} has everything that you share with them.',
  'state.all-arrived': 'Everything has arrived.',
  'state.has-all': '{partner} has everything that you share with them.',
  'state.connected': 'Connected with {partner}. Nothing is shared yet in either direction.',
  'state.data-missing': 'Some of your data may be missing. Review it on Home.',
  'state.no-partner': 'No partners yet.',
  'state.all-idle': 'Connected. Nothing is shared yet in either direction.',
  'state.all-up-to-date': 'All partners are up to date.',
  'state.of-partner': '{partner}: {reason}',

  'inbox.remove-rows': {
    one: '{partner} ended the connection and asks you to remove the row that came from them.',
    other: '{partner} ended the connection and asks you to remove the {n} rows that came from them.',
  },
  'inbox.doubles': {
    one: '1 row that {partner} sends was in “{list}” before, with the same values in the matched columns. Join the two: no value is lost.',
    other:
      '{n} rows that {partner} sends were in “{list}” before, with the same values in the matched columns. Join them: no value is lost.',
  },
  'inbox.kept': {
    one: '{partner} removed or emptied 1 row of “{list}”, and you kept it. Take over their version, or dismiss this for good.',
    other:
      '{partner} removed or emptied {n} rows of “{list}”, and you kept them. Take over their version, or dismiss this for good.',
  },
  'inbox.did-not-fit': {
    one: '1 row from {partner} doesn’t fit the list “{list}”. It’s kept with the reason and tried again.',
    other:
      '{n} rows from {partner} don’t fit the list “{list}”. Each is kept with the reason and tried again.',
  },
  'inbox.not-there': {
    one: '1 row in “{list}” is no longer at {partner}, who didn’t report a deletion. Your copy is unchanged. Remove it or keep it.',
    other:
      '{n} rows in “{list}” are no longer at {partner}, who didn’t report a deletion. Your copies are unchanged. Remove them or keep them.',
  },
  'inbox.partner-went-back': {
    one: '{partner}’s data went back to an earlier state: 1 row that you have in “{list}” is missing or older there. Your copy is unchanged. Keep it, or take over theirs.',
    other:
      '{partner}’s data went back to an earlier state: {n} rows that you have in “{list}” are missing or older there. Your copies are unchanged. Keep them, or take over theirs.',
  },
  'inbox.same-office':
    '{partner} and {other} both claim to be the same office. One of them may impersonate the other, or an office was connected twice. While both are connected, neither can overrule the other’s rows. Ask both by telephone, and disconnect the wrong one.',
  'inbox.offer-columns': 'Columns: {columns}.',
  'inbox.list-withdrawn':
    'You get no more changes for this list from {partner}. Keep the rows as your own, or choose “Have a look” to move them to the bin.',
  'inbox.list-withdrawn-waiting': {
    one: 'You get no more changes for this list from {partner}. 1 row that they removed or emptied earlier still waits for your decision: review it, or keep all rows as your own.',
    other:
      'You get no more changes for this list from {partner}. {n} rows that they removed or emptied earlier still wait for your decision: review them, or keep all rows as your own.',
  },
  'inbox.columns-parked':
    'Columns of “{list}” changed. Match these again: {columns}. The other columns keep syncing.',
  'inbox.condition-broken':
    'No row of “{list}” is shared with {partner} any more: the condition uses columns that were removed or changed: {columns}. The rows that they have are taken back; if there are many, {partner} is asked first. Choose again which rows {partner} sees.',
  'inbox.columns-retyped':
    'These columns changed their kind: {columns}. Review what {partner} would see, and choose them again.',
  'inbox.would-empty':
    'A change from {partner} would empty values in {n} of {of} rows in “{list}”. Nothing changes until you approve.',
  'inbox.would-empty-more':
    'A change from {partner} would empty values in {n} more of {of} rows in “{list}”, after {emptied} in the last day. Nothing changes until you approve.',
  'inbox.would-remove-more':
    'A change from {partner} would remove {n} more of {of} rows in “{list}”, after {gone} that went to the bin in the last day. They stay until you approve.',
  'inbox.would-remove':
    'A change from {partner} would remove {n} of {of} rows in “{list}”. They stay until you approve.',
  'inbox.would-empty-too': {
    one: '{n} other row would lose values and waits for approval, too.',
    other: '{n} other rows would lose values and wait for approval, too.',
  },
  'inbox.would-empty-too-more': {
    one: '{n} other row would lose values, after {emptied} in the last day, and waits for approval, too.',
    other: '{n} other rows would lose values, after {emptied} in the last day, and wait for approval, too.',
  },
  'inbox.ended-by-time': 'The connection to {partner} has expired. Connect again with a new invite.',
  'inbox.ends-in':
    'The connection to {partner} ends in {span} and can’t be renewed. Ask them for a new invite.',
  'inbox.used-invite': '{partner} used your invite.',
  'inbox.used-invite-nearby': '{partner} used your invite. They call from {address}, on your own network.',
  'inbox.used-invite-from': '{partner} used your invite. They call from {address}.',
  'inbox.not-encrypted': 'Not encrypted: fine within your own office, not over the internet.',
  'inbox.file-empties': {
    one: '1 row lost values in “{file}”. Review it, and decide whether it loses them here, too.',
    other: '{n} rows lost values in “{file}”. Review them, and decide whether they lose them here, too.',
  },
  'inbox.file-waits': {
    one: '1 row is no longer in “{file}”. Review it, and decide whether to remove it here, too.',
    other: '{n} rows are no longer in “{file}”. Review them, and decide whether to remove them here, too.',
  },
  'inbox.about-list': '“{list}”: {what}',
  'inbox.about-settings': 'Settings, partners and shares: {what} Check with each partner what you share.',
  'inbox.import-cut': 'The import into “{list}” was interrupted at line {line}. {next}',
  'inbox.import-cut-of': 'The import of {file} into “{list}” was interrupted at line {line}. {next}',
  'inbox.import-cut-keyed': 'Import the file again: no row comes twice.',
  'inbox.import-cut-unkeyed':
    'Remove the imported lines from the file, keep the column names, and import the rest. Otherwise these rows come twice.',
  'inbox.ledger-lost':
    'Part of the sharing log is missing: its files were damaged or replaced by an older copy. If you have the newer files, close Footbridge and put them back. Your lists and shares are not affected.',
  'inbox.about-ledger': 'The sharing log: {what}',

  'history.connected-again': 'Connected with {partner} again.',
  'history.keeps-open':
    'A connection to {partner} is kept open, so they can fetch what you share. Allowed by an administrator of your office {since}.',
  'history.uses-relay':
    'You reach {partner} through the relay {relay}. Allowed by an administrator of your office {since}.',
  'history.port-open':
    '{partner} can call this computer through port {port} of your router. Allowed by an administrator of your office {since}.',
  'history.held': 'Removed or emptied rows wait for approval. Decide under “We receive”.',
  'history.kept': {
    one: 'Decided here: 1 row keeps your version.',
    other: 'Decided here: {n} rows keep your version.',
  },
  'history.let-happen': {
    one: 'Decided here: 1 row takes over their version.',
    other: 'Decided here: {n} rows take over their version.',
  },
  'history.settled': {
    one: 'Decided here: 1 kept row stays different from theirs.',
    other: 'Decided here: {n} kept rows stay different from theirs.',
  },
  'history.new': '{count} new',
  'history.changed': '{count} changed',
  'history.removed': '{count} removed',
  'history.failed': '{count} couldn’t be imported',
  'history.cut': '{counts}, then interrupted',
  'history.offered': 'Offers the list “{list}”.',
  'history.offered-again': 'Offers the list “{list}” again.',
  'history.list-changed': 'Changed the list “{list}”.',
  'history.withdrawn': 'No longer shares the list “{list}”.',

  'access.turned-away': {
    one: '{who} {tried}. It got nothing. If you don’t know who that is, ask your partners.',
    other: '{who} {tried}, {n} times. It got nothing. If you don’t know who that is, ask your partners.',
  },
  'access.wrong-token': 'sent a key that isn’t valid here, or not any more',
  'access.wrong-invite': 'tried an invite that does not exist',
  'access.old-invite': 'tried an invite that was used, withdrawn or has expired',
  'access.management': 'tried to change settings of this computer remotely',
  'access.plain': 'tried to connect without encryption',
  'access.flood': 'sent too many requests',
  'access.token-over':
    '{partner}’s key has expired by this computer’s clock, so {partner} was rejected. Keys are renewed early, unless a computer is off for months: check date and time on both computers. Syncing continues once both are right. If they are right already, pair again.',
  'access.from-many': 'Somebody at many addresses',
  'access.from-here': 'A program on this computer',
  'access.from': 'A computer at {address}',
  'access.unlisted':
    'This data folder doesn’t know this access, so it couldn’t be revoked: an older version made it, or the folder is an older copy. Make a new one on the command line.',

  'served.compared': {
    one: '1 row compared by its fingerprint',
    other: '{n} rows compared by their fingerprints',
  },
  'served.sent': { one: '1 row sent', other: '{n} rows sent' },

  'clocks.invite-not-counted':
    'The partner’s clock and this computer’s are {span} apart, so the invite isn’t accepted. Correct the wrong clock, then try again.',
  'clocks.answer-not-taken':
    'The partner’s clock and this computer’s are {span} apart, so the partner doesn’t accept our answer. Correct the wrong clock, then try again.',
  'clocks.not-accepted':
    'The partner’s clock and this computer’s are {span} apart, so the partner doesn’t accept us. Correct the wrong clock; syncing then continues.',
  'clocks.ours-differs':
    'This computer’s clock differs by {span} from those of all your partners: it says {ours}, and they say {theirs}. Check its date and time.',
  'clocks.differ':
    'The two clocks differ by {span}: this computer says {ours}, and {partner} says {theirs}. Check which of them is wrong.',

  'span.minutes': { one: 'one minute', other: '{n} minutes' },
  'span.hours': '{n} hours',
  'span.days': '{n} days',

  'older-data.unshared':
    'Older data came back in which “{list}” was still shared with {partner}. It stays unshared. Share it again if you want to.',
  'older-data.columns-hidden':
    'Older data came back in which {partner} saw more of “{list}”. What you hid since stays hidden. Review what you share.',
  'older-data.disconnected':
    'Older data came back in which {partner} was still connected. The connection stays ended. Connect again with a new invite if you want to.',
  'older-data.removed':
    'Older data came back with {partner}, a partner that you removed. They stay removed and see nothing. Pair again with a new invite if you want them back.',
  'older-data.paused':
    'Older data came back from before {partner} was paused. They stay paused. Choose “Resume” at this partner to go on.',
  'older-data.signed-out':
    'Older data came back. Windows that weren’t signed in here stay signed out, and what you closed in Settings stays closed. The address for partners and the time the sharing log is kept stay as they were set here. Review your settings.',
  'older-data.unsure':
    'Older data came back, and the list of what you had withdrawn may be older, too. So {partner} may see more than you want, or you may have ended this connection. They can’t read anything for now: review what you share with them, then choose “Let them read again”.',
  'older-data.file':
    'Older data came back in which “{list}” was kept as in a file, or copied into one. Here it was not, or otherwise, so that this rests: nothing is read or written. Choose the file again at the list if you want to.',
  'older-data.scripts':
    'The list of access that was made on the command line is older than it was, or gone. Access that was taken back stays so. Access that was made since opens nothing: make it anew there.',
  'older-data.lists':
    'Older data came back, and your lists with it: what was entered or changed since then is missing in them. Look through your lists. If you have the newer folder “store” of this computer’s data, close Footbridge, put all of it back, and start again. What partners received from you since then, they still have: ask them for what you miss.',
  'older-data.list-anew':
    'The list of what you had withdrawn, revoked or paused was missing, damaged or older than it should be. It was begun anew. If you put back a backup from before now, look through what you share then.',
  'older-data.connection-ended':
    'You ended this connection, or the partner did; older data that came back does not open it again. Pair again with a new invite to go on.',
  'older-data.half-paired':
    'Older data came back, from before this connection was complete. Connect again with a new invite.',

  'problem.tried-again': '{problem} Footbridge will try again.',
  'problem.unexpected':
    'Something went wrong in Footbridge itself. It tries again by itself; if it stays so, save a support file in the settings and ask for help.',

  'sentence.ended': '{text}.',
  'sentence.joined': '{before}{between}{after}',
} as const;

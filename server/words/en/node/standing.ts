/** How things stand and what happened: states, the inbox, the history. */
export const standing = {
  'state.partner-went-back': {
    one: 'The data of {partner} went back to an earlier state: 1 row that you have is gone or older there. Look at it and decide.',
    other:
      'The data of {partner} went back to an earlier state: {n} rows that you have are gone or older there. Look at them and decide.',
  },
  'state.we-went-back': {
    one: 'Your data went back to an earlier state: {partner} still has 1 row that is gone or older here. Ask them to save it as a file before they decide, and import that here.',
    other:
      'Your data went back to an earlier state: {partner} still has {n} rows that are gone or older here. Ask them to save these as a file before they decide, and import that here.',
  },
  'state.held': {
    one: '{partner} took back or emptied 1 row. Look at it and decide.',
    other: '{partner} took back or emptied {n} rows. Look at them and decide.',
  },
  'state.not-there': {
    one: '1 row that you have is no longer there at {partner}. Remove it or keep it.',
    other: '{n} rows that you have are no longer there at {partner}. Remove them or keep them.',
  },
  'state.could-not-apply': {
    one: '1 row from {partner} could not be taken in. See which and why.',
    other: '{n} rows from {partner} could not be taken in. See which and why.',
  },
  'state.kept': {
    one: 'You kept 1 row that {partner} took back or emptied, so the two of you differ. Compare to fetch theirs after all, or say on Home that it stays so.',
    other:
      'You kept {n} rows that {partner} took back or emptied, so the two of you differ. Compare to fetch theirs after all, or say on Home that it stays so.',
  },
  'state.kept-apart': {
    one: 'You kept 1 row that {partner} took back or emptied, so the two of you differ. To be equal again, remove it here or ask them to save it anew; or say on Home that it stays so.',
    other:
      'You kept {n} rows that {partner} took back or emptied, so the two of you differ. To be equal again, remove them here or ask them to save them anew; or say on Home that it stays so.',
  },
  'state.kept-so': {
    one: '1 row that {partner} took back or emptied stays here, as you want it.',
    other: '{n} rows that {partner} took back or emptied stay here, as you want it.',
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
    one: '1 change does not arrive at {partner}, though they ask for it. Ask them what their Footbridge says.',
    other:
      '{n} changes do not arrive at {partner}, though they ask for them. Ask them what their Footbridge says.',
  },
  'state.not-taken-in': {
    one: '1 change does not arrive at {partner}, though they ask. Ask them to look whether their program still takes this list in.',
    other:
      '{n} changes do not arrive at {partner}, though they ask. Ask them to look whether their program still takes these lists in.',
  },
  'state.on-their-way': {
    one: '1 change is on its way to {partner}.',
    other: '{n} changes are on their way to {partner}.',
  },
  'state.wait-for-their-yes': {
    one: '1 row that you took back or emptied waits for a yes at {partner}.',
    other: '{n} rows that you took back or emptied wait for a yes at {partner}.',
  },
  'state.stand-differently': {
    one: '1 row stands differently at {partner}: it was kept there or did not fit.',
    other: '{n} rows stand differently at {partner}: they were kept there or did not fit.',
  },
  'state.parked-there': {
    one: '1 column that you share changed and does not arrive at {partner}. Ask them to match it again.',
    other: '{n} columns that you share changed and do not arrive at {partner}. Ask them to match them again.',
  },
  'state.nothing-yet':
    '{partner} hasn’t shared anything yet over the new connection. Ask them to share the lists again.',
  'state.stopped-there':
    '{partner} stopped taking in “{list}”: its columns differ from those mapped there. Share the list again, then ask their administrator to map it.',
  'state.undecided': {
    one: '{partner} has not chosen yet where to put 1 list.',
    other: '{partner} has not chosen yet where to put {n} lists.',
  },
  'state.changes-wait': {
    one: '{partner} last asked at {since}: 1 change waits for them.',
    other: '{partner} last asked at {since}: {n} changes wait for them.',
  },
  'state.ends-in-minutes': {
    one: 'The connection with {partner} ends in 1 minute. Pair again to go on after that.',
    other: 'The connection with {partner} ends in {n} minutes. Pair again to go on after that.',
  },
  'state.changed-here': {
    one: '1 row from {partner} is as you left it here, not as they have it.',
    other: '{n} rows from {partner} are as you left them here, not as they have them.',
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
  'state.ended': 'The connection with {partner} has ended. Pair again with a new invite to go on.',
  'state.folder-twice-here':
    'The data folder of this office is in use on two computers: {partner} is called by both in turn, and each gets a part of what is new. Close Footbridge on one of them. If both are needed, pair that one anew, with an empty data folder.',
  'state.folder-twice-there':
    '{partner} seems to use one data folder on two computers, and each of them gets a part of what is new. Ask them to close Footbridge on one of the two.',
  'state.withdrawn-one':
    '{partner} no longer shares “{list}”. Decide what becomes of the rows that you have.',
  'state.withdrawn':
    '{partner} no longer shares {lists} of your lists. Decide what becomes of the rows that you have.',
  'state.they-paused':
    '{partner} has paused, so that nothing of theirs can be fetched. It goes on by itself when they do.',
  'state.not-answered-yet': '{partner} has not answered yet. It is tried again by itself.',
  'state.not-heard-since': 'Not heard from {partner} since {since}. It is tried again by itself.',
  'state.stands-still':
    'Nothing has come from {partner} for {seconds} seconds. It is waited for, then tried again by itself.',
  'state.not-read-since':
    '{partner} asks for rows but has not read them since {since}. Ask them whether their computer is asleep or busy.',
  'state.send-only':
    'You can send to {partner} but not receive: nobody can call them. Ask them to keep a connection open to you, under Settings › Network.',
  'state.receive-only':
    'You can receive from {partner} but not send: they can’t call this computer. Open Settings › Network and turn on “Keep a connection open”.',
  'state.syncing': 'Getting changes from {partner}.',
  'state.looking': 'Looking for {partner}.',
  'state.waiting-to-be-asked': 'Waiting for {partner} to ask for what is new.',
  'state.unsure':
    '{partner} reads nothing, as older data came back: look at what you share with them, then let them read again.',
  'state.may-not-read': '{partner} may not read what you share. {pause}',
  'state.yet-to-be-heard': 'Checking how much {partner} has of what you share.',
  'state.waiting-to-confirm': 'Waiting for {partner} to approve.',
  'state.not-connected-yet': 'Not connected with {partner} yet.',
  'state.waiting-for-use': 'Waiting for {partner} to use the invite.',
  'state.not-fetched': 'Nothing is fetched from {partner}; they may read what you share. {pause}',
  'state.paused': 'Paused by you.',
  'state.paused-until': 'Paused by you until {until}.',
  'state.never-asked': '{partner} has not asked for anything since Footbridge started here.',
  'state.last-asked': '{partner} last asked at {since}.',
  'state.last-asked-has-all': '{partner} last asked at {since} and has everything up to then.',
  'state.ends-in-hours':
    'The connection with {partner} ends in {hours} hours. Pair again to go on after that.',
  'state.ends-in-days': 'The connection with {partner} ends in {days} days. Pair again to go on after that.',
  'state.all-both-ways': 'Everything has arrived, and {partner} has everything that you share with them.',
  'state.all-arrived': 'Everything has arrived.',
  'state.has-all': '{partner} has everything that you share with them.',
  'state.connected': 'Connected with {partner}. No list goes either way at present.',
  'state.data-missing': 'Some of your data may be missing. On Home, look at what needs you.',
  'state.no-partner': 'There is no partner at the moment.',
  'state.all-idle': 'You are connected. No list goes either way at present.',
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
    one: '{partner} took back or emptied 1 row of “{list}”, and you kept it. Take over what they have, or let it stay so: then it is no longer asked.',
    other:
      '{partner} took back or emptied {n} rows of “{list}”, and you kept them. Take over what they have, or let it stay so: then it is no longer asked.',
  },
  'inbox.did-not-fit': {
    one: '1 row from {partner} did not fit the list “{list}”. It is kept with its reason and tried again.',
    other:
      '{n} rows from {partner} did not fit the list “{list}”. Each is kept with its reason and tried again.',
  },
  'inbox.not-there': {
    one: '1 row in “{list}” is no longer there at {partner}, which did not say that it was removed. Here it is as it was. Remove it, or keep it.',
    other:
      '{n} rows in “{list}” are no longer there at {partner}, which did not say that they were removed. Here they are as they were. Remove them, or keep them.',
  },
  'inbox.partner-went-back': {
    one: 'The data of {partner} went back to an earlier state: 1 row that you have in “{list}” is gone or older there. It is as it was here. Keep it, or take over what {partner} has.',
    other:
      'The data of {partner} went back to an earlier state: {n} rows that you have in “{list}” are gone or older there. They are as they were here. Keep them, or take over what {partner} has.',
  },
  'inbox.same-office':
    '{partner} and {other} both say that they are the same office’s Footbridge. One of them may pass itself off as the other, or an office was connected twice. Until only one of them is connected, neither has the last word on rows that the other one sends. Ask both on numbers that you know, and disconnect the one that is wrong.',
  'inbox.offer-columns': 'Its columns: {columns}.',
  'inbox.list-withdrawn':
    'Nothing new comes from {partner} for this list. Keep the rows as your own, or remove them from the list.',
  'inbox.list-withdrawn-waiting': {
    one: 'Nothing new comes from {partner} for this list. 1 row that they took back or emptied before still waits for your word: look at it, or keep all rows as your own.',
    other:
      'Nothing new comes from {partner} for this list. {n} rows that they took back or emptied before still wait for your word: look at them, or keep all rows as your own.',
  },
  'inbox.columns-parked':
    'Columns of “{list}” changed, so these wait to be matched again: {columns}. The other columns go on.',
  'inbox.condition-broken':
    'No row of “{list}” is shared with {partner} any more: the rows to share go by columns that are gone or hold something else since: {columns}. Those that they have are taken back; where these are many, they are asked first. Choose anew which rows {partner} sees.',
  'inbox.columns-retyped':
    'What these columns hold changed with their kind: {columns}. Look at what {partner} would see of them now, and choose them again.',
  'inbox.would-empty':
    'What {partner} sends would empty values in {n} of {of} rows in “{list}”. These rows are as they were and wait for your yes.',
  'inbox.would-empty-more':
    'What {partner} sends would empty values in {n} more of {of} rows in “{list}”, after {emptied} in the last day. These rows are as they were and wait for your yes.',
  'inbox.would-remove-more':
    'What {partner} sends would remove {n} more of {of} rows in “{list}”, after {gone} that went to the bin in the last day. These are still there and wait for your yes.',
  'inbox.would-remove':
    'What {partner} sends would remove {n} of {of} rows in “{list}”. They are still there and wait for your yes.',
  'inbox.would-empty-too': {
    one: '{n} other row would lose values and waits for your yes as well.',
    other: '{n} other rows would lose values and wait for your yes as well.',
  },
  'inbox.would-empty-too-more': {
    one: '{n} other row would lose values, after {emptied} in the last day, and waits for your yes as well.',
    other:
      '{n} other rows would lose values, after {emptied} in the last day, and wait for your yes as well.',
  },
  'inbox.ended-by-time':
    'The connection to {partner} has ended: its time was up. Connect again with a new invite.',
  'inbox.ends-in':
    'The connection to {partner} ends in {span} and cannot renew itself. Ask them for a new invite.',
  'inbox.used-invite': '{partner} used your invite.',
  'inbox.used-invite-nearby': '{partner} used your invite. They call from {address}, on your own network.',
  'inbox.used-invite-from': '{partner} used your invite. They call from {address}.',
  'inbox.not-encrypted': 'Not encrypted: fine within your own office, not over the internet.',
  'inbox.file-empties': {
    one: 'In “{file}” 1 row of it has lost values. Look, and say whether it loses them here as well.',
    other: 'In “{file}” {n} rows of it have lost values. Look, and say whether they lose them here as well.',
  },
  'inbox.file-waits': {
    one: 'In “{file}” 1 row of it is not there any more. Look, and say whether it goes here as well.',
    other: 'In “{file}” {n} rows of it are not there any more. Look, and say whether they go here as well.',
  },
  'inbox.about-list': '“{list}”: {what}',
  'inbox.about-settings': 'Settings, partners and shares: {what} Check with each partner what you share.',
  'inbox.import-cut':
    'Only a part of a file went into “{list}”, up to line {line}: the import was cut off. {next}',
  'inbox.import-cut-of':
    'Only a part of the file {file} went into “{list}”, up to line {line}: the import was cut off. {next}',
  'inbox.import-cut-keyed': 'Choose the file once more: no row comes twice.',
  'inbox.import-cut-unkeyed':
    'What is in would come twice if you imported all of it again: take these lines out of the file first, all but the names of the columns.',
  'inbox.ledger-lost':
    'Part of the overview of what has left this computer is missing: its files were damaged, or an older copy had taken their place. If you have the newer files, close Footbridge and put them back. Otherwise nothing is to be done: your lists, and what you share, are as they were.',
  'inbox.about-ledger': 'The overview of what has left this computer: {what}',

  'history.connected-again': 'Connected with {partner} again.',
  'history.keeps-open':
    'A connection to {partner} is kept open, so that they can fetch what you share. Allowed by an administrator of your office {since}.',
  'history.uses-relay':
    'You reach {partner} through the relay {relay}. Allowed by an administrator of your office {since}.',
  'history.port-open':
    '{partner} can call this computer through port {port} of your router. Allowed by an administrator of your office {since}.',
  'history.held': 'Rows that would be removed or emptied wait for your yes. Decide under “We receive”.',
  'history.kept': {
    one: 'Decided here: 1 row stays as you have it.',
    other: 'Decided here: {n} rows stay as you have them.',
  },
  'history.let-happen': {
    one: 'Decided here: 1 row becomes what it is there.',
    other: 'Decided here: {n} rows become what they are there.',
  },
  'history.settled': {
    one: 'Decided here: 1 kept row stays different from theirs.',
    other: 'Decided here: {n} kept rows stay different from theirs.',
  },
  'history.new': '{count} new',
  'history.changed': '{count} changed',
  'history.removed': '{count} removed',
  'history.failed': '{count} could not be taken in',
  'history.offered': 'Offers the list “{list}”.',
  'history.offered-again': 'Offers the list “{list}” again.',
  'history.list-changed': 'Changed the list “{list}”.',
  'history.withdrawn': 'No longer shares the list “{list}”.',

  'access.turned-away': {
    one: '{who} {tried}. It got nothing. If you do not know who that is, ask your partners whether it was them.',
    other:
      '{who} {tried}, {n} times. It got nothing. If you do not know who that is, ask your partners whether it was them.',
  },
  'access.wrong-token': 'sent a key that is not valid here, or not any more',
  'access.wrong-invite': 'tried an invite that does not exist',
  'access.old-invite': 'tried an invite that was used, withdrawn or has expired',
  'access.management': 'tried to change settings of this computer from afar',
  'access.plain': 'tried to talk without encryption',
  'access.flood': 'sent more requests than are taken',
  'access.token-over':
    'The key of {partner} has run out by this computer’s clock, so that {partner} was turned away. Keys are renewed long before, unless a computer is off for months: else the clock here or there is wrong, or was. Check date and time on both computers; it goes on by itself once both are right. If they are right already, pair again.',
  'access.from-many': 'Somebody at many addresses',
  'access.from-here': 'A program on this computer',
  'access.from': 'A computer at {address}',
  'access.unlisted':
    'This data folder knows nothing of this access, so that it could not be taken back: it was made with an older version, or the folder is an older copy. Make a new one on the command line.',

  'served.compared': {
    one: '1 row compared by its fingerprint',
    other: '{n} rows compared by their fingerprints',
  },
  'served.sent': { one: '1 row sent', other: '{n} rows sent' },

  'clocks.invite-not-counted':
    'The partner’s clock and this computer’s are {span} apart, so that the invite does not count there. Set right the one that is wrong, then try again.',
  'clocks.answer-not-taken':
    'The partner’s clock and this computer’s are {span} apart, so that it does not take our answer. Set right the one that is wrong, then try again.',
  'clocks.not-accepted':
    'The partner’s clock and this computer’s are {span} apart, so that it does not accept us. Set right the one that is wrong; it goes on by itself.',
  'clocks.ours-differs':
    'This computer’s clock differs by {span} from those of all your partners: it says {ours}, and they say {theirs}. Check its date and time.',
  'clocks.differ':
    'The two clocks differ by {span}: this computer says {ours}, and {partner} says {theirs}. Check which of them is wrong.',

  'span.minutes': { one: 'one minute', other: '{n} minutes' },
  'span.hours': '{n} hours',
  'span.days': '{n} days',

  'older-data.unshared':
    'Older data came back in which “{list}” was still shared with {partner}. Here it was not, and it stays unshared. Share it again if you want to.',
  'older-data.columns-hidden':
    'Older data came back in which {partner} saw more of “{list}”. What you had taken off since stays hidden. Look through what is shared.',
  'older-data.disconnected':
    'Older data came back in which {partner} was still connected. The connection stays ended. Connect again with a new invite if you want to.',
  'older-data.removed':
    'Older data came back with the partner {partner}, who had been removed. They stay removed and see nothing. Pair again with a new invite if you want them back.',
  'older-data.paused':
    'Older data came back from before {partner} was paused. They stay paused. Choose “Resume” at this partner to go on.',
  'older-data.signed-out':
    'Older data came back. Windows that were not signed in here stay signed out. What was closed in Settings here stays closed. The address for partners, and how long it is kept what left, are as they were set here. Look through your settings.',
  'older-data.unsure':
    'Older data came back, and the list of what you had withdrawn is not as new as it was. So {partner} may see more than you want, or you may have ended this connection. They read nothing until you have looked: look at what you share with them, then choose “Let them read again”.',
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

  'problem.tried-again': '{problem} It is tried again by itself.',
  'problem.unexpected':
    'Something went wrong in Footbridge itself. It tries again by itself; if it stays so, save a support file in the settings and ask for help.',

  'sentence.ended': '{text}.',
  'sentence.joined': '{before}{between}{after}',
} as const;

/** Help: the keys, what a partner sees, and what our words mean. */
export const help = {
  'help.open': 'Help',
  'help.meaning': 'What does “{word}” mean?',
  'keys.title': 'Keys that work here',
  'keys.label': 'Keys',
  'keys.anywhere': 'Everywhere',
  'keys.in-list': 'In a list',
  'keys.in-field':
    'While you type in a field or a cell, “{sign}” is a question mark; F1 opens this there too.',
  'keys.help': 'F1',
  'key.help': 'These keys',
  'keys.places': 'Ctrl 1 … 4',
  'key.places': 'Home, Partners, Lists, Settings (in the app’s own window)',
  'keys.settings': 'Ctrl ,',
  'key.settings': 'Settings',
  'keys.sync': 'Ctrl R',
  'key.sync': 'Sync now',
  'keys.close': 'Esc',
  'key.close': 'Close what is open',
  'keys.move': 'Arrow keys',
  'key.move': 'From cell to cell',
  'keys.ends': 'Ctrl Home | Ctrl End',
  'key.ends': 'To the first and the last cell',
  'keys.details': 'Ctrl Enter',
  'key.details': 'Details of a row',
  'keys.tick': 'Space',
  'key.tick': 'Tick the row; with Shift, all rows from the last one ticked',
  'keys.tick-all': 'Ctrl A',
  'key.tick-all': 'Tick all rows',
  'keys.edit': 'Enter | F2',
  'key.edit': 'Change the cell',
  'keys.type': 'A … Z',
  'key.type': 'Write the cell anew',
  'keys.clear': 'Del',
  'key.clear': 'Empty the cell, or delete the ticked rows',
  'keys.range': 'Shift Arrow keys',
  'key.range': 'Mark several cells',
  'keys.copy': 'Ctrl C | Ctrl V',
  'key.copy': 'Copy the marked cells, and paste',
  'keys.fill': 'Ctrl D',
  'key.fill': 'Fill the first marked value down',
  'keys.undo': 'Ctrl Z',
  'key.undo': 'Undo',
  'keys.redo': 'Ctrl Shift Z or Ctrl Y',
  'key.redo': 'Redo',
  'sees.open': 'What a partner can see',
  'sees.title': 'What a partner can see, and what not',
  'sees.seen': 'Each partner sees',
  'sees.columns': 'The columns that you ticked for them, with the rows that may leave, as they are now.',
  'sees.references':
    'Of a column that points at another list: only the one column of that list by which you show it.',
  'sees.deleted': 'That a row which they may see was deleted.',
  'sees.counts':
    'How many such rows there are, and when each was made and last changed; also when the change was in a column that they do not see.',
  'sees.passed-on':
    'Of a row that came to you from other offices: a number for each office that it passed through, no names.',
  'sees.office': 'The name of your office, the address of this computer, and whether it answers.',
  'sees.unseen': 'Nobody sees',
  'sees.other-columns':
    'Lists that you do not share and columns that you did not tick: neither their values nor their names.',
  'sees.other-partners': 'The names of your other partners, and what you share with them.',
  'sees.past': 'What a value was before they were allowed to see it, and what lies in the bin.',
  'sees.people': 'Who in your office changed something.',
  'sees.change':
    'Nobody can change anything here: what a partner shares only comes into a list that you chose for it.',
  'sees.afterwards':
    'What has left stays with them, also when you stop sharing. You can ask them to remove it, but you cannot make them. Under “{activity}” you see what left, and when.',
  'meaning.up-to-date':
    'Every answer came in time, all that is shared with you has arrived, and nothing waits for you. The time beside it says as of when.',
  'meaning.syncing': 'Footbridge is asking for changes and takes in what comes. You can go on working.',
  'meaning.paused':
    'Somebody here stopped it, for a while or until it is resumed. Nothing is lost: what changes meanwhile comes later.',
  'meaning.offline':
    'No answer came: their computer may be off, asleep or without a network. Footbridge tries again by itself, and nothing is lost.',
  'meaning.awaited': 'Nothing is wrong: it is their turn. As soon as they answer, it goes on by itself.',
  'meaning.connected':
    'You can reach each other, and no list goes either way yet. Share one with them, or take one that they offer.',
  'meaning.unconnected': 'You have no partner yet. Send an invite, or use one that you were given.',
  'meaning.needs-you':
    'Something waits for a decision that only you can make. It stands on Home, with what you can do.',
  'meaning.error':
    'Something does not work, and waiting alone may not help. The sentence beside it says what it is and what to do.',
  'help.invite': 'Invite',
  'meaning.invite':
    'A text that connects you with one partner. It works once, for 24 hours. Whoever gets hold of it can ask in their place, so send it to them only. Nothing is shared until you say yes and tick columns.',
  'help.words': 'The five words',
  'meaning.words':
    'Both computers work them out from the connection itself. If both show the same, nobody stands in between who reads along or passes for the other.',
  'meaning.offered':
    'Lists that your partner lets you see. No row of them comes in until you make a list for it, or match it with one of yours.',
  'help.matching': 'Matching',
  'meaning.matching':
    'Says which column of theirs fills which column of yours. A column without a match does not come in.',
  'help.waiting': 'Waiting for your yes',
  'meaning.identical': 'Compares every row and value that you receive with what the partner has now.',
  'meaning.waiting':
    'What would remove or empty many rows at once is stopped before it happens. Your list stays as it is until you decide. Rows that are removed go to the bin and can be restored.',
} as const;

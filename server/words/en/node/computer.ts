/** About this computer: its address, its disk, its data folder, Footbridge itself. */
export const computer = {
  'reach.open': 'Partners on the network may reach this computer.',
  'reach.only-here':
    'Only this computer can reach Footbridge. Allow partners on the network in the settings; without it you can still accept invites.',
  'reach.unknown-name': 'The name {host} is not known on this network. Correct the address in the settings.',
  'reach.known-as': 'The name {host} leads to {address}.',
  'reach.no-own-address':
    '{address} is no address that this computer can have. Correct the address in the settings.',
  'reach.answers': '{host} answers.',
  'reach.something-else': 'Something else answers at {host} (status {status}). Check the address and port.',
  'reach.answers-encrypted': '{host} answers, and the connection is encrypted.',
  'reach.bad-certificate':
    '{host} answers with a certificate that partners cannot check. Ask whoever looks after your network whether another program answers there, or one in between.',
  'reach.port-open': 'Your router lets partners in at {address}, port {port}.',
  'reach.carrier-nat':
    'Your internet provider has a router of its own in front of yours, so partners can’t call this computer. Use a relay, or let partners invite you.',
  'reach.port-refused':
    'Your router refuses to open a port. Allow UPnP or PCP in its settings, or use a relay.',
  'reach.no-port':
    'No router here opens a port when asked. Allow UPnP or PCP in its settings, or use a relay.',
  'reach.relay-open': 'Partners can reach you through {relay}.',
  'reach.relay-key':
    '{relay} doesn’t accept the key in the address that you pasted. Ask the person who runs the relay for its address, and paste it again.',
  'reach.relay-copy':
    'Another computer with a copy of this office is connected to {relay} in your place. Close Footbridge there.',
  'reach.relay-other':
    'Something else answers in place of {relay}. Check whether this network wants you to sign in, then ask the person who runs the relay for its address.',
  'reach.relay-away':
    'Footbridge isn’t connected to {relay} right now. Check that you’re online, then ask the person who runs the relay.',
  'reach.silent':
    '{host} does not answer. A firewall may be in the way; allow Footbridge in it. Some routers do not let a computer call itself from outside; then ask a partner to try.',

  'disk.error': 'The disk reported an error. Check that it is connected and in order, then try again.',
  'disk.full-here':
    'The disk of this computer is full: nothing can be saved, received or sent until there is room. Make room on it.',
  'disk.not-writable-here':
    'The data folder of this computer cannot be written: nothing can be saved, received or sent. Check that you may change its files and that no other program holds them.',
  'disk.error-here':
    'The disk of this computer reported an error: nothing can be saved, received or sent. Check that it is connected and in order.',
  'disk.no-room-for-file': 'There is not enough room on the disk for this file. Make room, then try again.',
  'disk.full': 'The disk is full. Make room on it; nothing that was saved is lost.',
  'disk.not-writable':
    'The data folder cannot be written. Check that you may change its files and that no other program holds them.',
  'folder.foreign':
    '{folder} belongs to other programs, so Footbridge changed nothing in it. Choose an empty folder or a new one, such as {own}.',
  'disk.no-room-for-backup': 'There is not enough room on the disk for the daily backup. Make room on it.',

  'store.not-closed': 'Footbridge was not closed properly the last time.',
  'store.parts-made-anew': 'The list of the parts of the store was damaged and was made anew.',
  'store.restore-finished':
    'Putting a backup in the place of the data had been interrupted, and was finished at this start. Changes made after that backup are missing. Look through your lists, and enter again what is missing.',
  'store.data-vanished':
    'The data had vanished, and the newest backup took its place. Changes made after that backup are missing. Look through your lists, and enter again what is missing.',
  'store.previous-copy':
    'The previous copy and the diary of all changes since took the place of a damaged file. Nothing is missing.',
  'store.cut-nothing-missing':
    'The computer or the program stopped while a change was being saved. That change was not complete and was left out; everything that had been saved before is there.',
  'store.backup-changes-missing':
    'The newest backup took the place of damaged files. Changes made after that backup are missing. Look through your lists, and enter again what is missing.',
  'store.cut':
    'The computer or the program stopped while a change was being saved. That change was not complete and was left out. Look through your lists, in case more is missing.',
  'store.backup-nothing-missing':
    'The newest backup took the place of damaged files. It holds everything that had been saved.',
  'store.backup-missing':
    'The newest backup took the place of files that were damaged or older than what had been saved. The newest changes are missing, {n} in all. Look through your lists, and enter again what is missing.',
  'store.aside-nothing-missing': 'A damaged file was put aside. Everything that had been saved is there.',
  'store.aside-missing':
    'Files were damaged, or an older copy had taken their place, and they were put aside. The newest changes that had been saved are missing, {n} in all. Look through your lists, and enter again what is missing.',
  'store.older-files':
    'Some files in the data folder are older than others: a copy of them must have been put back. Changes made in between may be missing. Look through your lists, and check with each partner what you share.',
  'store.progress-missing':
    'A file that says how far your data had come is missing or damaged. All other files were taken as they are. Look through your lists, in case some of them are older than they should be.',
  'store.aside-cut':
    'A damaged file was put aside. What stands in front of the damage was kept; the last changes may be missing. Look through your lists, and enter again what is missing.',
  'store.taken-over':
    'The data of an older version of Footbridge was taken over. The old files stay for now.',
  'list.unreadable':
    'This list’s file is damaged, so its rows can’t be loaded. Open the list to recover what can still be read. Other lists aren’t affected.',
  'list.salvaged-name': '{list} (recovered)',
  'list.nothing-salvaged': 'No rows can be recovered from the files of this list. Restore a backup instead.',
  'store.renamed':
    'The newest file with its rows is not there under its name, but “{found}” lies beside it and belongs to it: a cloud drive, or somebody, must have renamed it. Nothing of it can be read until it has its name back; everything else goes on. Close Footbridge, look into the folder “store” of the data folder, and rename “{found}” to “{name}”; if something has that name, move that elsewhere first. To go on without it, move “{found}” elsewhere. Then start again.',
  'store.unreadable':
    'Its file is damaged or missing, and there’s no backup of it in this data folder. All other lists work. If you have a good copy, close Footbridge, put the copy back or restore a backup, and start again. Otherwise, recover the rows that can still be read.',
  'store.unreadable-of':
    'Its file with {n} saved changes is damaged or missing, and there’s no backup of it in this data folder. All other lists work. If you have a good copy, close Footbridge, put the copy back or restore a backup, and start again. Otherwise, recover the rows that can still be read.',
  'secrets.lost':
    'What this partner is called with cannot be opened any more: the key of this data folder is missing, damaged or another one than it was. Pair again: make a new invite for this partner, or ask them for one.',
  'secrets.lost-partner':
    '{partner} can no longer be reached: the key that opens what they are called with is missing, damaged or another one than it was. Pair again; lists, columns and rows stay as they are.',
  'store.stray':
    'The folder “{folder}” lies among the data of this office, though Footbridge did not make it; it may be a copy that somebody made. It was left alone. Put it somewhere else.',
  'store.missing':
    'The data of this office is missing: the folder “store” in {folder} is gone or empty, though Footbridge was used there, and there is no good backup of it. Put that folder back, or a backup from elsewhere. To begin anew with an empty office, choose another data folder.',
  'store.list-recovered': {
    one: 'How this list was set up had got lost, but its row was there. It was made again around it. Look through its columns and give it its name; it is shared with nobody.',
    other:
      'How this list was set up had got lost, but its {n} rows were there. It was made again around them. Look through its columns and give it its name; it is shared with nobody.',
  },
  'store.newer-version':
    'The data folder was written by a newer version of Footbridge. Install that version or a later one.',
  'store.database-away':
    'What this office has saved cannot be reached just now. Nothing is lost; it is tried again until it can. If it stays so, ask whoever looks after the computers of this office.',
  'store.left':
    'This office has moved to {to} and is used there. Open it there; what lies here is as it was when it left.',
  'store.leaving':
    'This office is on its way to {to} and is not whole there yet. Ask whoever moves it to call “footbridge move” once more; until then nobody can use it.',
  'store.arriving':
    'An office is on its way here from {from} and is not whole here yet. Ask whoever moves it to call “footbridge move” once more; until then nobody can use it.',

  'backup.too-large': 'A backup may have at most {most} MB. Choose another file.',
  'backup.gone': 'This backup was already downloaded, or waited for too long. Save it once more.',
  'backup.not-whole': 'The file did not arrive whole. Try again.',
  'backup.changed': 'The backup file changed while it was read. Try again.',
  'backup.damaged': 'This backup file is damaged or not complete. Choose another one.',
  'backup.unusable':
    'Footbridge cannot work with what is in this backup file. Everything stays as it was. Choose another one. (Reason: {reason})',
  'backup.foreign': 'This file is not a backup of Footbridge. Choose another one.',

  'memory.full':
    'The rows in all lists take up the memory that Footbridge may use on this computer. Remove lists or rows that you do not need, or pause the partner that sends so many.',

  'node.closing': 'Footbridge is closing. Start it again, then try again.',
  'node.unexpected':
    'Something went wrong in Footbridge. Try again; if it stays so, save a support file in the settings and ask for help.',

  'window.own-link': 'Open the window by its own link.',

  'request.another-list':
    'Another list is being fetched, and its rows are not confirmed yet. Ask again in a minute.',
  'request.stalled': 'The upload stopped halfway. Check the connection, then send the file again.',
  'request.too-large': 'This is larger than Footbridge takes. Split it, or shorten it.',
} as const;

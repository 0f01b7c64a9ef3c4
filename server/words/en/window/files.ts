/** Files on this computer that lists are kept as in, and copies of lists. */
export const files = {
  'files.title': 'Files on this computer',
  'files.of': 'Files of “{list}”',
  'files.watched': 'Follow a file',
  'files.watched-hint':
    'Changes in the file appear here a few seconds after you save it. Rows removed from the file go to the bin, for a CSV file about ten seconds later. If many rows are gone, you’re asked first. What you change here stays until the same cell changes in the file.',
  'files.path-open': 'File or folder',
  'files.path-open-hint':
    'Full path of an xlsx, ods or CSV file. For a folder, the newest table in it is read.',
  'files.path-save': 'File',
  'files.path-save-hint': 'Full path of a file that ends in .xlsx or .csv.',
  'files.path-example': '/home/office/Customers.xlsx',
  'files.choose-file': 'Choose a file…',
  'files.choose-folder': 'Choose a folder…',
  'files.choose-copy': 'Choose a place…',
  'files.choose-key': 'Choose a column',
  'files.key-hint':
    'A column that is different in every row, such as a number, or several columns that are unique together. If you choose none, Footbridge looks for one in the file.',
  'files.would': 'Following it will first:',
  'files.rejected-hint':
    'Correct them in the file and save it: Footbridge reads it again. The other lines aren’t affected.',
  'files.look': 'Check the file',
  'files.begin-watched': 'Follow this file',
  'files.end-watched': 'Stop following',
  'files.read': 'Read',
  'files.sums': {
    one: 'Left out, as it looks like a total or a footer: {lines}',
    other: 'Left out, as they look like totals or footers: {lines}',
  },
  'files.removed': { one: '{n} row to the bin', other: '{n} rows to the bin' },
  'files.waiting': {
    one: '{n} row is no longer in the file. Move it to the bin?',
    other: '{n} rows are no longer in the file. Move them to the bin?',
  },
  'files.let-go': { one: 'Move {n} row to the bin', other: 'Move {n} rows to the bin' },
  'files.emptied': {
    one: '1 row has lost values in the file. Empty them here too?',
    other: '{n} rows have lost values in the file. Empty them here too?',
  },
  'files.as-there': 'Change it here too',
  'files.as-here': 'Keep my values',
  'files.keep-here': 'Keep them',
  'files.doubts-hint':
    'The file has changed and can be read in more than one way. Nothing goes in until you choose.',
  'files.use-answers': 'Use these answers',
  'files.not-read-yet': 'Reading the file for the first time …',
  'files.by-key': 'Rows are found by: {columns}',
  'files.copy': 'A copy for the spreadsheet',
  'files.copy-hint':
    'Footbridge rewrites this file whenever the list changes. Changes you make in it are lost.',
  'files.written': 'Written',
  'files.begin-copy': 'Write the copy',
  'files.end-copy': 'Stop the copy',
  'files.replace-title': 'Replace the file?',
  'files.replace': 'Replace it',
  'files.replace-text': 'This file already exists. Its contents will be lost.',
} as const;

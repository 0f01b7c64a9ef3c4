/** Files on this computer that lists are kept as in, and copies of lists. */
export const files = {
  'files.title': 'Files on this computer',
  'files.of': 'Files of “{list}”',
  'files.watched': 'Keep this list as in a file',
  'files.watched-hint':
    'What changes in the file changes here, a few seconds after it was saved. Rows that are no longer in the file go into the bin, with a CSV file some ten seconds later; very many only with your yes. What you change here stays until the same cell changes in the file.',
  'files.path-open': 'File or folder',
  'files.path-open-hint':
    'xlsx, ods or CSV, with its whole path. Of a folder the table that was changed last is read.',
  'files.path-save': 'File',
  'files.path-save-hint': 'The whole path of a file that ends in .xlsx or .csv.',
  'files.path-example': '/home/office/Customers.xlsx',
  'files.choose-file': 'Choose a file…',
  'files.choose-folder': 'Choose a folder…',
  'files.choose-copy': 'Choose a place…',
  'files.choose-key': 'Choose a column',
  'files.key-hint':
    'A column that is different in every row, such as a number, or several that are so together. Without one, the file is looked at for them.',
  'files.would': 'Following it will at first:',
  'files.rejected-hint':
    'Correct them in the file; once it is saved, it is read by itself. The other lines are not affected.',
  'files.look': 'Look at the file',
  'files.begin-watched': 'Keep the list so from now on',
  'files.end-watched': 'Stop following the file',
  'files.read': 'Read',
  'files.sums': {
    one: 'Left out, as it looks like a sum of others: {lines}',
    other: 'Left out, as they look like sums of others: {lines}',
  },
  'files.removed': { one: '{n} row into the bin', other: '{n} rows into the bin' },
  'files.waiting': {
    one: '{n} row is not in the file any more. Shall it go into the bin?',
    other: '{n} rows are not in the file any more. Shall they go into the bin?',
  },
  'files.let-go': { one: 'Put {n} row into the bin', other: 'Put {n} rows into the bin' },
  'files.emptied': {
    one: 'In the file 1 row has lost values. Shall it lose them here as well?',
    other: 'In the file {n} rows have lost values. Shall they lose them here as well?',
  },
  'files.as-there': 'Make it so here as well',
  'files.as-here': 'Keep it as it is here',
  'files.keep-here': 'Keep them here',
  'files.not-read-yet': 'It is being read for the first time.',
  'files.by-key': 'Rows are found by: {columns}',
  'files.copy': 'A copy for the spreadsheet',
  'files.copy-hint':
    'A file that is written anew whenever this list has changed. What is changed in it is lost with the next writing.',
  'files.written': 'Written',
  'files.begin-copy': 'Write the copy',
  'files.end-copy': 'Stop writing the copy',
  'files.replace-title': 'Replace the file?',
  'files.replace': 'Replace it',
  'files.replace-text': 'This file is there already. What is in it is lost.',
} as const;

/** About lists, their columns, rows and values, and about files that are imported and exported. */
export const lists = {
  'list.unknown-number': 'There is no list with the number {number}. Choose another list.',
  'list.other-workspace': 'The list is not in that workspace. Choose another one.',
  'list.no-columns': 'A list needs at least one column. Add one.',
  'list.too-many-columns': 'A list takes at most {most} columns. Remove some.',
  'list.unknown-column': 'This list has no column with the number {number} any more. Open the list again.',
  'list.column-twice': 'There are two columns named “{column}”. Rename one of them.',
  'list.gone': 'This list is not here any more. Look for it under Lists.',
  'list.not-in-bin': 'This list is no longer in the bin. Look among your lists: it may have been restored.',
  'list.column-not-in-bin':
    'This column is no longer in the bin. Look at the list: it may have been restored.',
  'bin.admin': 'Only an administrator can delete for good. Ask one, or leave it in the bin.',
  'undo.none': 'There is nothing to undo here. Go on working.',
  'undo.matching-gone':
    'None of the matched columns are there any more. Restore one of them, or match the list again.',
  'undo.too-large': {
    one: 'This step wrote {n} row and is too large to undo. Restore a backup if you need what was before.',
    other: 'This step wrote {n} rows and is too large to undo. Restore a backup if you need what was before.',
  },
  'list.too-many': 'At most {most} lists are possible. Delete one first.',
  'list.name-taken': 'There is a list “{list}” in this workspace already. Choose another name.',
  'list.bad-handle':
    '“{name}” cannot be a short name: use 2 to {most} letters, digits, _, - or ., starting with a letter.',
  'list.bad-column-name':
    '“{name}” cannot be a column’s name: use 2 to {most} letters, digits, _ or -, starting with a letter.',
  'list.bad-title': 'The name of a list has 1 to {most} characters. Choose another name.',
  'list.bad-column-title': 'The name of a column has 1 to {most} characters. Choose another name.',
  'list.value-in-column': '“{value}” in {column} {problem}',
  'list.value-in-the-way': 'The column cannot be changed: {value}. Change this value first.',
  'list.values-in-the-way':
    'The column cannot be changed: {value}, and {more} more do not fit either. Change these values first.',
  'list.several-values': 'are several values',

  'workspace.bad-title': 'The name of a workspace has 1 to {most} characters. Choose another name.',
  'workspace.too-many': 'At most {most} workspaces are possible. Remove one first.',
  'workspace.name-taken': 'There is a workspace “{name}” already. Choose another name.',
  'workspace.unknown': 'There is no such workspace. Choose another one.',
  'workspace.not-empty': 'There are still {lists} lists in this workspace. Remove them first.',

  'row.values-gone': 'The values of this row are gone; it cannot come back. Add it as a new row.',
  'row.unknown': 'There is no row {number} in this list any more. Open the list again.',
  'row.in-bin': 'This row is in the bin. Restore it before changing it.',

  'data.stale': 'Somebody else changed this. Open it again, then repeat your change.',

  'search.too-much-work': 'This search looks at too much text. Use fewer or shorter words.',

  'value.no-such-column': 'there is no column “{column}” in this list; open the list again',
  'value.required': '{column} must not be empty; fill it in',
  'value.and-more': '{problems}. And {more} more.',
  'value.of-column': '{column}: “{value}” {problem}',
  'value.only-one': '{column} takes one value, not {values}; remove the others',
  'value.no-email': 'is no email address; write it like name@example.org',
  'value.no-web-address': 'is no web address; write it like https://example.org',
  'value.bad-scheme':
    'starts with {scheme}, which is not allowed in a web address; write it like https://example.org',
  'value.no-bool': 'is neither yes nor no; write yes or no',
  'value.too-long': 'is longer than 1 MB; shorten it',
  'value.like-an-id':
    'is a bare number of 15 to 20 digits and would stand for one of your rows; remove it first',
  'value.no-choice': 'is not among the choices; choose one of these: {choices}',
  'value.no-date': 'is no date; write it as YYYY-MM-DD',
  'value.no-time': 'is no time of day; write it as HH:MM',
  'value.no-date-time': 'is no date and time; write it as YYYY-MM-DD HH:MM',
  'value.no-year': 'is no date and time between the years 1 and 9999; correct the year',
  'value.no-place': 'is no place; write latitude and longitude, like 46.05, 14.5',
  'value.too-many-digits': 'has more than {most} digits; shorten it',
  'value.no-number': 'is no number; write digits with a point, like 1234.50',
  'value.percent': 'is a percentage; show the column as percent first, or write 0.12 for 12 %',
  'value.other-unit': 'stands in another unit than the column, which shows {unit}; write it in that one',
  'value.two-numbers':
    'can be read as two different numbers, or stands beside other currencies; write digits with a point, like 1234.50',
  'value.in-brackets': 'can be −{number} or a remark; write it without brackets',
  'value.bare-percent': 'can be {percent} or {number}; write it with its percent sign',

  'reading.memory':
    'Footbridge ran out of memory while it read this file. Split the file into smaller ones, or save the sheet that you need as CSV.',
  'reading.time':
    'Reading this file took too long and was stopped. Split the file into smaller ones, or save the sheet that you need as CSV.',
  'reading.crash':
    'This file stopped the reader. Save it again from your spreadsheet, or as CSV, and import that file.',
  'sheet.broken':
    'This file cannot be read as a workbook. Save it once more as xlsx from your spreadsheet and take that file.',
  'sheet.too-large':
    'There is more in this workbook than can be read. Save the sheet that you need as CSV and take that file.',
  'sheet.other':
    'This is an archive, but no workbook. Save the list as xlsx, ods or CSV from your spreadsheet and take that file.',
  'sheet.password':
    'This workbook is protected by a password. Open it in your spreadsheet program, save a copy without a password, and import that.',
  'sheet.old':
    'This is a workbook of an old kind, or one with a password. Save it as xlsx without a password and take that file.',
  'sheet.no-such': 'There is no sheet “{sheet}” in this workbook. Choose another one.',
  'sheet.too-long-text':
    'Column “{column}” has a text that is longer than a cell can be. Save the list as CSV.',
  'csv.no-text': 'This isn’t a spreadsheet. Choose an .xlsx, .ods or .csv file.',
  'csv.unknown-encoding': 'Letters cannot be read as “{encoding}”. Choose another way to read them.',
  'csv.no-such-column': 'There is no column “{column}”. Choose another one.',
  'csv.too-large': 'A file may have at most 64 MB. Split it into several files.',
  'csv.empty': 'This file is empty: it has no line with column names. Choose one with column names and data.',
  'csv.too-many-columns':
    'The file has {columns} columns, and {most} can be looked at. Choose another separator, or another file.',
  'csv.nameless-column': 'Column {number}',
  'csv.bad-separator': 'Columns are separated by one character, such as a comma or a semicolon. Choose one.',
  'csv.bad-header':
    'Line {line}, with the names of columns, cannot be read. Correct it in the file. {reason}',
  'csv.too-many-values': 'The line has {values} values for only {columns} columns.',
  'csv.too-few-values': 'The line has only {values} values for {columns} columns.',
  'csv.too-long':
    'The line is longer than a million characters. Line breaks may be missing in the file: export it again.',
  'csv.open-quote': 'A quotation mark is never closed.',
  'csv.too-many-open-quotes':
    'From here on the file was not read: too many quotation marks are never closed.',
  'csv.after-quote': 'Text follows a closing quotation mark; quotation marks inside a value must be doubled.',

  'import.unreadable':
    'Some letters in these lines can’t be read as {encoding} and come in as �: {lines}. Choose how the file was saved, or correct the letters in the file.',
  'import.mixed':
    'Shown partly as percent or with a currency, or with several: {columns}. The numbers come in, what stands beside them does not.',
  'import.without-signs': 'What stands beside the numbers does not come in: {columns}.',
  'import.as-percent': 'These columns show percent, and 0.12 in the file becomes 12 %: {columns}.',
  'import.which-list': 'Say into which list: ?list=<name> or ?moduleID=<id>.',
  'import.empty': 'This file is empty. Choose one with column names and data.',
  'import.cut-by': '{why} Of the file, the lines up to {line} are in the list.',
  'import.nothing-went-in':
    'Nothing of the file could go in, so no list was made. Line {line}: {reason} Choose another kind for that column, or correct the file.',
  'import.nothing-fits':
    'No column of the file fits a column of “{list}”. Match at least one, or make a new list.',
  'import.key-not-in-both':
    '“{column}” is no column of both the file and “{list}”. Choose another column to find rows by.',
  'import.key-remembered':
    'The last import found rows by “{columns}”; this file doesn’t have all of them. Choose the columns to find rows by, or none.',
  'import.key-several-values':
    '“{column}” takes several values, so no row can be found by it. Choose another column to find rows by.',
  'import.key-empty': '{column} is empty, so that no row can be found by it.',
  'import.key-ambiguous':
    'Several rows of the list have {column} “{value}”. Delete all but one of them in the list.',
  'import.key-again': '{column} “{value}” came in an earlier line already.',
  'cells.column-gone':
    'A column that this is meant for is not in “{list}” any more. Open the list again, then try once more.',
  'cells.too-many-values': '“{column}” takes at most {most} values in a cell. Split the cell.',
  'import.refers-nowhere':
    'It is not settled to which list “{column}” refers. Choose one under “Name and columns”, or leave this column out.',
  'import.no-row-called':
    '{column}: no row of “{list}” is called “{value}”; add it there or correct the file',
  'import.several-rows-called':
    '{column}: several rows of “{list}” are called “{value}”; give them different names there or correct the file',
  'import.which-refers': 'Choose the list whose rows “{column}” names, or another kind of column.',
  'import.filled-twice': 'Two columns of the file go into “{column}”. Choose another place for one of them.',
  'import.matched-with-none':
    '“{column}” is matched with “{target}”, which is no column. Choose another one.',

  'view.unknown': 'This view is there no more. Choose another one, or all rows.',
  'view.no-name': 'Give the view a name that can be seen.',
  'view.name-taken': 'There is a view called “{name}” already. Choose another name.',
  'view.too-many': 'A list has at most {most} views. Delete one first.',
  'view.no-column': 'The list does not have this column any more. Choose another one for the view.',

  'watched.path': 'Give the whole path of the file on this computer, from its beginning.',
  'watched.too-long': 'A name in this path is too long. Choose a shorter one.',
  'watched.no-way':
    'There is no way to “{file}”: something on the path is no folder, or this computer may not open it. Choose another place.',
  'watched.unseen':
    'The path has characters in it that nobody sees, by which one name can look like another. Choose another name.',
  'watched.no-answer':
    'The drive of “{file}” does not answer. Connect it again; then the file is read by itself.',
  'watched.none-asked':
    'Several drives do not answer. Connect them again: no other is asked until one answers, and “{file}” waits for that.',
  'watched.gone':
    '“{file}” is not in its folder at present. It is read again once it is back; if it was renamed, choose it anew.',
  'watched.folder-away':
    '“{file}” cannot be reached: the folder {folder} is not there. Connect its drive, or choose the file anew.',
  'watched.empty-folder':
    'There is no table in the folder “{folder}” yet. Once there is, the newest one is read by itself.',
  'watched.full-folder':
    'There are more than {most} files in the folder “{folder}”. Choose one with fewer, or the table itself.',
  'watched.locked':
    '“{file}” cannot be read: another program holds it, or this computer may not read it. Close it there; it is tried again.',
  'watched.not-read': '“{file}” cannot be read at present ({code}). It is tried again.',
  'watched.no-file': '“{file}” is no file that can be read. Choose a table.',
  'watched.empty': '“{file}” is empty. Once something stands in it, it is read by itself.',
  'watched.being-written': '“{file}” is being written. Once that is over, it is read by itself.',
  'watched.none-there': 'There is no file “{file}” in this folder. Look at how its name is written.',
  'watched.none-in-folder':
    'There is no table in the folder “{folder}”. Choose another one, or put a table there first.',
  'watched.locked-now':
    '“{file}” cannot be read: another program holds it, or this computer may not read it. Close it there, and look again.',
  'watched.not-read-now': '“{file}” cannot be read at present ({code}). Look again a little later.',
  'watched.empty-now': '“{file}” is empty. Choose a file with a table in it.',
  'watched.written-now': '“{file}” is being written at this moment. Look again once that is over.',
  'watched.no-answer-now': 'The drive of “{file}” does not answer. Look again once it does.',
  'watched.key-gone':
    'A column that rows are found by is not in this list any more. Choose the file anew, with another column.',
  'watched.no-key':
    'Choose the column that tells the rows of the file apart, such as a number of each row, or several that do so together.',
  'watched.too-many': 'At most {most} lists can be kept as in files. Stop one first.',
  'watched.others-wait': 'The file has changed since. Look once more at what would go.',
  'watched.elsewhere': 'The way to “{file}” leads somewhere else by now. Choose the place anew.',
  'watched.a-copy':
    'A copy of a list is written to “{file}”, or into it. Choose another file or folder to follow.',
  'watched.newest-gone':
    'The table of “{folder}” that was read last is gone, and the others are older. Put it back, or choose the folder anew to go by what is there.',
  'watched.column-gone':
    'In “{file}” there is no column {columns} any more. Give it its name back, or choose the file anew.',
  'watched.in-doubt':
    '“{file}” can now be read in more than one way, so nothing was taken from it. Open the list’s files and check the guesses.',
  'watched.unsure': {
    one: 'In “{file}” 1 line cannot be read, so that nothing goes into the bin because of it. Correct it there.',
    other:
      'In “{file}” {n} lines cannot be read, so that nothing goes into the bin because of it. Correct them there.',
  },
  'watched.rejected': {
    one: 'In “{file}” 1 line cannot go in. Look at it, and correct it there.',
    other: 'In “{file}” {n} lines cannot go in. Look at them, and correct them there.',
  },
  'copy.a-source': 'A list is kept as in “{file}”, or as in its folder. Choose another place for the copy.',
  'copy.of-another': '“{file}” is the copy of another list. Choose another name.',
  'copy.kind': 'A copy for the spreadsheet ends in .xlsx or .csv. Choose such a name.',
  'copy.reserved': 'Windows keeps the name “{file}” for something else than a file. Choose another name.',
  'copy.there-already':
    'There is a file “{file}” already. Choose another name, or say that it may be replaced.',
  'copy.inside': 'A copy cannot lie among Footbridge’s own data. Choose another folder.',
  'copy.no-folder': 'There is no folder {folder} at present. Connect its drive, or choose another folder.',
  'copy.no-answer':
    'The drive of “{file}” does not answer. Connect it again; then the copy is written by itself.',
  'copy.locked':
    '“{file}” cannot be replaced: another program has it open, or this computer may not write it. Close it there; it is tried again.',
  'copy.not-written': '“{file}” cannot be written at present ({code}). It is tried again.',
  'copy.full': 'There is no room for “{file}”. Make room on that drive; it is tried again.',
  'copy.locked-now':
    '“{file}” cannot be replaced: another program has it open, or this computer may not write it. Close it there, and try again.',
  'copy.not-written-now':
    '“{file}” cannot be written at present ({code}). Try again a little later, or choose another place.',
  'copy.full-now': 'There is no room for “{file}”. Make room on that drive, or choose another one.',
  'copy.too-many': 'At most {most} lists can have a copy. Stop one first.',
} as const;

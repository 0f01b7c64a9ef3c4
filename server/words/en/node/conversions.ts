/** What becomes of values between columns of different kinds. */
export const conversions = {
  'conversion.as-text': 'Taken over as text.',
  'conversion.as-text-but-ids':
    'Taken over as text; a bare number of 15 to 20 digits is left out, as it would stand for one of your rows.',
  'conversion.impossible': 'These kinds have nothing in common. Choose another column.',
  'conversion.numbers': 'Only texts that are plain numbers, like 1234.50, are taken; other rows wait.',
  'conversion.dates': 'Only texts like 2031-05-09 or 2031-05-09T14:30:00Z are taken; other rows wait.',
  'conversion.bools': 'Only yes, no, true, false, 1 and 0 are taken; other rows wait.',
  'conversion.digits': 'Only 1 and 0 are taken; other rows wait.',
  'conversion.emails': 'Only email addresses are taken; other rows wait.',
  'conversion.urls': 'Only web addresses are taken; other rows wait.',
  'conversion.places': 'Only texts like 46.05, 14.5 are taken; other rows wait.',
  'conversion.choices': 'Only values that your column offers as choices are taken; other rows wait.',
  'conversion.day-only': 'The day is taken, and a time of day with it is left out; rows without a day wait.',
  'conversion.time-only': 'Only times of day like 14:30 are taken; other rows wait.',
  'conversion.bool-to-number': 'Yes becomes 1, no stays empty.',
  'conversion.email-to-link': 'The address becomes a link that writes an email.',
  'conversion.link-to-email': 'Only links that write an email are taken, as the address; other rows wait.',
  'conversion.names-followed':
    'Names are taken over as text; a bare internal number becomes what that row is called here, once it has arrived as well, and is left out until then.',
  'conversion.names':
    'Names are taken over as text; a bare internal number of the partner’s program is left out.',
  'conversion.joined': 'Several values come together in one text, with commas.',
  'conversion.one-only': 'Rows with more than one value wait, as your column holds one.',
  'conversion.cannot-hold': 'cannot hold what comes from a column of the kind {kind}',
  'conversion.too-many': 'holds one value, and {values} came',
  'conversion.problem': '“{column}” {problem}.',
  'row.names-unreadable':
    'It names a row of a list whose file is damaged. Look at Home for what can be done; the row changes once that list can be read again.',
  'conversion.required': '“{column}” must be filled, and came empty.',

  'kind.text': 'text',
  'kind.number': 'number',
  'kind.date-time': 'date and time',
  'kind.bool': 'yes or no',
  'kind.choice': 'choice',
  'kind.email': 'email address',
  'kind.url': 'web address',
  'kind.person': 'person',
  'kind.row': 'row of another list',
  'kind.file': 'file',
  'kind.place': 'place on the map',
} as const;

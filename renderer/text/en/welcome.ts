/** The first run. */
export const welcome = {
  'welcome.title': 'Welcome to Footbridge',
  'welcome.text':
    'Share chosen columns of chosen lists with another office. No cloud, nothing to administer.',
  'welcome.steps': 'First steps',
  'welcome.step': 'Step {n} of {all}',
  'welcome.step.office': 'Your office',
  'welcome.step.network': 'Being reached',
  'welcome.step.lists': 'A list',
  'welcome.step.partner': 'A partner',
  'welcome.office': 'What is your office called?',
  'welcome.office-hint': 'Partners see this name. You can change it later.',
  'welcome.office-placeholder': 'For example: Harbour Street office',
  'welcome.network': 'May partners reach this computer over the network?',
  'welcome.network-hint':
    'One of the two computers has to be reachable by the other: the one whose invite is used. Partners get only what you share with them; everyone else is refused.',
  'welcome.network-yes': 'Yes, partners may reach this computer',
  'welcome.network-no': 'No, only I reach out to partners',
  'welcome.network-no-hint': 'You can use the invites of others. You can change this at any time.',
  'welcome.lists': 'Which list do you want to start with?',
  'welcome.lists-hint':
    'You need one only if you want to share something. What partners share with you comes by itself.',
  'welcome.lists-made': { one: '“{list}” is there with {n} row.', other: '“{list}” is there with {n} rows.' },
  'welcome.partner': 'Connect with your first partner',
  'welcome.partner-hint': 'One of you invites, the other pastes the invite.',
  'welcome.partner-asked': 'Your partner has been asked. As soon as they approve, you are connected.',
  'welcome.later': 'Later',
  'welcome.finish': 'Finish',
  'welcome.close': 'Close the first steps',
} as const;

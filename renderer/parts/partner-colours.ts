import type { PartnerColour } from '../../server/contract/app/overview.ts';

/** The colours to choose from. They stand here again, as the contract's own list would bring its checks along. */
export const PARTNER_COLOURS: readonly PartnerColour[] = [
  'plum',
  'sky',
  'brick',
  'pine',
  'rose',
  'indigo',
  'moss',
  'sun',
];

import type { Overview, State } from '../../server/contract/app/overview.ts';
import { cut, formatMoment } from '../window/display-text.ts';
import type { Speech } from '../text/speech.ts';

/** What the tray needs of the overview that the node gives; times are ISO 8601. */
export type TrayInput = Pick<Overview, 'state' | 'reason' | 'lastSuccessAt' | 'awaited'> & {
  readonly partners: readonly Pick<
    Overview['partners'][number],
    'nodeID' | 'name' | 'state' | 'reason' | 'pausedUntil' | 'awaited'
  >[];
};

/** Windows shows no more of a tooltip than this. */
const TOOLTIP_LIMIT = 127;
const LINE_LIMIT = 80;

/** Until when everything is paused; undefined where something runs, or where no time was given. */
function pausedUntil(input: TrayInput): number | undefined {
  const ends = input.partners.map((partner) => Date.parse(partner.pausedUntil ?? ''));
  const end = Math.min(...ends);
  return input.state === 'paused' && Number.isFinite(end) ? end : undefined;
}

/** The word for how something stands, the same as in the window. */
export const standing = ({ state, awaited }: Pick<TrayInput, 'state' | 'awaited'>, { t }: Speech): string =>
  t(awaited ? 'state.awaited' : `state.${state}`);

/** The first line of the tray menu: state and reason, or until when it is paused. */
export function statusLine(input: TrayInput, now: number, speech: Speech): string {
  const end = pausedUntil(input);
  if (end !== undefined) return speech.t('tray.paused-until', { moment: formatMoment(end, now, speech) });
  // Where there is nobody to be connected with, nothing is off: the reason says what there is.
  if (input.partners.length === 0 && input.state === 'offline' && input.reason !== '')
    return cut(input.reason, LINE_LIMIT);
  const words = standing(input, speech);
  return cut(input.reason === '' ? words : `${words}: ${input.reason}`, LINE_LIMIT);
}

/** What the pointer over the icon says: name, state with reason, last success. */
export function tooltip(input: TrayInput, now: number, speech: Speech): string {
  const last =
    input.lastSuccessAt === undefined
      ? ''
      : speech.t('tray.last-sync', { moment: formatMoment(Date.parse(input.lastSuccessAt), now, speech) });
  const room = TOOLTIP_LIMIT - 'Footbridge\n\n'.length - last.length;
  return ['Footbridge', cut(statusLine(input, now, speech), room), last].filter(Boolean).join('\n');
}

/** The file of the picture for a state, inside the icons' folder; Electron finds the sharper ones beside it. */
export function trayPicture(state: State, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return `tray/${state}Template.png`;
  return platform === 'linux' ? `tray/${state}-24.png` : `tray/${state}.png`;
}

import type { Overview, State } from '../../server/contract/app/overview.ts';
import { oneLine, formatMoment } from '../window/display-text.ts';
import type { Translation } from '../text/i18n.ts';

export type TrayInput = Pick<Overview, 'state' | 'reason' | 'lastSuccessAt' | 'awaited'> & {
  readonly partners: readonly Pick<
    Overview['partners'][number],
    'nodeID' | 'name' | 'state' | 'reason' | 'pausedUntil' | 'awaited'
  >[];
};

/** Windows cuts tooltips here. */
const TOOLTIP_LIMIT = 127;
const LINE_LIMIT = 80;

/**
 * Returns the earliest end of a pause in milliseconds; undefined unless everything is paused and each pause has an
 * end.
 */
function pausedUntil(input: TrayInput): number | undefined {
  const ends = input.partners.map((partner) => Date.parse(partner.pausedUntil ?? ''));
  const end = Math.min(...ends);
  return input.state === 'paused' && Number.isFinite(end) ? end : undefined;
}

/** Returns a state's word, as in the window; `awaited` has its own. */
export const stateText = (
  { state, awaited }: Pick<TrayInput, 'state' | 'awaited'>,
  { t }: Translation,
): string => t(awaited ? 'state.awaited' : `state.${state}`);

/**
 * Returns the tray menu's first line, at most 80 characters: state and reason, the reason alone if offline without
 * partners, or until when everything is paused.
 */
export function statusLine(input: TrayInput, now: number, speech: Translation): string {
  const end = pausedUntil(input);
  if (end !== undefined) return speech.t('tray.paused-until', { moment: formatMoment(end, now, speech) });
  // Without partners nothing is off: the reason says what there is.
  if (input.partners.length === 0 && input.state === 'offline' && input.reason !== '')
    return oneLine(input.reason, LINE_LIMIT);
  const words = stateText(input, speech);
  return oneLine(input.reason === '' ? words : `${words}: ${input.reason}`, LINE_LIMIT);
}

/** Returns the icon's tooltip: name, state and reason, last sync; at most 127 characters, where Windows cuts it. */
export function tooltip(input: TrayInput, now: number, speech: Translation): string {
  const last =
    input.lastSuccessAt === undefined
      ? ''
      : speech.t('tray.last-sync', { moment: formatMoment(Date.parse(input.lastSuccessAt), now, speech) });
  const room = TOOLTIP_LIMIT - 'Footbridge\n\n'.length - last.length;
  return ['Footbridge', oneLine(statusLine(input, now, speech), room), last].filter(Boolean).join('\n');
}

/** Returns the path of a state's picture in the icons' folder; Electron finds sharper ones beside it. */
export function trayPicture(state: State, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return `tray/${state}Template.png`;
  return platform === 'linux' ? `tray/${state}-24.png` : `tray/${state}.png`;
}

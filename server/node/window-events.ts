import { activityEntry } from '../app/activity.ts';
import type { Settings } from '../contract/app/settings.ts';
import type { EventStream } from '../http/listeners/event-stream.ts';
import { english } from '../words/said.ts';
import type { PartsOptions } from './parts.ts';

/**
 * Returns all services' event handlers: they tell the windows, and pass changed settings, changed rows and new lists to
 * the callbacks.
 */
export const createWindowEvents = (
  stream: Pick<EventStream, 'send'>,
  settingsChanged: (settings: Settings) => void,
  { rowsChanged, listCreated }: { readonly rowsChanged: () => void; readonly listCreated: () => void },
): PartsOptions['events'] => ({
  federation: ({ nodeID }) => stream.send({ type: 'partner', nodeID }),
  lists: (change) => {
    if (change.kind !== 'rows') stream.send({ type: 'lists' });
    else rowsChanged();
    if (change.kind === 'list' && change.change === 'created') listCreated();
    if (change.kind === 'rows') stream.send({ type: 'list', moduleID: change.moduleID });
    else if (change.kind === 'list') stream.send({ type: 'list', moduleID: change.module.moduleID });
  },
  listFile: (moduleID) => {
    stream.send({ type: 'list', moduleID });
    stream.send({ type: 'overview' });
  },
  views: (moduleID) => stream.send({ type: 'views', moduleID }),
  settings: (settings) => {
    stream.send({ type: 'settings' });
    settingsChanged(settings);
  },
  stranger: () => stream.send({ type: 'overview' }),
  served: (nodeID) => stream.send({ type: 'partner', nodeID }),
  onStatus: (nodeID) => stream.send({ type: 'partner', nodeID }),
  onProgress: (progress) => stream.send({ type: 'progress', progress: { ...progress } }),
  onActivity: (activity) => stream.send({ type: 'activity', activity: activityEntry(activity, english) }),
});

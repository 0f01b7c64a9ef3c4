import type { DemoField, Office } from '../../../server/commands/demo-office.ts';
import type { AppCall } from '../harness/calls.ts';
import { appCalls, officeOf, serveBuilt, type Served } from '../harness/program.ts';

/** A window with something particular to show: where it is served, and the addresses worth a look. */
export interface Scene {
  readonly name: string;
  readonly served: Served;
  readonly app: AppCall;
  readonly places: Readonly<Record<string, string>>;
}

/** An office of the built app with both ways to drive it: as a script would, and as its window does. */
export interface Opened {
  readonly served: Served;
  readonly office: Office;
  readonly app: AppCall;
}

/** Opens offices, and takes all of them down again. */
export interface Stage {
  open(label: string): Promise<Opened>;
  clear(): Promise<void>;
}

export function openStage(): Stage {
  const running: Served[] = [];
  return {
    async open(label) {
      const served = await serveBuilt({ args: ['--label', label] });
      running.push(served);
      return { served, office: await officeOf(served, label), app: appCalls(served) };
    },
    async clear() {
      await Promise.all(running.map((served) => served.remove()));
    },
  };
}

/** The places that every office has, whatever is in it. */
export const COMMON = { home: '#/', partners: '#/partners', lists: '#/lists' };

/** The tabs of a partner, and its verification words. */
export const tabs = (nodeID: string, prefix = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      partner: 'lists',
      activity: 'activity',
      connection: 'connection',
      words: 'words',
    }).map(([name, tab]) => [prefix + name, `#/partners/${nodeID}/${tab}`]),
  );

export const column = (name: string, label = name, kind = 'String'): DemoField => ({
  kind,
  name,
  label,
  isMulti: false,
});

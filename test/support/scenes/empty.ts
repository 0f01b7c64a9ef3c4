import { COMMON, type Scene, type Stage } from './stage.ts';

/** An office that has just been started: no list, no partner. */
export async function emptyScene(stage: Stage): Promise<Scene> {
  const opened = await stage.open('Harbour Office');
  const places = {
    welcome: '#/welcome',
    ...COMMON,
    'add-partner': '#/partners/add',
    import: '#/lists/import',
    settings: '#/settings',
    unknown: '#/nowhere',
  };
  return { name: 'empty', ...opened, places };
}

import { DOUBT_KINDS, DOUBT_OPTIONS, FIRST_LOOK_BYTES } from '../../../../server/base/vocabulary.ts';
import type { ImportPreview } from '../../../../server/contract/app/import.ts';
import type { CsvReading } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';

export interface Chosen {
  readonly file: File;
  readonly preview: ImportPreview;
}

interface CsvPreview {
  readonly chosen: Chosen | undefined;
  /** The user's choices, even during reading; the rest is guessed. */
  readonly reading: CsvReading;
  readonly busy: boolean;
  load(file: File, wanted?: CsvReading): Promise<void>;
  close(): void;
}

/** Creates the preview of a file before its import. Of overlapping readings the last counts. */
export function createCsvPreview(app: App): CsvPreview {
  let chosen = $state.raw<Chosen>();
  let reading = $state.raw<CsvReading>({});
  let busy = $state(false);
  let turn = 0;

  return {
    get chosen() {
      return chosen;
    },
    get reading() {
      return reading;
    },
    get busy() {
      return busy;
    },
    /**
     * Reads a file, or the present one differently: first lines, then all. A failure is reported, and keeps the
     * previous reading and a complete preview.
     */
    async load(file, wanted = {}) {
      const mine = ++turn;
      const before = reading;
      reading = wanted;
      busy = true;
      /** Shows a preview; keeps doubts that the user answered in the file's earlier one. */
      const show = (preview: ImportPreview): void => {
        const earlier = chosen?.file === file ? chosen.preview.doubts : [];
        chosen = {
          file,
          preview: { ...preview, doubts: keepAnsweredDoubts(preview.doubts, earlier, wanted) },
        };
      };
      let preview = await previewFirstLines(app, file, wanted);
      if (mine !== turn) return;
      if (!preview || preview.isPart) {
        if (preview) show(preview);
        preview = await app.attempt(() => app.lists.previewCsv(file, wanted));
        if (mine !== turn) return;
      }
      busy = false;
      if (preview) show(preview);
      else {
        reading = before;
        // A part alone can't be imported.
        if (chosen?.preview.isPart) chosen = undefined;
      }
    },
    /** Forgets file and preview; drops an answer still to come. */
    close() {
      turn++;
      busy = false;
      chosen = undefined;
      reading = {};
    },
  };
}

/** Previews only the file's beginning, but all of a workbook. Undefined if that fails. */
async function previewFirstLines(
  app: App,
  file: File,
  wanted: CsvReading,
): Promise<ImportPreview | undefined> {
  try {
    const isWorkbook = (await file.slice(0, 2).text()) === 'PK';
    const part = isWorkbook ? file : file.slice(0, FIRST_LOOK_BYTES);
    return await app.lists.previewCsv(part, wanted, true);
  } catch {
    return undefined;
  }
}

type Doubts = ImportPreview['doubts'];

/** Returns the doubts, and those of `before` that `reading` answers, so that the answer can be changed. */
export function keepAnsweredDoubts(doubts: Doubts, before: Doubts, reading: CsvReading): Doubts {
  return DOUBT_KINDS.flatMap((kind) => {
    const isAnswered = reading[DOUBT_OPTIONS[kind]] !== undefined;
    return (
      doubts.find((doubt) => doubt.kind === kind) ??
      (isAnswered ? before.find((doubt) => doubt.kind === kind) : undefined) ??
      []
    );
  });
}

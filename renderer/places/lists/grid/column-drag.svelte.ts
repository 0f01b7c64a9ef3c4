interface ColumnDrag {
  readonly from: number | undefined;
  readonly to: number | undefined;
  grab(event: PointerEvent, position: number): void;
  cancel(): void;
  /** The last press was a drag, no click. */
  readonly wasTaken: boolean;
}

/** Limit of a click's movement. */
const STILL_PX = 6;

/**
 * Drags columns by their names in `head()`, each with its index as `data-position`. `onmove` moves the column `from`
 * before the one at `before`.
 */
export function createColumnDrag(
  head: () => HTMLElement,
  onmove: (from: number, before: number) => void,
): ColumnDrag {
  let from = $state<number>();
  let to = $state<number>();
  let wasTaken = false;

  /** Returns the index to drop before at `x`, frozen ones first; undefined beside the names. */
  function dropIndexAt(x: number): number | undefined {
    const isMirrored = getComputedStyle(head()).direction === 'rtl';
    for (const cell of head().querySelectorAll<HTMLElement>('[data-position]')) {
      const { left, right } = cell.getBoundingClientRect();
      if (x < left || x >= right) continue;
      const isBehind = x >= (left + right) / 2 !== isMirrored;
      return Number(cell.dataset.position) + (isBehind ? 1 : 0);
    }
    return undefined;
  }

  const cancelDrag = (): void => {
    from = undefined;
    to = undefined;
  };

  return {
    get from() {
      return from;
    },
    get to() {
      return to;
    },
    get wasTaken() {
      return wasTaken;
    },
    cancel: cancelDrag,
    /** Follows the pointer after a press on the column at `position`; beyond a few pixels that is a drag. */
    grab(event, position) {
      const handle = event.currentTarget;
      wasTaken = false;
      if (!(handle instanceof HTMLElement)) return;
      const start = event.clientX;
      const follow = new AbortController();
      const { signal } = follow;
      handle.setPointerCapture(event.pointerId);
      /** Begins the drag beyond a few pixels, and sets where the column would drop. */
      const followPointer = ({ clientX }: PointerEvent): void => {
        if (!wasTaken && Math.abs(clientX - start) < STILL_PX) return;
        // A cancelled drag doesn't restart with the same press.
        if (wasTaken && from === undefined) return;
        wasTaken = true;
        from = position;
        to = dropIndexAt(clientX) ?? to;
      };
      /** Moves the column to where it was dragged, and ends the drag. */
      const dropColumn = (): void => {
        if (from !== undefined && to !== undefined) onmove(from, to);
        cancelDrag();
      };
      handle.addEventListener('pointermove', followPointer, { signal });
      handle.addEventListener('pointerup', dropColumn, { signal });
      handle.addEventListener(
        'lostpointercapture',
        () => {
          cancelDrag();
          follow.abort();
        },
        { signal },
      );
    },
  };
}

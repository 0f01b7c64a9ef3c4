/** A column being dragged by its name to a place before another one. */
export interface ColumnDrag {
  /** Index of the dragged column among the visible ones. */
  readonly from: number | undefined;
  /** The target: before the column that is there now. */
  readonly to: number | undefined;
  grab(event: PointerEvent, position: number): void;
  cancel(): void;
  /** Whether the last press became a drag. */
  readonly wasTaken: boolean;
}

/** Movement tolerated within a click. */
const STILL_PX = 6;

/**
 * Creates the dragging of columns by their names. @param head contains each column's name with its index as
 * `data-position` @param onmove moves a column before the one at that index
 */
export function createColumnDrag(
  head: () => HTMLElement,
  onmove: (from: number, before: number) => void,
): ColumnDrag {
  let from = $state<number>();
  let to = $state<number>();
  let wasTaken = false;

  /**
   * Returns the index before which a column is dropped at this horizontal position; undefined outside of the names.
   * Takes the first match, as frozen columns cover those that scroll under them.
   */
  function placeAt(x: number): number | undefined {
    const isMirrored = getComputedStyle(head()).direction === 'rtl';
    for (const cell of head().querySelectorAll<HTMLElement>('[data-position]')) {
      const { left, right } = cell.getBoundingClientRect();
      if (x < left || x >= right) continue;
      const isBehind = x >= (left + right) / 2 !== isMirrored;
      return Number(cell.dataset.position) + (isBehind ? 1 : 0);
    }
    return undefined;
  }

  /** Ends the drag without moving the column. */
  const cancel = (): void => {
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
    cancel,
    /**
     * Starts following the pointer after a press on the name of the column at this index; beyond a few pixels it
     * becomes a drag.
     */
    grab(event, position) {
      const handle = event.currentTarget;
      wasTaken = false;
      if (!(handle instanceof HTMLElement)) return;
      const start = event.clientX;
      const follow = new AbortController();
      const { signal } = follow;
      handle.setPointerCapture(event.pointerId);
      /** Updates the drag's target, once the pointer has moved far enough. */
      const move = ({ clientX }: PointerEvent): void => {
        if (!wasTaken && Math.abs(clientX - start) < STILL_PX) return;
        // A drag cancelled by key doesn't restart with the same press.
        if (wasTaken && from === undefined) return;
        wasTaken = true;
        from = position;
        to = placeAt(clientX) ?? to;
      };
      /** Moves the column to the target, if there is one, and ends the drag. */
      const drop = (): void => {
        if (from !== undefined && to !== undefined) onmove(from, to);
        cancel();
      };
      handle.addEventListener('pointermove', move, { signal });
      handle.addEventListener('pointerup', drop, { signal });
      handle.addEventListener(
        'lostpointercapture',
        () => {
          cancel();
          follow.abort();
        },
        { signal },
      );
    },
  };
}

/** A column on its way to another place: taken by its name, let go before another one. */
export interface ColumnDrag {
  /** The column that is taken, by its place among those that are seen. */
  readonly from: number | undefined;
  /** The place that it would go to: before the column that stands there now. */
  readonly to: number | undefined;
  grab(event: PointerEvent, position: number): void;
  cancel(): void;
  /** Whether the last press became one. */
  readonly wasTaken: boolean;
}

/** A hand that presses a name does not hold quite still. */
const STILL_PX = 6;

/**
 * @param head in which each column's name has its place as `data-position`
 * @param onmove lets it go before the column at that place
 */
export function createColumnDrag(
  head: () => HTMLElement,
  onmove: (from: number, before: number) => void,
): ColumnDrag {
  let from = $state<number>();
  let to = $state<number>();
  let wasTaken = false;

  /** Columns that stay in sight lie above those that pass under them. */
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
    grab(event, position) {
      const handle = event.currentTarget;
      wasTaken = false;
      if (!(handle instanceof HTMLElement)) return;
      const start = event.clientX;
      const follow = new AbortController();
      const { signal } = follow;
      handle.setPointerCapture(event.pointerId);
      const move = ({ clientX }: PointerEvent): void => {
        if (!wasTaken && Math.abs(clientX - start) < STILL_PX) return;
        // Given up by key it does not begin anew under the same hand.
        if (wasTaken && from === undefined) return;
        wasTaken = true;
        from = position;
        to = placeAt(clientX) ?? to;
      };
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

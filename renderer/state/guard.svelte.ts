/** Returns the present entry's number in the browser's history; undefined for a new one. */
function placeInHistory(): number | undefined {
  const state = history.state as { readonly place?: number } | null;
  return state?.place;
}

/** Follows the address; asks before unsaved input is lost to a link, Back, reload or closing. */
export class Guard {
  readonly #checks = new Set<() => boolean>();
  readonly #show: () => void;
  #asking = $state(false);
  #isSaved = false;
  /** Positions of page and address in the history. */
  #shown = 0;
  #place = 0;

  /** @param show shows the address's page */
  constructor(show: () => void) {
    this.#show = show;
  }

  get asking(): boolean {
    return this.#asking;
  }

  /** Asks while `isUnsaved` returns true, until the returned function is called. */
  arm(isUnsaved: () => boolean): () => void {
    this.#checks.add(isUnsaved);
    return () => this.#checks.delete(isUnsaved);
  }

  /** Lets the next change of address pass without asking: what was entered is saved or discarded. */
  letNextChangePass(): void {
    this.#isSaved = true;
  }

  /** Keeps the page and restores its address. */
  stayOnPage(): void {
    this.#asking = false;
    history.go(this.#shown - this.#place);
  }

  /** Shows the page of the address, without asking. */
  leavePage(): void {
    this.#asking = false;
    this.#isSaved = false;
    this.#shown = this.#place;
    this.#show();
  }

  /**
   * Follows the address, asking before unsaved input is lost, in a browser also by closing the page, until the returned
   * function is called.
   */
  start(): () => void {
    this.#shown = this.#place = placeInHistory() ?? 0;
    history.replaceState({ place: this.#place }, '');
    const onHash = (): void => this.#followAddress();
    /**
     * Lets the browser ask before unsaved input is lost, except in the desktop app, whose close it would block
     * silently.
     */
    const onUnload = (event: Event): void => {
      // Would block the desktop app's close silently.
      if (this.#isUnsaved && !window.footbridge) event.preventDefault();
    };
    addEventListener('hashchange', onHash);
    addEventListener('beforeunload', onUnload);
    return () => {
      removeEventListener('hashchange', onHash);
      removeEventListener('beforeunload', onUnload);
    };
  }

  get #isUnsaved(): boolean {
    return [...this.#checks].some((isUnsaved) => isUnsaved());
  }

  /** Asks first if a new address would lose input, until the shown one is back; else shows its page. */
  #followAddress(): void {
    const known = placeInHistory();
    this.#place = known ?? this.#place + 1;
    if (known === undefined) history.replaceState({ place: this.#place }, '');
    if (this.#place === this.#shown) this.#asking = false;
    else if (this.#isUnsaved && !this.#isSaved) this.#asking = true;
    else this.leavePage();
  }
}

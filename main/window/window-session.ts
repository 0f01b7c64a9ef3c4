/** Talks to the node as the signed-in window; the cookie stays in this process. */
export interface WindowSession {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The next request signs in again. */
  forget(): void;
}

/** Creates a session that signs in by a one-time link at its first request, and again once forgotten or ended. */
export function createWindowSession(
  windowLink: () => string | Promise<string>,
  send: typeof fetch = fetch,
): WindowSession {
  let session: Promise<{ base: string; cookie: string }> | undefined;

  /** Signs in by a one-time link; throws without a cookie, and network errors. */
  async function signIn(): Promise<{ base: string; cookie: string }> {
    const link = await windowLink();
    const answer = await send(link, { redirect: 'manual' });
    await answer.body?.cancel();
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie === undefined) throw new Error('The window was not let in by its link.');
    return { base: new URL(link).origin, cookie };
  }

  /**
   * Sends a request with the session's cookie, after signing in if needed. A 401, which is returned, or an error ends
   * the session: the next call signs in again. Throws network errors.
   */
  async function sendSignedIn(path: string, init: RequestInit): Promise<Response> {
    session ??= signIn();
    const current = session;
    try {
      const { base, cookie } = await current;
      const headers = new Headers(init.headers);
      headers.set('cookie', cookie);
      const answer = await send(base + path, { ...init, headers, redirect: 'manual' });
      if (answer.status === 401 && session === current) session = undefined;
      return answer;
    } catch (error) {
      if (session === current) session = undefined;
      throw error;
    }
  }

  return {
    /** Ends the session here: the next request signs in again. */
    forget() {
      session = undefined;
    },
    /**
     * Requests a path of the window listener, such as `/app/overview`. After a 401 signs in and repeats it once, but
     * not with a stream as body. Throws network errors.
     */
    async fetch(path, init = {}) {
      const answer = await sendSignedIn(path, init);
      if (answer.status !== 401 || init.body instanceof ReadableStream) return answer;
      await answer.body?.cancel();
      return sendSignedIn(path, init);
    },
  };
}

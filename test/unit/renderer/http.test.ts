import { describe, expect, it } from 'vitest';
import { createHttp, NodeError } from '../../../renderer/api/http.ts';
import { ownWords } from '../../../renderer/state/notices.svelte.ts';

const session = (): Response => new Response(JSON.stringify({ response: { csrfToken: 'token' } }));

describe("the window's client", () => {
  it('calls an answer that ends in its middle none', async () => {
    const statuses: number[] = [];
    const cut = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    });
    const http = createHttp({
      fetch: (path) => Promise.resolve(path === '/app/session' ? session() : new Response(cut)),
      onStatus: (status) => void statuses.push(status),
      language: () => 'en',
    });
    await expect(http.call('GET /app/overview')).rejects.toMatchObject({
      status: 0,
      code: 'window.no-answer',
    });
    const wordsOf = (problem: unknown): unknown =>
      problem instanceof NodeError && ownWords(problem.status, problem.code);
    const doubted = await http.call('POST /app/sessions/link').catch(wordsOf);
    expect(doubted, 'the change may be lost').toBe('error.no-answer');
    const away = await http.call('GET /app/overview').catch(wordsOf);
    expect(away, 'nothing was changed').toBe('error.not-loaded');
    await expect(http.call('GET /app/overview')).rejects.toBeInstanceOf(NodeError);
    expect(statuses).toEqual([0, 200, 0, 0, 0]);
  });

  it('passes the signal on with changes, as with what it reads', async () => {
    const signals: unknown[] = [];
    const http = createHttp({
      fetch: (_path, init) => {
        if (init?.method !== 'GET') signals.push(init?.signal);
        return Promise.resolve(session());
      },
      onStatus: () => undefined,
      language: () => 'en',
    });
    const { signal } = new AbortController();
    await http.call('POST /app/sessions/link', { signal });
    expect(signals).toEqual([signal]);
  });
});

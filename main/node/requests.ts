import type { Logger } from 'pino';
import type { z } from 'zod';
import type { NodeRequest, ToNode } from './messages.ts';

/** Requests to the other process that are not answered yet. */
export interface Requests {
  /** @throws the other side's refusal, or why it ended; an answer that doesn't match the schema */
  ask<T>(request: NodeRequest, answers: z.ZodType<T>): Promise<T>;
  answer(id: number, answer: unknown): void;
  refuse(id: number, error: Error): void;
  /** Rejects everything pending. */
  end(error: Error): void;
}

/** Creates the list of pending requests; `post` sends one to the other process. */
export function createRequests(deps: { post: (message: ToNode) => void; log: Logger }): Requests {
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let over: Error | undefined;

  /** Removes a pending request and returns its handlers; undefined for an unknown id. */
  function settled(id: number): ReturnType<typeof waiting.get> {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  }

  return {
    /**
     * Sends a request and resolves with its parsed answer. Throws after `end`, on a refusal, and for an answer that
     * doesn't match the schema.
     */
    async ask(request, answers) {
      if (over) throw over;
      const id = ++last;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      deps.post({ id, request });
      const { success, data, error } = answers.safeParse(await answer);
      if (success) return data;
      deps.log.error({ err: error, request: request.name }, 'the node answered something unknown');
      throw error;
    },
    answer: (id, answer) => settled(id)?.resolve(answer),
    refuse: (id, error) => settled(id)?.reject(error),
    /** Rejects all pending requests with this error, and each later one at once. */
    end(error) {
      over = error;
      for (const id of [...waiting.keys()]) settled(id)?.reject(error);
    },
  };
}

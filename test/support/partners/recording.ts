/** One request and its answer, as a recording of a live server holds them. */
export interface Exchange {
  readonly title: string;
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** Reads a recording: `### n. title`, the request, `--- response`, the response, each as it went over the wire. */
export function readRecording(text: string): Exchange[] {
  return text
    .split(/^### \d+\. /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const [request = '', response = ''] = lines.join('\n').split(/^--- response\n/m);
      const [, method = '', path = ''] = /^(\S+) (\S+) HTTP/.exec(request) ?? [];
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);
      return {
        title,
        request: { method, path, body: bodyOf(request) },
        response: { status, body: bodyOf(response) },
      };
    });
}

/** JSON where it is JSON, else the text. */
function bodyOf(message: string): unknown {
  const body = message.slice(message.indexOf('\n\n') + 2).trim();
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

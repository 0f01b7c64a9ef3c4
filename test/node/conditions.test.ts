import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from '../support/harness/http.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

let office: NodeOffice;
beforeAll(async () => {
  office = await startNode('Vaasa');
});
afterAll(() => office.stop());

it.each(['*', '"a", W/"b"', '"*"'])(
  'whoever names a copy that it has (%s) is answered in full, on either listener',
  async (named) => {
    const { moduleID } = await office.app<{ moduleID: string }>('POST', '/app/lists', {
      name: `Orders ${named.length}`,
      fields: [{ label: 'Zahl', name: 'Zahl', kind: 'String', isMulti: false }],
    });
    const windowPort = Number(new URL(office.ready.window).port);
    const authorization = `Bearer ${office.node.userToken('admin', 600_000)}`;
    for (const [port, path] of [
      [office.port, '/healthz'],
      [office.port, '/federation/nodes'],
      [windowPort, `/app/lists/${moduleID}`],
      [windowPort, '/federation/nodes'],
    ] as const) {
      const host = `127.0.0.1:${port}`;
      const headers = { host, authorization, accept: 'application/json' };
      const plain = await rawRequest(port, path, { headers });
      const asked = await rawRequest(port, path, { headers: { ...headers, 'if-none-match': named } });
      expect([path, plain.status]).toEqual([path, 200]);
      expect([path, asked.status, asked.text]).toEqual([path, 200, plain.text]);
    }
  },
);

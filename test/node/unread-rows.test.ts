import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { csvOf, reports } from '../support/data/office-lists.ts';
import { readAnswer } from '../support/reading/reader.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';

let office: NodeOffice;
let partner: ScriptedPartner;
let socket: Socket | undefined;
beforeAll(async () => {
  office = await startNode('North Trading');
  partner = await scriptedPartner(office, 'Berlin');
});
afterAll(async () => {
  socket?.destroy();
  await partner.close();
  await office.stop();
});

describe('a partner that asks for rows and does not read them', () => {
  it(
    'is shown as that within seconds, and no longer once it reads',
    { timeout: 120_000, tags: 'nightly-waits' },
    async () => {
      const { moduleID } = await office.app<{ moduleID: string }>(
        'POST',
        '/app/import?list=reports',
        csvOf(reports({ rows: 250 })),
      );
      await office.app('PUT', `/app/partners/${partner.nodeID}/shares/${moduleID}`, {
        fields: ['Report', 'Text'],
      });
      const listed = await partner.ask('GET', `/federation/nodes/${partner.nodeID}/modules/exposed/`);
      const shared = (listed.response as { set: { moduleID: string }[] }).set[0]?.moduleID ?? '';
      const path = `/federation/nodes/${partner.nodeID}/modules/${shared}/records/`;
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${office.port}\r\nAuthorization: Bearer ${partner.token}`;
      socket = connect(office.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(`${head}\r\nAccept-Encoding: identity\r\n\r\n`);
      const said = async (): Promise<string> => JSON.stringify(await office.app('GET', `/app/overview`));
      await expect
        .poll(said, { timeout: 60_000, interval: 500 })
        .toMatch(/Berlin asked for rows but hasn’t read them since/);
      expect(office.logged.join('\n')).toContain('a partner asks for rows but does not read them');
      expect(await said()).not.toContain('stranger');

      socket.destroy();
      const answer = await readAnswer(office.port, path, {
        encoding: 'gzip',
        headers: { authorization: `Bearer ${partner.token}` },
      });
      const { set } = (JSON.parse(answer.body.toString()) as { response: { set: unknown[] } }).response;
      expect(set).toHaveLength(250);
      await expect.poll(said, { timeout: 10_000 }).not.toMatch(/hasn’t read them/);
    },
  );
});

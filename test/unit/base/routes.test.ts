import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route } from '../../../server/base/routes.ts';

describe('the text of a route', () => {
  it.each<Route>([
    { kind: 'direct', host: '192.168.1.20', port: 7420 },
    { kind: 'direct', host: '2001:4860:4860::8888', port: 7420 },
    { kind: 'mapped', host: 'office.example', port: 40112 },
    { kind: 'relay', address: 'footbridge-relay://relay.example/?office=k3f9c' },
  ])('reads back as it was written: %o', (route) => {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  it.each([
    'quic:192.168.1.20:7420',
    'direct:192.168.1.20',
    'direct:192.168.1.20:0',
    'direct:192.168.1.20:65536',
    'direct:user@192.168.1.20:7420',
    'direct:192.168.1.20/x:7420',
    'direct:[192.168.1.20]:7420',
    'direct:[fe80::1%25eth0]:7420',
    'direct:2001:4860:4860::8888:7420',
    'relay:',
    'relay:footbridge-relay://relay .example',
    `direct:${'a'.repeat(500)}:7420`,
  ])('is no route: %s', (text) => {
    expect(parseRoute(text)).toBeUndefined();
  });
});

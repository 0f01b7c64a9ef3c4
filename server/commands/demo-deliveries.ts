import { createHash } from 'node:crypto';
import Papa from 'papaparse';

const DELIVERIES = 1500;
const FIRST_DAY = Date.UTC(2025, 0, 2);
const DAY_MS = 86_400_000;
const CARRIERS = [
  'Quay Logistics',
  'Spedition Lindner',
  'Przewozy Łoś',
  'Transports du Lac',
  'self',
  'Δρόμος',
];
const REMARKS = [
  '',
  '',
  'left at the neighbour’s',
  'box torn, content whole',
  'called before',
  'zweiter Versuch',
];

/**
 * Returns a CSV list for the demo, always the same: 1,500 deliveries in 8 columns, with signatures, as large
 * and as hard to compress as an office's data.
 */
export function deliveriesCsv(): string {
  return Papa.unparse(Array.from({ length: DELIVERIES }, (_, at) => delivery(at)));
}

/** Returns the delivery at this index, derived from a hash. */
function delivery(at: number): Record<string, string> {
  const chance = createHash('sha512').update(`delivery ${at}`).digest();
  const pick = (list: readonly string[], byte: number): string =>
    list[(chance[byte] ?? 0) % list.length] ?? '';
  const signature = [0, 1, 2, 3].map((part) =>
    createHash('sha512').update(chance).update(String(part)).digest('base64'),
  );
  return {
    DeliveryNo: String(300_000 + at * 7),
    OrderID: String(10_001 + (chance.readUInt16LE(0) % 640)),
    Delivered: new Date(FIRST_DAY + (at % 400) * DAY_MS).toISOString().slice(0, 10),
    Carrier: pick(CARRIERS, 2),
    Parcels: String(1 + ((chance[3] ?? 0) % 9)),
    Weight: (chance.readUInt16LE(4) / 100).toFixed(2),
    Remark: pick(REMARKS, 6),
    Signature: signature.join(''),
  };
}

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

/** Makes 1,500 deliveries in 8 columns, always the same, as hard to compress as an office's data. */
export function createDeliveriesCsv(): string {
  return Papa.unparse(Array.from({ length: DELIVERIES }, (_, at) => createDelivery(at)));
}

/** Returns the delivery of this number: all but its own number and day is taken from a hash of the number. */
function createDelivery(index: number): Record<string, string> {
  const hash = createHash('sha512').update(`delivery ${index}`).digest();
  const pick = (list: readonly string[], byte: number): string => list[(hash[byte] ?? 0) % list.length] ?? '';
  const signature = [0, 1, 2, 3].map((part) =>
    createHash('sha512').update(hash).update(String(part)).digest('base64'),
  );
  return {
    DeliveryNo: String(300_000 + index * 7),
    OrderID: String(10_001 + (hash.readUInt16LE(0) % 640)),
    Delivered: new Date(FIRST_DAY + (index % 400) * DAY_MS).toISOString().slice(0, 10),
    Carrier: pick(CARRIERS, 2),
    Parcels: String(1 + ((hash[3] ?? 0) % 9)),
    Weight: (hash.readUInt16LE(4) / 100).toFixed(2),
    Remark: pick(REMARKS, 6),
    Signature: signature.join(''),
  };
}

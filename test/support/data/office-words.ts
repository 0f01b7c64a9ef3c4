import type { Seeded } from './seeded.ts';

/** Words by the script that they are written in, as an office with customers everywhere has them. */
export const WORDS = {
  english: words(
    'invoice delivery reminder quarterly contract warehouse discount meeting renewal supplier shelf envelope',
    'customer refund pallet agreement overdue deposit insurance harbour bakery lantern glass copper walnut',
    'autumn signature witness carriage cheque parcel stamp ladder window basket orchard thursday margin ferry',
  ),
  german: words(
    'Rechnung Lieferschein Mahnung Überweisung Größe Straße Büro Öffnungszeiten Ärztin Prüfung Fälligkeit',
    'Geschäftsführer Schlüssel Vertragsänderung Maß Käse Söhne Grundstück Übergabe Gewähr Zustellung Fußboden',
  ),
  polish: words(
    'faktura zażółć gęślą jaźń dostawa świeżość źródło łódka żółw chrząszcz zamówienie ćwierć późno',
    'miesięczny odbiór śruba księgowość sprzedaż należność przyjęcie',
  ),
  greek: words(
    'τιμολόγιο παράδοση πελάτης έκπτωση αποθήκη σύμβαση λογαριασμός Αθήνα Θεσσαλονίκη ψωμί ελαιόλαδο',
    'υπογραφή προμηθευτής ημερομηνία',
  ),
  arabic: words('فاتورة تسليم عميل خصم مستودع عقد حساب توقيع مورد تاريخ القاهرة بيروت زيت خبز مكتب دفعة'),
  chinese: words('发票 交货 客户 折扣 仓库 合同 账户 签名 供应商 日期 上海 茶叶 面包 办公室 付款 𠮷野家 龘'),
  emoji: words('📦 ☎️ ✅ 👩🏽‍💻 🇵🇱 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👨‍👩‍👧‍👦 ❤️‍🔥 1️⃣ 🥖'),
  // Marks that stand for themselves behind their letters, as some systems write them.
  combining: words(
    'Ame\u0301lie Bjo\u0308rn S\u030carka Nguye\u0302\u0303n Gon\u0327alo a\u030angstro\u0308m e\u0323',
  ),
} as const;

export type Script = keyof typeof WORDS;

/** One or more words of these scripts, with a blank between them. */
export function phrase(
  random: Seeded,
  count: number,
  scripts: readonly Script[] = ['english', 'german'],
): string {
  return Array.from({ length: count }, () => random.pick(WORDS[random.pick(scripts)])).join(' ');
}

/** As a person writes a note: sentences of varied lengths with numbers in them, of about `length` UTF-16 units. */
export function note(random: Seeded, length: number, scripts: readonly Script[] = ['english']): string {
  let text = '';
  while (text.length < length) {
    const sentence = phrase(random, 3 + random.below(9), scripts);
    text += `${sentence} ${random.below(100_000)}${random.pick(['. ', ', ', '; ', '? ', '.\n', ' – '])}`;
  }
  return text.trimEnd();
}

function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}

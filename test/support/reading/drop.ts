import type { Page } from 'playwright-core';

/** Lets a CSV file fall onto the place for it, as the mouse would. */
export async function dropCsv(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'text/csv' }));
      return transfer;
    },
    [name, text] as const,
  );
  await page
    .getByText('Drop a spreadsheet (xlsx, ods) or CSV file here')
    .dispatchEvent('drop', { dataTransfer });
}

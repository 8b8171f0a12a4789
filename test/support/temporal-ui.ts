import type { Locator, Page } from 'playwright-core';
import { until } from './until';

/**
 * Finds a workflow as an engineer does: enters a query in the Temporal UI, until the list shows it.
 * @param uiUrl the UI's address
 * @returns its link in the list
 */
export async function findInTemporalUi(
  page: Page,
  uiUrl: string,
  query: string,
  workflowId: string,
): Promise<Locator> {
  const list = new URL(
    `/namespaces/default/workflows?${new URLSearchParams({ query }).toString()}`,
    uiUrl,
  );
  const link = page.getByRole('link', { name: workflowId }).first();
  // Temporal lists a workflow some moments after it began to wait.
  await until(`${workflowId} is listed`, async () => {
    await page.goto(list.href);
    return await link.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  return link;
}

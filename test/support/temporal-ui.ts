import type { Locator, Page } from 'playwright-core';
import { until } from './until';

/**
 * Finds a workflow as an engineer does: enters a query in the Temporal UI, until the list shows it.
 * @param uiUrl the UI's address
 * @returns its link in the list
 */
export async function findInTemporalUi(page: Page, uiUrl: string, query: string, workflowId: string): Promise<Locator> {
  const list = new URL(`/namespaces/default/workflows?${new URLSearchParams({ query }).toString()}`, uiUrl);
  const link = page.getByRole('link', { name: workflowId }).first();
  const nothing = page.getByText('No Workflows').first();
  // Temporal lists a workflow some moments after it began to wait. A list that still loads is not loaded again.
  await until(`${workflowId} is listed`, async () => {
    await page.goto(list.href);
    await link.or(nothing).first().waitFor();
    return await link.isVisible();
  });
  return link;
}

import type { ReactNode } from 'react';
import { Icon } from './icons';

/** The bar that counts new rows, instead of moving the list. */
export function News({ count, onShow }: { count: number; onShow: () => void }): ReactNode {
  return (
    <div role="status" className="news-place">
      {count > 0 && (
        <button type="button" className="news" onClick={onShow}>
          <Icon name="up" size={13} /> {count} new
        </button>
      )}
    </div>
  );
}

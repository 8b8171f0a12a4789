import type { ReactNode } from 'react';
import { Icon } from './icons';

/** Says how many rows wait, instead of pushing down what one reads. */
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

// How much detail pictures have, in words.

import type { DetailName } from '../state/detail';
import type { TextKey } from './index';

export const DETAIL_TEXTS: Record<DetailName, TextKey> = {
  full: 'detailFull', high: 'detailHigh', medium: 'detailMedium', low: 'detailLow', lower: 'detailLower', lowest: 'detailLowest',
};

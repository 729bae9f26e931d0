import type { LogoPath } from './logo.ts'

export const logoPath: readonly LogoPath[] = [
  { fill: '#fc3f1d', path: 'M2 12a10 10 0 1 1 20 0 10 10 0 0 1-20 0z' },
  {
    fill: '#ffffff',
    path: 'M13.6 7.4h-1c-1.5 0-2.3.8-2.3 2 0 1.3.6 2 1.7 2.8l1 .6L10 17.5H7.9l2.7-4.100C9 12.3 8.200 11.200 8.200 9.5c0-2.200 1.5-3.6 4.3-3.6h3.100v11.6h-2z',
  },
]

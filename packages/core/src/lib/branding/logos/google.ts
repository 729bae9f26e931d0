import type { LogoPath } from './logo.ts'

export const logoPath: readonly LogoPath[] = [
  { fill: '#ea4335', path: 'M2.03 7.35A11 11 0 0 1 20.43 4.93L17.36 7.5A7 7 0 0 0 5.66 9.04z' },
  { fill: '#fbbc05', path: 'M2.2 16.99A11 11 0 0 1 2.07 7.26L5.68 8.99A7 7 0 0 0 5.76 15.18z' },
  { fill: '#34a853', path: 'M19.07 20.43A11 11 0 0 1 2.16 16.91L5.74 15.12A7 7 0 0 0 16.5 17.36z' },
  {
    fill: '#4285f4',
    path: 'M12 10h10.8A11 11 0 0 1 19.07 20.43L16.5 17.36A7 7 0 0 0 18.3 14.2H12z',
  },
]

import type { LogoPath } from './logo.ts'

export const logoPath: readonly LogoPath[] = [
  { fill: '#f25022', path: 'M2 2h9.5v9.5H2z' },
  { fill: '#7fba00', path: 'M12.5 2H22v9.5h-9.5z' },
  { fill: '#00a4ef', path: 'M2 12.5h9.5V22H2z' },
  { fill: '#ffb900', path: 'M12.5 12.5H22V22h-9.5z' },
]

export const logoPath: string = 'm12 1.608 12 20.784H0Z'

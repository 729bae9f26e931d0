export const logoPath: string = 'M7 18.5a5 5 0 0 1-.9-9.9A6 6 0 0 1 17.6 7.5a5.5 5.5 0 0 1-.6 11z'

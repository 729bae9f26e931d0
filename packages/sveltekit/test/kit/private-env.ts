export const env: Record<string, string | undefined> = {}

// What Astro makes up for each application, and Vite for each module that it compiles.

declare module 'astro:env/server' {
  export function getSecret(name: string): string | undefined
}

interface ImportMeta {
  readonly env: { readonly BASE_URL: string }
}

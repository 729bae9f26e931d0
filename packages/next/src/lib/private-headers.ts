/** For answers that are about one visitor. Next leaves it in place of what a page says, as a static one does. */
export const PRIVATE = { 'cache-control': 'private, no-cache, no-store' }

/**
 * The same for what a proxy lets pass. What lies behind may speak to some caches by headers of their own:
 * Next leaves ours in place. A page or an API route of the Pages Router can still replace `Cache-Control`,
 * and then these are what keeps caches away.
 */
export const PASSED_PRIVATE = {
  'cache-control': 'private, no-cache, no-store',
  'cdn-cache-control': 'no-store',
  'cloudflare-cdn-cache-control': 'no-store',
  'netlify-cdn-cache-control': 'no-store',
  'vercel-cdn-cache-control': 'no-store',
  'x-litespeed-cache-control': 'no-store',
  'edge-control': 'no-store',
  'surrogate-control': 'no-store',
  'x-accel-expires': '0',
  vary: 'cookie',
}

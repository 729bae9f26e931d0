/** What an application says that lets shared caches keep its answer, by headers of all kinds. */
export const FOR_CACHES = {
  'cache-control': 'public, s-maxage=600',
  'cdn-cache-control': 'max-age=600',
  'vercel-cdn-cache-control': 'max-age=600',
  'surrogate-control': 'max-age=600',
}

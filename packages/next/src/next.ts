throw new ReferenceError(
  'The "next" sub-path no longer exists. Instead of getServerSession(), call `auth()` from your SiteAuth().',
)

export {}

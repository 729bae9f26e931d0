import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('account', 'routes/account.tsx'),
  route('api/me', 'routes/me.ts'),
  route('login', 'routes/login.ts'),
  route('logout', 'routes/logout.ts'),
  route('auth/*', 'routes/auth.ts'),
] satisfies RouteConfig

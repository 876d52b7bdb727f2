// Tells the compiler what the modules of prom-client give that make one group of its default metrics; the package has no types of them.
declare module 'prom-client/lib/metrics/*.js' {
  const collect: (
    registry: import('prom-client').Registry,
    settings: { readonly eventLoopMonitoringPrecision: number },
  ) => void;

  export { collect as default };
}

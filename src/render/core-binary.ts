/**
 * The core, compiled from `core/` by `bun run core`, in base64: `simd` for nearly every machine, `plain` for
 * those whose processor lacks AVX.
 */
export const coreBinary = {
  simd: "AGFzbQEAAAABBQFgAAF/AwIBAAUDAQAABxYCCWhlYXBTdGFydAAABm1lbW9yeQIACgcBBQBBgAgL",
  plain: "AGFzbQEAAAABBQFgAAF/AwIBAAUDAQAABxYCCWhlYXBTdGFydAAABm1lbW9yeQIACgcBBQBBgAgL",
} as const;

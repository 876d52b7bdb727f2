// Where the embedded sqlite-vec object lies in a single binary. `scripts/build` puts the building platform's own in this
// module's place; a checkout loads it from the package instead.
export const VEC_ASSET: string | null = null;

/** How a person proved who they are: with their password, or by signing in at a social provider of this name. */
export type ProofMethod = "password" | `social:${string}`;
